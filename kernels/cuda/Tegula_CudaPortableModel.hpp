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
inline constexpr std::array portable_half_rates{TileRates{0.341, 0.507, 3.71e+03, 1.98},
                                                TileRates{0.208, 0.722, 5.54e+03, 3.03},
                                                TileRates{0.0599, 1.31, 2.04e+03, 2.25}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.232, 0.121, 0.0219, 0.08},
                                               .stored        = {1, 3.91, 0.231, 6.86, 0.828, 3.93},
                                               .walked        = {0.289, 0.366, 1.43, 0.504, 0.103, 0.327},
                                               .results       = {1, 0.279, 0.565, 1, 0.316, 0.755},
                                               .memory        = 0.133,
                                               .cache         = 0.127,
                                               .slices        = 1.44,
                                               .slice_bytes   = 0.128,
                                               .slice         = 6.65e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.741};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{0.41, 0.548, 7.38e+03, 1.62},
                                                 TileRates{0.377, 0.681, 9.98e+03, 4.32},
                                                 TileRates{0.0937, 0.678, 4.66e+03, 3.54}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.0282, 0.00784, 0.267, 0.485},
                                                .stored        = {1, 2.47, 1, 1, 0.555, 2.48},
                                                .walked        = {0.0105, 0.0191, 0.223, 0.223, 0.148, 0.157},
                                                .results       = {1, 0.48, 1, 1, 0.455, 0.444},
                                                .memory        = 0.611,
                                                .cache         = 0.351,
                                                .slices        = 1.95,
                                                .slice_bytes   = 0.202,
                                                .slice         = 2.23e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.741};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{TileRates{0.522, 0.752, 4.73e+03, 3.14},
                                                  TileRates{0.445, 0.627, 6.2e+03, 3.09},
                                                  TileRates{0.16, 29.8, 3.96e+03, 2.76}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0117, 0.0029, 0.545, 0.609},
                                                 .stored        = {1, 5.32, 1, 1, 0.544, 17.4},
                                                 .walked        = {0.054, 0.209, 0.223, 0.223, 0.192, 0.0353},
                                                 .results       = {1, 0.252, 1, 1, 0.286, 1.23},
                                                 .memory        = 0.372,
                                                 .cache         = 0.373,
                                                 .slices        = 1.7,
                                                 .slice_bytes   = 0.338,
                                                 .slice         = 1.2e-08,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.741};

}  // namespace Tegula::Impl

#endif
