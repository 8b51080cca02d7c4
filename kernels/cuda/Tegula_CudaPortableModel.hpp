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
inline constexpr std::array portable_half_rates{TileRates{1.01, 0.844, 6550, 4.3}, TileRates{0.911, 1.14, 5060, 5.46},
                                                TileRates{0.168, 1.21, 3980, 7.26}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0337, 0.0447, 0.0416, 0.041},
                                               .missed        = {1, 0.359, 0.209, 0.709},
                                               .waiting       = 4.31,
                                               .exposed       = 4.36,
                                               .uneven        = 0.298,
                                               .stored        = {1, 6.92, 1.68, 10.1, 0.849, 8.76},
                                               .walked        = {0.245, 0.309, 0.13, 0.875, 0.636, 0.206},
                                               .results       = {1, 0.0779, 1.02, 5.44, 0.535, 0.79},
                                               .memory        = 0.48,
                                               .cache         = 0.949,
                                               .apart         = 1.18,
                                               .slices        = 3.58,
                                               .slice_bytes   = 0.172,
                                               .slice         = 1.62e-08,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{4.31, 0.694, 7700, 2.67}, TileRates{2.68, 0.721, 5710, 3.9},
                                                 TileRates{0.736, 0.634, 4520, 7.91}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00522, 0.00378, 0.0131, 0.0203},
                                                .missed        = {0.446, 0.863, 0.965, 0.875},
                                                .waiting       = 19.9,
                                                .exposed       = 8.38,
                                                .uneven        = 0.133,
                                                .stored        = {1, 2.56, 1, 1, 0.856, 3.58},
                                                .walked        = {0.162, 0.25, 0.22, 0.22, 0.366, 0.233},
                                                .results       = {1, 1.86, 1, 1, 0.0175, 0.196},
                                                .memory        = 2.36,
                                                .cache         = 0.776,
                                                .apart         = 0.773,
                                                .slices        = 3.82,
                                                .slice_bytes   = 0.16,
                                                .slice         = 2.76e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{2.48, 0.808, 5610, 3.2}, TileRates{0.898, 0.774, 5780, 3.75}, TileRates{0.29, 0.914, 4230, 4.19}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0213, 0.0187, 0.0532, 0.0719},
                                                 .missed        = {0.299, 0.276, 0.692, 0.977},
                                                 .waiting       = 5.32,
                                                 .exposed       = 3.54,
                                                 .uneven        = 0.296,
                                                 .stored        = {1, 5.35, 1, 1, 0.529, 7.49},
                                                 .walked        = {0.102, 0.0705, 0.22, 0.22, 0.468, 0.0551},
                                                 .results       = {1, 0.14, 1, 1, 0.241, 0.416},
                                                 .memory        = 0.994,
                                                 .cache         = 0.552,
                                                 .apart         = 0.206,
                                                 .slices        = 4.29,
                                                 .slice_bytes   = 0.556,
                                                 .slice         = 6.67e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
