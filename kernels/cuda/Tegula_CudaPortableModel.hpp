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
inline constexpr std::array portable_half_rates{TileRates{1.18, 0.918, 4690, 5.09}, TileRates{1.18, 1.07, 3600, 6.71},
                                                TileRates{0.203, 1, 2480, 8.8}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0375, 0.0411, 0.0343, 0.0427},
                                               .missed        = {0.912, 0.254, 0.211, 0.652},
                                               .waiting       = 5.42,
                                               .exposed       = 2.92,
                                               .uneven        = 0.643,
                                               .stored        = {1, 6.54, 1.25, 5.19},
                                               .walked        = {0.273, 0.0523, 0.131, 0.345},
                                               .results       = {1, 0.26, 1.25, 3.38},
                                               .memory        = 0.295,
                                               .cache         = 0.965,
                                               .apart         = 0.687,
                                               .added         = 5.81e-07,
                                               .biased        = 8.94e-07,
                                               .activated     = 0.19,
                                               .kept          = 0.00581,
                                               .slices        = 3.04,
                                               .slice_bytes   = 0.781,
                                               .slice         = 7.79e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{5.58, 0.764, 4470, 3.16}, TileRates{3.47, 0.759, 4430, 4.26},
                                                 TileRates{1.25, 0.669, 3870, 7.53}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00344, 0.00335, 0.0104, 0.0139},
                                                .missed        = {0.641, 0.662, 0.453, 0.659},
                                                .waiting       = 14.5,
                                                .exposed       = 11.3,
                                                .uneven        = 0.258,
                                                .stored        = {1, 2.98, 1.09, 3.79},
                                                .walked        = {0.535, 0.336, 0.78, 0.136},
                                                .results       = {1, 1.97, 0.0653, 0.4},
                                                .memory        = 1.72,
                                                .cache         = 0.723,
                                                .apart         = 0.382,
                                                .added         = 6.17e-07,
                                                .biased        = 8.74e-07,
                                                .activated     = 0.359,
                                                .kept          = 0.241,
                                                .slices        = 3.48,
                                                .slice_bytes   = 0.821,
                                                .slice         = 4.03e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{1.12, 0.858, 3910, 3.47}, TileRates{0.962, 0.807, 4940, 4.3}, TileRates{0.3, 0.929, 3620, 5.48}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.025, 0.0233, 0.0535, 0.0723},
                                                 .missed        = {0.241, 0.352, 0.638, 0.742},
                                                 .waiting       = 4.63,
                                                 .exposed       = 3.85,
                                                 .uneven        = 0.278,
                                                 .stored        = {1, 5.69, 1.14, 5.76},
                                                 .walked        = {0.679, 0.0474, 0.954, 0.199},
                                                 .results       = {1, 1.3, 0.396, 1.47},
                                                 .memory        = 2.41,
                                                 .cache         = 0.576,
                                                 .apart         = 0.397,
                                                 .added         = 8.14e-07,
                                                 .biased        = 8.26e-07,
                                                 .activated     = 0.864,
                                                 .kept          = 0.0824,
                                                 .slices        = 3.9,
                                                 .slice_bytes   = 2.37,
                                                 .slice         = 6.8e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
