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
inline constexpr std::array portable_half_rates{TileRates{0.94, 0.789, 5160, 3.67}, TileRates{0.955, 0.982, 4470, 4.66},
                                                TileRates{0.167, 0.89, 3360, 6.58}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0363, 0.0398, 0.0364, 0.0416},
                                               .missed        = {0.96, 0.31, 0.253, 0.668},
                                               .waiting       = 5.28,
                                               .exposed       = 3.92,
                                               .uneven        = 0.26,
                                               .stored        = {1, 5.53, 1.23, 6.9},
                                               .walked        = {0.407, 0.0868, 0.582, 0.146},
                                               .results       = {1, 0.0598, 0.55, 1.78},
                                               .memory        = 0.67,
                                               .cache         = 0.866,
                                               .apart         = 1.54,
                                               .added         = 7.68e-07,
                                               .biased        = 8.64e-07,
                                               .slices        = 3.43,
                                               .slice_bytes   = 0.192,
                                               .slice         = 9.31e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{6.2, 0.739, 6360, 2.4}, TileRates{3.84, 0.731, 5050, 3.12},
                                                 TileRates{1.35, 0.629, 4160, 6.23}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00342, 0.00277, 0.0104, 0.0118},
                                                .missed        = {0.523, 0.747, 0.62, 1},
                                                .waiting       = 15.4,
                                                .exposed       = 12.9,
                                                .uneven        = 0.209,
                                                .stored        = {1, 2.83, 1.06, 3.1},
                                                .walked        = {0.169, 0.0748, 0.261, 0.0255},
                                                .results       = {1, 1.29, 0.0691, 0.168},
                                                .memory        = 2.94,
                                                .cache         = 1.02,
                                                .apart         = 0.299,
                                                .added         = 4.33e-07,
                                                .biased        = 7.61e-07,
                                                .slices        = 3.89,
                                                .slice_bytes   = 0.186,
                                                .slice         = 1.65e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{1.1, 0.855, 4210, 3.15}, TileRates{0.958, 0.809, 5160, 3.83}, TileRates{0.297, 0.937, 3660, 4.77}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0258, 0.023, 0.0532, 0.0687},
                                                 .missed        = {0.239, 0.33, 0.597, 0.747},
                                                 .waiting       = 4.38,
                                                 .exposed       = 4.19,
                                                 .uneven        = 0.265,
                                                 .stored        = {1, 5.56, 1.09, 5.85},
                                                 .walked        = {0.492, 0.0191, 0.723, 0.077},
                                                 .results       = {1, 0.469, 0.146, 0.391},
                                                 .memory        = 1.9,
                                                 .cache         = 0.583,
                                                 .apart         = 0.309,
                                                 .added         = 7.11e-07,
                                                 .biased        = 8.39e-07,
                                                 .slices        = 4.12,
                                                 .slice_bytes   = 0.533,
                                                 .slice         = 6.11e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
