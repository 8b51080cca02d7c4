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
inline constexpr std::array portable_half_rates{TileRates{0.365, 0.501, 6990, 1.21},
                                                TileRates{0.263, 0.458, 5790, 1.72}, TileRates{0.5, 0.257, 8970, 198}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.128, 0.0672, 0.0257, 0.0855},
                                               .stored        = {1, 2.47, 0.796, 4.78, 0.408, 5.45},
                                               .walked        = {0.00524, 0.115, 0.0971, 0.247, 0.18, 0.059},
                                               .results       = {1, 0.994, 0.99, 1, 0.994, 1},
                                               .memory        = 1.2,
                                               .cache         = 1.08,
                                               .slices        = 4.13,
                                               .slice_bytes   = 0.447,
                                               .slice         = 2.28e-10,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{
    TileRates{0.385, 0.542, 8030, 1.81}, TileRates{0.277, 0.553, 8950, 4.13}, TileRates{0.072, 0.631, 3380, 3.59}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.0402, 0.013, 0.233, 0.241},
                                                .stored        = {1, 2.72, 1, 1, 0.717, 2.16},
                                                .walked        = {0.00611, 0.0412, 0.22, 0.22, 0.00901, 0.279},
                                                .results       = {1, 0.444, 1, 1, 0.621, 0.422},
                                                .memory        = 0.587,
                                                .cache         = 0.434,
                                                .slices        = 1.99,
                                                .slice_bytes   = 0.101,
                                                .slice         = 9.99e-10,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{0.496, 0.708, 4590, 2.51}, TileRates{0.434, 0.639, 6380, 2.36}, TileRates{0.142, 6.28, 2270, 1.93}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0148, 0.00561, 0.328, 0.473},
                                                 .stored        = {1, 4.55, 1, 1, 0.398, 6},
                                                 .walked        = {0.0081, 0.0813, 0.22, 0.22, 0.0884, 0.0519},
                                                 .results       = {1, 0.295, 1, 1, 0.34, 1.02},
                                                 .memory        = 0.4,
                                                 .cache         = 0.31,
                                                 .slices        = 2.75,
                                                 .slice_bytes   = 0.332,
                                                 .slice         = 8.58e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
