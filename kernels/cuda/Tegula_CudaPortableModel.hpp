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
inline constexpr std::array portable_half_rates{
    TileRates{0.796, 0.557, 9060, 2.75}, TileRates{0.663, 0.602, 7010, 4.22}, TileRates{0.12, 0.469, 5020, 8.77}};
static_assert(portable_half_rates.size() == portable_half_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_half_model{.choices       = portable_half_choices,
                                               .rates         = portable_half_rates,
                                               .multiply_adds = &CudaRates::fma_float,
                                               .element_bytes = 2,
                                               .sum_bytes     = sizeof(float),
                                               .shortest      = 64,
                                               .fetched       = {0.0399, 0.0675, 0.0503, 0.0553},
                                               .missed        = {1, 0.38, 0.263, 0.568},
                                               .waiting       = 9.01,
                                               .exposed       = 2.37,
                                               .stored        = {1, 6.02, 2, 11.6, 0.886, 7.44},
                                               .walked        = {0.299, 0.382, 0.152, 0.734, 0.202, 0.0818},
                                               .results       = {1, 0.199, 0.331, 1.01, 0.396, 0.934},
                                               .memory        = 0.129,
                                               .cache         = 0.78,
                                               .slices        = 3.86,
                                               .slice_bytes   = 0.188,
                                               .slice         = 1.54e-08,
                                               .copy          = 1,
                                               .copy_bytes    = 0.74};

inline constexpr auto portable_float_choices = portable_cuda_choices<float>();
inline constexpr std::array portable_float_rates{TileRates{2.46, 0.555, 8780, 2.38}, TileRates{1.61, 0.593, 8660, 4.24},
                                                 TileRates{0.353, 0.548, 5230, 6.84}};
static_assert(portable_float_rates.size() == portable_float_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_float_model{.choices       = portable_float_choices,
                                                .rates         = portable_float_rates,
                                                .multiply_adds = &CudaRates::fma_float,
                                                .element_bytes = sizeof(float),
                                                .sum_bytes     = sizeof(float),
                                                .shortest      = 64,
                                                .fetched       = {0.00805, 0.00717, 0.0228, 0.0336},
                                                .missed        = {0.694, 0.698, 0.422, 0.512},
                                                .waiting       = 17.5,
                                                .exposed       = 5.26,
                                                .stored        = {1, 3.78, 1, 1, 1, 2.67},
                                                .walked        = {0.103, 0.185, 0.22, 0.22, 0.0166, 0.256},
                                                .results       = {1, 0.457, 1, 1, 0.396, 0.509},
                                                .memory        = 0.6,
                                                .cache         = 1.97,
                                                .slices        = 3.95,
                                                .slice_bytes   = 0.204,
                                                .slice         = 5.05e-09,
                                                .copy          = 1,
                                                .copy_bytes    = 0.74};

inline constexpr auto portable_double_choices = portable_cuda_choices<double>();
inline constexpr std::array portable_double_rates{
    TileRates{0.816, 0.791, 7990, 2.63}, TileRates{0.696, 0.726, 8070, 3.46}, TileRates{0.204, 1.09, 4640, 3.41}};
static_assert(portable_double_rates.size() == portable_double_choices.size(), "every configuration has rates");
inline constexpr TileModel portable_double_model{.choices       = portable_double_choices,
                                                 .rates         = portable_double_rates,
                                                 .multiply_adds = &CudaRates::fma_double,
                                                 .element_bytes = sizeof(double),
                                                 .sum_bytes     = sizeof(double),
                                                 .shortest      = 64,
                                                 .fetched       = {0.0269, 0.0267, 0.0523, 0.0713},
                                                 .missed        = {0.414, 0.243, 0.927, 1},
                                                 .waiting       = 3.15,
                                                 .exposed       = 5.97,
                                                 .stored        = {1, 5.64, 1, 1, 0.593, 7.45},
                                                 .walked        = {0.0295, 0.103, 0.22, 0.22, 0.0714, 0.049},
                                                 .results       = {1, 0.252, 1, 1, 0.307, 1.88},
                                                 .memory        = 0.427,
                                                 .cache         = 0.517,
                                                 .slices        = 5.13,
                                                 .slice_bytes   = 0.525,
                                                 .slice         = 8.78e-09,
                                                 .copy          = 1,
                                                 .copy_bytes    = 0.74};

}  // namespace Tegula::Impl

#endif
