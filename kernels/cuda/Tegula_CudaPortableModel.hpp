// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PORTABLE_MODEL_HPP
#define TEGULA_CUDA_PORTABLE_MODEL_HPP

#include "Tegula_TileModel.hpp"
#include "portable/Tegula_PortableLayout.hpp"
#include "portable/Tegula_PortableTiles.hpp"

/// What the planner knows of the portable family, fitted to times measured on
/// an H200 (perf_tests/README.md).

namespace Tegula::Impl {

template <class Accumulator>
constexpr auto portable_cuda_choices() {
  constexpr auto &tiles = portable_choices<false, Accumulator>;
  std::array<ConfigChoice, tiles.size()> choices{};
  for (std::size_t i = 0; i < tiles.size(); ++i)
    choices[i] = {tiles[i].tile, tiles[i].threads, static_cast<int>(tiles[i].scratch_bytes), tiles[i].teams};
  return choices;
}

inline constexpr auto portable_half_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_half_rates{TileRates{1.13, 0.963, 4980, 5.09}, TileRates{1.11, 1.31, 3830, 6.78},
                                                TileRates{0.191, 1.52, 2630, 8.94}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0399, 0.0421, 0.037, 0.0446},
                                               .missed        = {0.881, 0.248, 0.215, 0.633},
                                               .waiting       = 4,
                                               .exposed       = 3.99,
                                               .uneven        = 0.545,
                                               .stored        = {1, 6.72, 1.32, 4.02},
                                               .walked        = {0.31, 0.0601, 0.152, 0.63},
                                               .results       = {1, 0.235, 1.17, 3.62},
                                               .memory        = 0.391,
                                               .cache         = 0.993,
                                               .apart         = 0.994,
                                               .added         = 6.07e-07,
                                               .biased        = 9.03e-07,
                                               .slices        = 3.07,
                                               .slice_bytes   = 0.746,
                                               .slice         = 8.53e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{5.71, 0.763, 4570, 3.21}, TileRates{3.55, 0.759, 4470, 4.36},
                                                 TileRates{1.28, 0.671, 3900, 7.72}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00342, 0.00329, 0.0102, 0.0137},
                                                .missed        = {0.634, 0.665, 0.455, 0.659},
                                                .waiting       = 14.3,
                                                .exposed       = 11.7,
                                                .uneven        = 0.252,
                                                .stored        = {1, 3.07, 1.13, 3.85},
                                                .walked        = {0.539, 0.337, 0.776, 0.142},
                                                .results       = {1, 1.96, 0.0663, 0.406},
                                                .memory        = 1.7,
                                                .cache         = 0.725,
                                                .apart         = 0.37,
                                                .added         = 6.13e-07,
                                                .biased        = 8.77e-07,
                                                .slices        = 3.48,
                                                .slice_bytes   = 0.8,
                                                .slice         = 4.28e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{1.09, 0.852, 3990, 3.4}, TileRates{0.933, 0.801, 5010, 4.22}, TileRates{0.292, 0.916, 3660, 5.4}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0244, 0.0228, 0.0528, 0.0719},
                                                 .missed        = {0.24, 0.345, 0.643, 0.745},
                                                 .waiting       = 4.56,
                                                 .exposed       = 3.9,
                                                 .uneven        = 0.266,
                                                 .stored        = {1, 5.64, 1.12, 5.72},
                                                 .walked        = {0.654, 0.0471, 0.923, 0.196},
                                                 .results       = {1, 1.32, 0.402, 1.48},
                                                 .memory        = 2.43,
                                                 .cache         = 0.579,
                                                 .apart         = 0.376,
                                                 .added         = 8.08e-07,
                                                 .biased        = 8.3e-07,
                                                 .slices        = 3.92,
                                                 .slice_bytes   = 2.35,
                                                 .slice         = 6.83e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
