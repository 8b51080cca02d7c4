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
inline constexpr std::array portable_half_rates{TileRates{1.15, 0.944, 4830, 4.61}, TileRates{1.15, 1.27, 3810, 6.15},
                                                TileRates{0.193, 1.44, 2650, 8.26}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0398, 0.0424, 0.0368, 0.044},
                                               .missed        = {0.867, 0.265, 0.204, 0.621},
                                               .waiting       = 4.16,
                                               .exposed       = 3.97,
                                               .uneven        = 0.548,
                                               .stored        = {1, 6.42, 1.16, 5.31},
                                               .walked        = {0.295, 0.0569, 0.19, 0.331},
                                               .results       = {1, 0.188, 1.21, 3.4},
                                               .memory        = 0.366,
                                               .cache         = 0.966,
                                               .apart         = 0.892,
                                               .added         = 5.95e-07,
                                               .biased        = 8.99e-07,
                                               .slices        = 3.11,
                                               .slice_bytes   = 0.788,
                                               .slice         = 9.64e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{3.53, 0.764, 4640, 2.87}, TileRates{2.3, 0.761, 4520, 3.88},
                                                 TileRates{0.664, 0.766, 3660, 5.11}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00662, 0.00648, 0.0202, 0.0266},
                                                .missed        = {0.588, 0.589, 0.646, 0.935},
                                                .waiting       = 14.6,
                                                .exposed       = 6.45,
                                                .uneven        = 0.23,
                                                .stored        = {1, 3.25, 1.07, 3.55},
                                                .walked        = {0.48, 0.274, 0.65, 0.128},
                                                .results       = {1, 0.819, 0.0388, 0.21},
                                                .memory        = 2.84,
                                                .cache         = 0.558,
                                                .apart         = 0.48,
                                                .added         = 6.09e-07,
                                                .biased        = 8.09e-07,
                                                .slices        = 3.44,
                                                .slice_bytes   = 0.513,
                                                .slice         = 3e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{TileRates{3.6, 0.911, 4280, 3.07}, TileRates{2.44, 0.879, 4890, 3.64},
                                                  TileRates{0.542, 1.17, 3710, 4.76}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0268, 0.0252, 0.0474, 0.0588},
                                                 .missed        = {0.542, 0.641, 0.795, 0.826},
                                                 .waiting       = 5.52,
                                                 .exposed       = 5.77,
                                                 .uneven        = 0.264,
                                                 .stored        = {1, 5.33, 1.07, 5.67},
                                                 .walked        = {0.494, 0.028, 0.763, 0.155},
                                                 .results       = {1, 0.894, 0.278, 0.424},
                                                 .memory        = 2.09,
                                                 .cache         = 0.577,
                                                 .apart         = 0.33,
                                                 .added         = 7.8e-07,
                                                 .biased        = 8.1e-07,
                                                 .slices        = 3.84,
                                                 .slice_bytes   = 2.33,
                                                 .slice         = 6.12e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
