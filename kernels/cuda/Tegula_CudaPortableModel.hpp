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
inline constexpr std::array portable_half_rates{
    TileRates{0.766, 0.595, 8380, 2.73}, TileRates{0.576, 0.762, 6820, 3.73}, TileRates{0.129, 0.56, 5480, 8.05}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0332, 0.0669, 0.0572, 0.0537},
                                               .missed        = {1, 0.257, 0.254, 0.617},
                                               .waiting       = 8.76,
                                               .exposed       = 2.29,
                                               .stored        = {1, 5.72, 1.96, 11, 0.97, 8.21},
                                               .walked        = {0.33, 0.359, 0.148, 0.711, 0.21, 0.0813},
                                               .results       = {1, 0.2, 0.329, 1.01, 0.394, 0.931},
                                               .memory        = 0.118,
                                               .cache         = 0.781,
                                               .slices        = 3.82,
                                               .slice_bytes   = 0.145,
                                               .slice         = 1.8e-08,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{2.41, 0.619, 9210, 2.37}, TileRates{1.71, 0.652, 8460, 4.02},
                                                 TileRates{0.396, 0.619, 5650, 6.01}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.0104, 0.0065, 0.0283, 0.0304},
                                                .missed        = {0.425, 0.865, 0.377, 0.501},
                                                .waiting       = 17.1,
                                                .exposed       = 5.29,
                                                .stored        = {1, 3.29, 1, 1, 0.923, 2.98},
                                                .walked        = {0.143, 0.162, 0.22, 0.22, 0.0161, 0.231},
                                                .results       = {1, 0.453, 1, 1, 0.387, 0.517},
                                                .memory        = 0.626,
                                                .cache         = 2.05,
                                                .slices        = 3.49,
                                                .slice_bytes   = 0.174,
                                                .slice         = 4.91e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{0.862, 0.814, 7320, 2.5}, TileRates{0.691, 0.775, 7660, 3.14}, TileRates{0.218, 1.55, 5620, 3.16}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0282, 0.0266, 0.0499, 0.0692},
                                                 .missed        = {0.37, 0.224, 0.681, 0.947},
                                                 .waiting       = 4.11,
                                                 .exposed       = 5.86,
                                                 .stored        = {1, 4.91, 1, 1, 0.73, 6.59},
                                                 .walked        = {0.0293, 0.102, 0.22, 0.22, 0.073, 0.0488},
                                                 .results       = {1, 0.251, 1, 1, 0.299, 1.94},
                                                 .memory        = 0.435,
                                                 .cache         = 0.513,
                                                 .slices        = 4.06,
                                                 .slice_bytes   = 0.398,
                                                 .slice         = 1.05e-08,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
