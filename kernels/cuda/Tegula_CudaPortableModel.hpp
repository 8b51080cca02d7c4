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
inline constexpr std::array portable_half_rates{TileRates{0.926, 0.63, 9040, 2.1}, TileRates{1.12, 0.738, 6940, 2.98},
                                                TileRates{0.148, 0.737, 5590, 4.32}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0336, 0.0418, 0.0435, 0.0398},
                                               .missed        = {1, 0.306, 0.135, 0.663},
                                               .waiting       = 6.44,
                                               .exposed       = 4.57,
                                               .uneven        = 0.3,
                                               .stored        = {1, 3.89, 1.39, 9.33, 0.854, 6},
                                               .walked        = {0.0944, 0.201, 0.0517, 0.738, 0.0457, 0.0779},
                                               .results       = {1, 0.328, 0.41, 1.02, 0.646, 1.19},
                                               .memory        = 0.128,
                                               .cache         = 0.891,
                                               .slices        = 4.76,
                                               .slice_bytes   = 0.185,
                                               .slice         = 1.26e-08,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{3.37, 0.61, 9960, 2.39}, TileRates{2.1, 0.652, 7510, 2.84},
                                                 TileRates{0.42, 0.613, 4570, 21.2}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00971, 0.00312, 0.0133, 0.0205},
                                                .missed        = {0.313, 1, 0.93, 0.843},
                                                .waiting       = 25.3,
                                                .exposed       = 6.07,
                                                .uneven        = 0.3,
                                                .stored        = {1, 1.95, 1, 1, 1.39, 3.28},
                                                .walked        = {0.0788, 0.119, 0.22, 0.22, 0.0208, 0.0532},
                                                .results       = {1, 2.29, 1, 1, 0.129, 2.04},
                                                .memory        = 0.643,
                                                .cache         = 0.836,
                                                .slices        = 5.34,
                                                .slice_bytes   = 0.184,
                                                .slice         = 3.9e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{0.861, 0.783, 7550, 3.56}, TileRates{0.693, 0.749, 7620, 4.3}, TileRates{0.221, 1.16, 5580, 4.28}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0285, 0.0243, 0.0526, 0.0708},
                                                 .missed        = {0.237, 0.332, 0.757, 0.95},
                                                 .waiting       = 4.04,
                                                 .exposed       = 5.32,
                                                 .uneven        = 0.3,
                                                 .stored        = {1, 6.53, 1, 1, 0.877, 9.38},
                                                 .walked        = {0.0262, 0.0724, 0.22, 0.22, 0.291, 0.058},
                                                 .results       = {1, 0.339, 1, 1, 0.245, 2.19},
                                                 .memory        = 0.509,
                                                 .cache         = 0.536,
                                                 .slices        = 4.46,
                                                 .slice_bytes   = 0.376,
                                                 .slice         = 1.15e-08,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
