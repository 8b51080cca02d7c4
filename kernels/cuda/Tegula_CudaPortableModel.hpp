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
inline constexpr std::array portable_half_rates{TileRates{1.1, 0.863, 4830, 4.71}, TileRates{1.02, 0.941, 3650, 6.17},
                                                TileRates{0.194, 0.794, 2510, 8.14}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.034, 0.0381, 0.0309, 0.0397},
                                               .missed        = {0.921, 0.173, 0.139, 0.625},
                                               .waiting       = 7.19,
                                               .exposed       = 2.3,
                                               .uneven        = 0.638,
                                               .stored        = {1, 5.97, 1.2, 5.17},
                                               .walked        = {0.196, 0.0459, 0.09, 0.226},
                                               .results       = {1, 0.288, 1.26, 3.34},
                                               .memory        = 0.281,
                                               .cache         = 0.919,
                                               .apart         = 0.623,
                                               .added         = 5.78e-07,
                                               .biased        = 8.93e-07,
                                               .slices        = 3.16,
                                               .slice_bytes   = 0.836,
                                               .slice         = 7.56e-09,
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
                                                .missed        = {0.641, 0.663, 0.453, 0.659},
                                                .waiting       = 14.5,
                                                .exposed       = 11.3,
                                                .uneven        = 0.258,
                                                .stored        = {1, 2.99, 1.09, 3.79},
                                                .walked        = {0.535, 0.336, 0.78, 0.136},
                                                .results       = {1, 1.97, 0.0653, 0.4},
                                                .memory        = 1.72,
                                                .cache         = 0.723,
                                                .apart         = 0.382,
                                                .added         = 6.17e-07,
                                                .biased        = 8.74e-07,
                                                .slices        = 3.48,
                                                .slice_bytes   = 0.821,
                                                .slice         = 4.02e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{TileRates{1.12, 0.858, 3910, 3.47},
                                                  TileRates{0.964, 0.807, 4940, 4.3}, TileRates{0.3, 0.93, 3620, 5.49}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.025, 0.0233, 0.0535, 0.0723},
                                                 .missed        = {0.244, 0.355, 0.638, 0.742},
                                                 .waiting       = 4.63,
                                                 .exposed       = 3.85,
                                                 .uneven        = 0.278,
                                                 .stored        = {1, 5.69, 1.14, 5.76},
                                                 .walked        = {0.679, 0.0472, 0.954, 0.199},
                                                 .results       = {1, 1.3, 0.397, 1.47},
                                                 .memory        = 2.41,
                                                 .cache         = 0.576,
                                                 .apart         = 0.397,
                                                 .added         = 8.15e-07,
                                                 .biased        = 8.26e-07,
                                                 .slices        = 3.9,
                                                 .slice_bytes   = 2.37,
                                                 .slice         = 6.8e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
