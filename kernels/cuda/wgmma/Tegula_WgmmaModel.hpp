// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H100; rates of tiles of four teams to
/// those of an H200, and others moved towards them; `apart` and `scattered` set by hand (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr std::array wgmma_rates{
    TileRates{1.18, 1.91, 98.8, 1840}, TileRates{1.09, 4.64, 26.1, 2220},  TileRates{1.42, 1.81, 866, 1460},
    TileRates{2.23, 1.43, 561, 2160},  TileRates{3.36, 0.964, 3.27, 1000}, TileRates{1.31, 1.92, 130, 2030},
    TileRates{2.3, 1.26, 416, 1670},   TileRates{1.57, 1.82, 365, 2250},   TileRates{2.23, 1.8, 807, 2380},
    TileRates{2.42, 1.52, 492, 1270},  TileRates{13.3, 1.11, 132, 653},    TileRates{1.56, 1.28, 14, 1290},
    TileRates{13.3, 0.925, 340, 670},  TileRates{3.36, 1.31, 366, 1210},   TileRates{3.36, 0.973, 341, 930},
    TileRates{3.36, 1.33, 1390, 2010}, TileRates{13.3, 1.05, 668, 1180},   TileRates{13.3, 0.75, 1010, 906},
    TileRates{13.3, 1.29, 1170, 1120}, TileRates{3.36, 1.31, 295, 1380},   TileRates{13.3, 1.66, 762, 1210}};
static_assert(wgmma_rates.size() == wgmma_choices.size(), "every configuration has rates");
inline constexpr TileModel wgmma_model{.choices            = wgmma_choices,
                                       .rates              = wgmma_rates,
                                       .multiply_adds      = &CudaRates::wgmma_half,
                                       .element_bytes      = 2,
                                       .sum_bytes          = sizeof(float),
                                       .shortest           = 64,
                                       .fetched            = {0.0163, 0.0148, 0.055, 0.12},
                                       .missed             = {1, 0.00259, 0.5, 0.08},
                                       .straddled          = {1, 1.02, 1.54},
                                       .crowded            = 6.5,
                                       .waiting            = 0.863,
                                       .exposed            = 0.371,
                                       .uneven             = 0.557,
                                       .stored             = {1, 134, 385, 3660},
                                       .walked             = {276, 201, 720, 1250},
                                       .widened            = 1.26,
                                       .results            = {1, 1.02, 3.48, 9.69},
                                       .memory             = 1.19,
                                       .cache              = 1.09,
                                       .apart              = 0.25,
                                       .added              = 2.05e-07,
                                       .biased             = 2.69e-07,
                                       .activated          = 0.128,
                                       .kept               = 0.0653,
                                       .beside             = 0.272,
                                       .slices             = 2.51,
                                       .slice_bytes        = 0.237,
                                       .slice              = 2.09e-08,
                                       .scattered          = 1.6,
                                       .copy               = 1.5,
                                       .copy_bytes         = 1.07,
                                       .leaves_waves_whole = true,
                                       .again              = 0.6};

}  // namespace Tegula::Impl

#endif
