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
inline constexpr std::array portable_half_rates{TileRates{0.939, 0.79, 5160, 3.68}, TileRates{0.953, 0.984, 4460, 4.65},
                                                TileRates{0.167, 0.892, 3350, 6.59}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0363, 0.0398, 0.0364, 0.0416},
                                               .missed        = {0.96, 0.31, 0.252, 0.668},
                                               .waiting       = 5.26,
                                               .exposed       = 3.92,
                                               .uneven        = 0.261,
                                               .stored        = {1, 5.54, 1.23, 6.89},
                                               .walked        = {0.406, 0.0866, 0.58, 0.146},
                                               .results       = {1, 0.0601, 0.55, 1.78},
                                               .memory        = 0.669,
                                               .cache         = 0.865,
                                               .apart         = 1.54,
                                               .added         = 7.67e-07,
                                               .biased        = 8.64e-07,
                                               .slices        = 3.43,
                                               .slice_bytes   = 0.192,
                                               .slice         = 9.31e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{6.09, 0.749, 6310, 2.41}, TileRates{4.33, 0.742, 5170, 3.2},
                                                 TileRates{1.31, 0.656, 4100, 6.25}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00394, 0.00324, 0.0113, 0.0134},
                                                .missed        = {0.521, 0.717, 0.7, 1},
                                                .waiting       = 13.4,
                                                .exposed       = 12.5,
                                                .uneven        = 0.223,
                                                .stored        = {1, 2.83, 1.05, 3.08},
                                                .walked        = {0.158, 0.0707, 0.251, 0.025},
                                                .results       = {1, 1.22, 0.0673, 0.162},
                                                .memory        = 3.25,
                                                .cache         = 0.962,
                                                .apart         = 0.327,
                                                .added         = 4.29e-07,
                                                .biased        = 8.03e-07,
                                                .slices        = 4.02,
                                                .slice_bytes   = 0.19,
                                                .slice         = 1.62e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{1.1, 0.856, 4220, 3.15}, TileRates{0.957, 0.809, 5160, 3.83}, TileRates{0.297, 0.939, 3660, 4.77}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0258, 0.0231, 0.0531, 0.0688},
                                                 .missed        = {0.239, 0.328, 0.601, 0.747},
                                                 .waiting       = 4.36,
                                                 .exposed       = 4.2,
                                                 .uneven        = 0.265,
                                                 .stored        = {1, 5.56, 1.09, 5.85},
                                                 .walked        = {0.492, 0.0189, 0.723, 0.0766},
                                                 .results       = {1, 0.466, 0.146, 0.391},
                                                 .memory        = 1.85,
                                                 .cache         = 0.582,
                                                 .apart         = 0.302,
                                                 .added         = 7.11e-07,
                                                 .biased        = 8.38e-07,
                                                 .slices        = 4.12,
                                                 .slice_bytes   = 0.532,
                                                 .slice         = 6.12e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
