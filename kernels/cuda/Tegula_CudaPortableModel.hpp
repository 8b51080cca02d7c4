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
inline constexpr std::array portable_half_rates{TileRates{1.01, 0.846, 6520, 4.29}, TileRates{0.908, 1.14, 5030, 5.44},
                                                TileRates{0.168, 1.22, 3970, 7.23}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0335, 0.0448, 0.0417, 0.0409},
                                               .missed        = {1, 0.357, 0.203, 0.709},
                                               .waiting       = 4.3,
                                               .exposed       = 4.37,
                                               .uneven        = 0.299,
                                               .stored        = {1, 6.91, 1.68, 10.1, 0.848, 8.74},
                                               .walked        = {0.241, 0.309, 0.131, 0.881, 0.637, 0.207},
                                               .results       = {1, 0.0783, 1.02, 5.49, 0.535, 0.787},
                                               .memory        = 0.479,
                                               .cache         = 0.948,
                                               .apart         = 1.18,
                                               .slices        = 3.59,
                                               .slice_bytes   = 0.172,
                                               .slice         = 1.63e-08,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{4.34, 0.699, 7700, 2.72}, TileRates{2.71, 0.718, 5670, 3.99},
                                                 TileRates{0.741, 0.641, 4500, 7.74}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00528, 0.00377, 0.0131, 0.0195},
                                                .missed        = {0.439, 0.87, 0.98, 0.907},
                                                .waiting       = 19.6,
                                                .exposed       = 8.47,
                                                .uneven        = 0.134,
                                                .stored        = {1, 2.68, 1, 1, 0.696, 3.74},
                                                .walked        = {0.186, 0.255, 0.22, 0.22, 0.488, 0.231},
                                                .results       = {1, 1.92, 1, 1, 0.0175, 0.198},
                                                .memory        = 2.53,
                                                .cache         = 0.757,
                                                .apart         = 0.721,
                                                .slices        = 3.94,
                                                .slice_bytes   = 0.161,
                                                .slice         = 2.84e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{2.44, 0.798, 5690, 3.33}, TileRates{0.879, 0.765, 5940, 3.61}, TileRates{0.278, 0.9, 4260, 4.2}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0201, 0.0171, 0.0539, 0.0745},
                                                 .missed        = {0.287, 0.292, 0.729, 0.996},
                                                 .waiting       = 5.24,
                                                 .exposed       = 3.42,
                                                 .uneven        = 0.287,
                                                 .stored        = {1, 5.39, 1, 1, 0.465, 7.62},
                                                 .walked        = {0.119, 0.0697, 0.22, 0.22, 0.566, 0.0551},
                                                 .results       = {1, 0.142, 1, 1, 0.239, 0.419},
                                                 .memory        = 1.13,
                                                 .cache         = 0.55,
                                                 .apart         = 0.181,
                                                 .slices        = 4.37,
                                                 .slice_bytes   = 0.523,
                                                 .slice         = 6.66e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
