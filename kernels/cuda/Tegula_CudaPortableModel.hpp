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
inline constexpr std::array portable_half_rates{TileRates{1.03, 0.892, 4880, 4.4}, TileRates{0.931, 1.03, 3700, 5.79},
                                                TileRates{0.184, 0.934, 2530, 7.64}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.037, 0.0398, 0.0333, 0.0421},
                                               .missed        = {0.891, 0.175, 0.129, 0.634},
                                               .waiting       = 5.23,
                                               .exposed       = 2.84,
                                               .uneven        = 0.618,
                                               .stored        = {1, 5.58, 1.12, 5},
                                               .walked        = {0.175, 0.0465, 0.0902, 0.21},
                                               .results       = {1, 0.3, 1.24, 3.23},
                                               .memory        = 0.28,
                                               .cache         = 0.915,
                                               .apart         = 0.628,
                                               .added         = 5.8e-07,
                                               .biased        = 8.96e-07,
                                               .slices        = 3.17,
                                               .slice_bytes   = 0.887,
                                               .slice         = 7.61e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{5.55, 0.762, 4560, 3.18}, TileRates{3.46, 0.757, 4470, 4.29},
                                                 TileRates{1.24, 0.668, 3890, 7.62}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00347, 0.00336, 0.0105, 0.014},
                                                .missed        = {0.637, 0.661, 0.454, 0.659},
                                                .waiting       = 14.4,
                                                .exposed       = 11.3,
                                                .uneven        = 0.253,
                                                .stored        = {1, 3.02, 1.1, 3.81},
                                                .walked        = {0.532, 0.331, 0.773, 0.135},
                                                .results       = {1, 1.92, 0.0653, 0.399},
                                                .memory        = 1.71,
                                                .cache         = 0.728,
                                                .apart         = 0.384,
                                                .added         = 6.17e-07,
                                                .biased        = 8.75e-07,
                                                .slices        = 3.49,
                                                .slice_bytes   = 0.813,
                                                .slice         = 4.02e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{1.1, 0.855, 3970, 3.43}, TileRates{0.943, 0.803, 4990, 4.25}, TileRates{0.295, 0.922, 3650, 5.44}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0248, 0.0231, 0.0532, 0.0722},
                                                 .missed        = {0.241, 0.347, 0.643, 0.746},
                                                 .waiting       = 4.57,
                                                 .exposed       = 3.89,
                                                 .uneven        = 0.269,
                                                 .stored        = {1, 5.66, 1.12, 5.74},
                                                 .walked        = {0.664, 0.0472, 0.934, 0.197},
                                                 .results       = {1, 1.32, 0.402, 1.48},
                                                 .memory        = 2.4,
                                                 .cache         = 0.578,
                                                 .apart         = 0.379,
                                                 .added         = 8.11e-07,
                                                 .biased        = 8.3e-07,
                                                 .slices        = 3.92,
                                                 .slice_bytes   = 2.35,
                                                 .slice         = 6.82e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
