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
inline constexpr std::array portable_half_rates{TileRates{0.906, 0.632, 8960, 2.08}, TileRates{1.15, 0.741, 7000, 3.01},
                                                TileRates{0.147, 0.745, 5610, 4.31}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0331, 0.042, 0.0444, 0.0403},
                                               .missed        = {0.993, 0.298, 0.131, 0.659},
                                               .waiting       = 6.15,
                                               .exposed       = 4.7,
                                               .stored        = {1, 3.88, 1.39, 9.46, 0.849, 5.99},
                                               .walked        = {0.0929, 0.201, 0.0517, 0.745, 0.0455, 0.078},
                                               .results       = {1, 0.328, 0.41, 1.02, 0.661, 1.19},
                                               .memory        = 0.129,
                                               .cache         = 0.891,
                                               .slices        = 4.84,
                                               .slice_bytes   = 0.19,
                                               .slice         = 1.26e-08,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{3.71, 0.64, 11000, 2.58}, TileRates{2.25, 0.671, 7750, 3.54},
                                                 TileRates{0.511, 0.592, 4550, 13.8}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00954, 0.00399, 0.0198, 0.019},
                                                .missed        = {0.347, 1, 0.747, 1},
                                                .waiting       = 21.6,
                                                .exposed       = 6.57,
                                                .stored        = {1, 2.37, 1, 1, 0.957, 3.62},
                                                .walked        = {0.0916, 0.114, 0.22, 0.22, 0.0205, 0.0529},
                                                .results       = {1, 2.58, 1, 1, 0.128, 1.02},
                                                .memory        = 0.798,
                                                .cache         = 1.14,
                                                .slices        = 5.07,
                                                .slice_bytes   = 0.174,
                                                .slice         = 3.34e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{0.858, 0.771, 7800, 4.3}, TileRates{0.619, 0.748, 7090, 5.09}, TileRates{0.208, 1.52, 5600, 4.61}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0278, 0.0216, 0.0566, 0.0722},
                                                 .missed        = {0.233, 0.34, 0.828, 1},
                                                 .waiting       = 4.21,
                                                 .exposed       = 4.98,
                                                 .stored        = {1, 7.74, 1, 1, 0.643, 10.4},
                                                 .walked        = {0.0269, 0.0726, 0.22, 0.22, 0.252, 0.0581},
                                                 .results       = {1, 0.34, 1, 1, 0.222, 2.35},
                                                 .memory        = 0.58,
                                                 .cache         = 0.503,
                                                 .slices        = 4.4,
                                                 .slice_bytes   = 0.34,
                                                 .slice         = 1.17e-08,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
