// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableRates.hpp"

#include <algorithm>
#include <array>

namespace Tegula::Impl {
namespace {

// Clocks, bandwidths and multiply-adds outside of matrix units: data sheets of AMD Instinct MI250X (220 compute units,
// 3.2 TB/s, 47.9 TFLOP/s in both precisions) and MI300X (304, 5.3 TB/s, 163.4 and 81.7), and of Intel Data Center GPU
// Max 1550 (1024 vector engines, 3.28 TB/s, 52.4 in both). Nothing was measured: a copy is taken to reach as much of
// the bandwidth as on an H200, and a kernel to take what it takes elsewhere outside of graphs.
constexpr const char* source = "data sheet, not measured";
constexpr double reached = 0.90, kernel = 5e-6;

constexpr std::array table{
    PortableRates{"MI250X", source, "gfx90a", 1.7e9, 64, 64, reached * 3.2e12 / 220, kernel},
    PortableRates{"MI300X", source, "gfx942", 2.1e9, 128, 64, reached * 5.3e12 / 304, kernel},
    PortableRates{"Max 1550", source, "GPU Max 1550", 1.6e9, 16, 16, reached * 3.28e12 / 1024, kernel},
};

}  // namespace

const PortableRates* portable_rates(std::string_view device) {
  const auto* const found = std::find_if(table.begin(), table.end(), [&](const PortableRates& rates) {
    return device.find(rates.device) != std::string_view::npos;
  });
  return found != table.end() ? found : nullptr;
}

}  // namespace Tegula::Impl
