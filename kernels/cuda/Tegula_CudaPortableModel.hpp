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
inline constexpr std::array portable_half_rates{TileRates{0.908, 0.81, 5540, 3.7}, TileRates{0.896, 1.08, 4600, 4.8},
                                                TileRates{0.165, 1.11, 3520, 6.6}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0365, 0.0418, 0.0399, 0.0446},
                                               .missed        = {1, 0.316, 0.253, 0.644},
                                               .waiting       = 4.39,
                                               .exposed       = 4.46,
                                               .uneven        = 0.234,
                                               .stored        = {1, 5.66, 0.919, 6.81},
                                               .walked        = {0.365, 0.0772, 0.516, 0.144},
                                               .results       = {1, 0.0556, 0.578, 1.55},
                                               .memory        = 0.621,
                                               .cache         = 0.952,
                                               .apart         = 1.49,
                                               .added         = 7.09e-07,
                                               .biased        = 9.04e-07,
                                               .slices        = 3.49,
                                               .slice_bytes   = 0.192,
                                               .slice         = 9.42e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{6.16, 0.723, 6670, 2.22}, TileRates{3.71, 0.709, 5030, 3.16},
                                                 TileRates{1.12, 0.699, 4030, 5.32}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00334, 0.00294, 0.00953, 0.0124},
                                                .missed        = {0.573, 0.793, 0.866, 1},
                                                .waiting       = 17.7,
                                                .exposed       = 13.4,
                                                .uneven        = 0.116,
                                                .stored        = {1, 2.58, 0.694, 3.22},
                                                .walked        = {0.199, 0.0723, 0.411, 0.0249},
                                                .results       = {1, 1.36, 0.0617, 0.165},
                                                .memory        = 1.95,
                                                .cache         = 0.594,
                                                .apart         = 0.469,
                                                .added         = 5.25e-07,
                                                .biased        = 8.4e-07,
                                                .slices        = 3.8,
                                                .slice_bytes   = 0.154,
                                                .slice         = 1.83e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{1.11, 0.864, 4390, 3.77}, TileRates{0.982, 0.822, 5240, 4.11}, TileRates{0.302, 0.983, 3700, 5.26}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0262, 0.0237, 0.0529, 0.0693},
                                                 .missed        = {0.237, 0.313, 0.624, 0.757},
                                                 .waiting       = 4.06,
                                                 .exposed       = 4.48,
                                                 .uneven        = 0.264,
                                                 .stored        = {1, 6.12, 0.935, 6.51},
                                                 .walked        = {0.548, 0.0195, 0.781, 0.0792},
                                                 .results       = {1, 0.558, 0.122, 0.345},
                                                 .memory        = 1.61,
                                                 .cache         = 0.582,
                                                 .apart         = 0.324,
                                                 .added         = 6.74e-07,
                                                 .biased        = 8.58e-07,
                                                 .slices        = 4.14,
                                                 .slice_bytes   = 0.545,
                                                 .slice         = 6.07e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
