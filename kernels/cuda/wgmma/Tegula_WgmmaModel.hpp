// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_MODEL_HPP
#define TEGULA_WGMMA_MODEL_HPP

#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaConfig.hpp"

/// What the planner knows of the wgmma family, fitted to times measured on an H100
/// (perf_tests/README.md).

namespace Tegula::Impl {

inline constexpr std::array wgmma_rates{
    TileRates{1.33, 1.91, 100, 1710},  TileRates{1.16, 4.64, 26.1, 2020}, TileRates{1.55, 1.77, 890, 2320},
    TileRates{2.23, 1.54, 520, 2380},  TileRates{3.36, 0.983, 311, 897},  TileRates{1.51, 1.92, 132, 1900},
    TileRates{2.3, 1.39, 412, 1530},   TileRates{1.57, 1.82, 365, 2250},  TileRates{2.23, 1.98, 808, 2360},
    TileRates{2.42, 1.26, 470, 1280},  TileRates{13.3, 0.806, 932, 834},  TileRates{1.56, 1.29, 14.4, 1260},
    TileRates{13.3, 1.23, 1150, 1160}, TileRates{3.36, 1.25, 360, 1230},  TileRates{3.36, 0.983, 311, 897},
    TileRates{3.36, 1.2, 1340, 2130},  TileRates{13.3, 0.99, 600, 1140},  TileRates{13.3, 0.806, 932, 834},
    TileRates{13.3, 1.23, 1150, 1160}, TileRates{3.36, 1.25, 360, 1230},  TileRates{13.3, 0.99, 600, 1140}};
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
                                       .stored             = {1, 86.1, 78.6, 2390},
                                       .walked             = {270, 489, 922, 1150},
                                       .widened            = 1.65,
                                       .results            = {1, 1.02, 3.48, 9.69},
                                       .memory             = 1.19,
                                       .cache              = 1.09,
                                       .apart              = 0.357,
                                       .added              = 2.59e-07,
                                       .biased             = 2.69e-07,
                                       .activated          = 0.213,
                                       .kept               = 0.114,
                                       .beside             = 0.272,
                                       .slices             = 2.51,
                                       .slice_bytes        = 0.237,
                                       .slice              = 2.09e-08,
                                       .copy               = 1.5,
                                       .copy_bytes         = 1.07,
                                       .leaves_waves_whole = true,
                                       .again              = 0.6};

}  // namespace Tegula::Impl

#endif
