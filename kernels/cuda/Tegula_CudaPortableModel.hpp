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
inline constexpr std::array portable_half_rates{TileRates{1.05, 0.91, 4730, 4.51}, TileRates{0.95, 1.04, 3580, 5.91},
                                                TileRates{0.191, 0.93, 2480, 7.89}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0371, 0.0399, 0.0333, 0.0421},
                                               .missed        = {0.891, 0.175, 0.129, 0.636},
                                               .waiting       = 5.15,
                                               .exposed       = 2.78,
                                               .uneven        = 0.668,
                                               .stored        = {1, 5.65, 1.1, 5.02},
                                               .walked        = {0.176, 0.0465, 0.0903, 0.21},
                                               .results       = {1, 0.304, 1.27, 3.25},
                                               .memory        = 0.282,
                                               .cache         = 0.916,
                                               .apart         = 0.628,
                                               .added         = 5.73e-07,
                                               .biased        = 8.97e-07,
                                               .slices        = 3.17,
                                               .slice_bytes   = 0.896,
                                               .slice         = 7.62e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{5.58, 0.764, 4470, 3.16}, TileRates{3.47, 0.759, 4430, 4.26},
                                                 TileRates{1.25, 0.67, 3870, 7.52}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00345, 0.00335, 0.0104, 0.0139},
                                                .missed        = {0.64, 0.662, 0.452, 0.659},
                                                .waiting       = 14.5,
                                                .exposed       = 11.3,
                                                .uneven        = 0.258,
                                                .stored        = {1, 2.99, 1.09, 3.79},
                                                .walked        = {0.536, 0.335, 0.78, 0.136},
                                                .results       = {1, 1.96, 0.0653, 0.4},
                                                .memory        = 1.72,
                                                .cache         = 0.722,
                                                .apart         = 0.381,
                                                .added         = 6.18e-07,
                                                .biased        = 8.74e-07,
                                                .slices        = 3.48,
                                                .slice_bytes   = 0.821,
                                                .slice         = 4.03e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{1.13, 0.859, 3910, 3.46}, TileRates{0.968, 0.807, 4940, 4.28}, TileRates{0.301, 0.93, 3620, 5.47}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0251, 0.0234, 0.0535, 0.0722},
                                                 .missed        = {0.244, 0.354, 0.64, 0.743},
                                                 .waiting       = 4.64,
                                                 .exposed       = 3.86,
                                                 .uneven        = 0.278,
                                                 .stored        = {1, 5.68, 1.13, 5.74},
                                                 .walked        = {0.676, 0.0473, 0.953, 0.198},
                                                 .results       = {1, 1.31, 0.403, 1.48},
                                                 .memory        = 2.36,
                                                 .cache         = 0.576,
                                                 .apart         = 0.387,
                                                 .added         = 8.14e-07,
                                                 .biased        = 8.27e-07,
                                                 .slices        = 3.9,
                                                 .slice_bytes   = 2.38,
                                                 .slice         = 6.82e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
