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
inline constexpr std::array portable_half_rates{TileRates{0.793, 0.618, 9630, 2.5}, TileRates{0.679, 0.797, 6930, 3.75},
                                                TileRates{0.111, 0.833, 5220, 8.47}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0356, 0.0499, 0.0435, 0.0415},
                                               .missed        = {0.958, 0.3, 0.391, 0.682},
                                               .waiting       = 4.26,
                                               .exposed       = 6.15,
                                               .stored        = {1, 5.42, 1.75, 11.1, 0.797, 8.76},
                                               .walked        = {0.198, 0.266, 0.0454, 0.564, 0.146, 0.0628},
                                               .results       = {1, 0.258, 0.337, 0.992, 0.418, 0.921},
                                               .memory        = 0.125,
                                               .cache         = 0.826,
                                               .slices        = 5.33,
                                               .slice_bytes   = 0.162,
                                               .slice         = 2.37e-08,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{1.8, 0.568, 9370, 2.27}, TileRates{1.39, 0.601, 8980, 4.23},
                                                 TileRates{0.298, 0.612, 5470, 6.57}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.0175, 0.0161, 0.0455, 0.0558},
                                                .missed        = {0.584, 0.433, 0.358, 0.725},
                                                .waiting       = 12,
                                                .exposed       = 3.52,
                                                .stored        = {1, 3.48, 1, 1, 0.924, 2.69},
                                                .walked        = {0.0321, 0.142, 0.22, 0.22, 0.0072, 0.177},
                                                .results       = {1, 0.431, 1, 1, 0.565, 0.5},
                                                .memory        = 0.813,
                                                .cache         = 2.05,
                                                .slices        = 6.36,
                                                .slice_bytes   = 0.128,
                                                .slice         = 2.81e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{0.721, 0.75, 7600, 2.53}, TileRates{0.601, 0.69, 7730, 3.28}, TileRates{0.197, 4.39, 5480, 2.69}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.014, 0.0148, 0.0353, 0.0539},
                                                 .missed        = {0.134, 0.301, 0.85, 1},
                                                 .waiting       = 3.59,
                                                 .exposed       = 7.77,
                                                 .stored        = {1, 4.98, 1, 1, 0.719, 6.36},
                                                 .walked        = {0.0197, 0.126, 0.22, 0.22, 0.053, 0.0442},
                                                 .results       = {1, 0.245, 1, 1, 0.331, 1.78},
                                                 .memory        = 0.408,
                                                 .cache         = 0.438,
                                                 .slices        = 6.2,
                                                 .slice_bytes   = 0.307,
                                                 .slice         = 8.86e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
