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
inline constexpr std::array portable_half_rates{TileRates{1.03, 0.926, 5270, 4.37}, TileRates{0.986, 1.3, 4020, 5.59},
                                                TileRates{0.177, 1.56, 2760, 7.51}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0394, 0.0421, 0.038, 0.0449},
                                               .missed        = {0.899, 0.294, 0.193, 0.642},
                                               .waiting       = 3.75,
                                               .exposed       = 4.33,
                                               .uneven        = 0.46,
                                               .stored        = {1, 6.23, 1.49, 7.07},
                                               .walked        = {0.252, 0.032, 0.145, 0.127},
                                               .results       = {1, 0.0927, 0.83, 1.75},
                                               .memory        = 0.526,
                                               .cache         = 0.839,
                                               .apart         = 1.34,
                                               .added         = 6.28e-07,
                                               .biased        = 9.06e-07,
                                               .slices        = 3.25,
                                               .slice_bytes   = 0.19,
                                               .slice         = 9.93e-09,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{6.93, 0.757, 5380, 2.39}, TileRates{4.86, 0.747, 4850, 3.26},
                                                 TileRates{1.46, 0.649, 4040, 7.11}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00303, 0.00249, 0.01, 0.0137},
                                                .missed        = {0.546, 0.752, 0.584, 1},
                                                .waiting       = 15.8,
                                                .exposed       = 13.6,
                                                .uneven        = 0.255,
                                                .stored        = {1, 2.64, 1.04, 3.03},
                                                .walked        = {0.269, 0.152, 0.37, 0.0624},
                                                .results       = {1, 1.34, 0.0792, 0.169},
                                                .memory        = 3.31,
                                                .cache         = 0.838,
                                                .apart         = 0.235,
                                                .added         = 4.99e-07,
                                                .biased        = 6.3e-07,
                                                .slices        = 3.97,
                                                .slice_bytes   = 0.195,
                                                .slice         = 1.52e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{1.09, 0.856, 4070, 3.22}, TileRates{0.933, 0.807, 5050, 3.94}, TileRates{0.293, 0.933, 3640, 4.95}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0253, 0.0226, 0.0534, 0.0699},
                                                 .missed        = {0.245, 0.325, 0.603, 0.746},
                                                 .waiting       = 4.35,
                                                 .exposed       = 4.09,
                                                 .uneven        = 0.272,
                                                 .stored        = {1, 5.81, 1.07, 6.04},
                                                 .walked        = {0.563, 0.0245, 0.822, 0.0988},
                                                 .results       = {1, 0.379, 0.385, 0.359},
                                                 .memory        = 1.86,
                                                 .cache         = 0.578,
                                                 .apart         = 0.296,
                                                 .added         = 7.37e-07,
                                                 .biased        = 7.99e-07,
                                                 .slices        = 4.09,
                                                 .slice_bytes   = 0.527,
                                                 .slice         = 6.06e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
