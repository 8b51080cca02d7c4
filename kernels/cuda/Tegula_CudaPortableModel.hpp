// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PORTABLE_MODEL_HPP
#define TEGULA_CUDA_PORTABLE_MODEL_HPP

#include "Tegula_TileModel.hpp"
#include "portable/Tegula_PortableLayout.hpp"
#include "portable/Tegula_PortableTiles.hpp"

/// What the planner knows of the portable family, fitted to times measured on an H200 (perf_tests/README.md).

namespace Tegula::Impl {

template <class Accumulator>
constexpr auto portable_cuda_choices() {
  constexpr auto& tiles = portable_choices<false, Accumulator>;
  std::array<ConfigChoice, tiles.size()> choices{};
  for (std::size_t i = 0; i < tiles.size(); ++i)
    choices[i] = {tiles[i].tile, tiles[i].threads, static_cast<int>(tiles[i].scratch_bytes), tiles[i].teams};
  return choices;
}

inline constexpr auto portable_half_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_half_rates{TileRates{0.323, 0.331, 4.08e+03, 2.06},
                                                TileRates{0.174, 0.719, 6.44e+03, 3.22},
                                                TileRates{0.0557, 1.24, 2.25e+03, 1.84}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.193, 0.157, 0.0215, 0.0805},
                                               .stored        = {1, 4.1, 0.222, 7.05, 0.673, 4.63},
                                               .walked        = {0.25, 0.339, 1.3, 0.449, 0.123, 0.292},
                                               .results       = {1, 0.279, 0.564, 1, 0.32, 0.837},
                                               .memory        = 0.143,
                                               .cache         = 0.134,
                                               .slices        = 1.56,
                                               .slice_bytes   = 0.15,
                                               .slice         = 6.34e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.741};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{0.201, 0.403, 1.15e+04, 1.63},
                                                 TileRates{0.169, 0.511, 1.41e+04, 5.88},
                                                 TileRates{0.0594, 0.366, 5.12e+03, 3.41}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.0157, 0.00644, 0.265, 0.423},
                                                .stored        = {1, 2.58, 1, 1, 0.467, 2.68},
                                                .walked        = {0.011, 0.0195, 0.223, 0.223, 0.154, 0.117},
                                                .results       = {1, 0.466, 1, 1, 0.452, 0.447},
                                                .memory        = 0.659,
                                                .cache         = 0.627,
                                                .slices        = 2.08,
                                                .slice_bytes   = 0.171,
                                                .slice         = 1.9e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.741};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{TileRates{0.499, 0.722, 4.37e+03, 3.39},
                                                  TileRates{0.45, 0.627, 6.17e+03, 2.83},
                                                  TileRates{0.157, 29.8, 4.62e+03, 2.3}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.012, 0.0029, 0.565, 0.643},
                                                 .stored        = {1, 4.83, 1, 1, 0.511, 20.6},
                                                 .walked        = {0.0545, 0.207, 0.223, 0.223, 0.205, 0.0353},
                                                 .results       = {1, 0.252, 1, 1, 0.26, 1.23},
                                                 .memory        = 0.316,
                                                 .cache         = 0.359,
                                                 .slices        = 1.93,
                                                 .slice_bytes   = 0.371,
                                                 .slice         = 1.32e-08,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.741};

}  // namespace Tegula::Impl

#endif
