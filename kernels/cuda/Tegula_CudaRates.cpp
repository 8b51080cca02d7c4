// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaRates.hpp"

#include <array>

namespace Tegula::Impl {
namespace {

// Rates a multiprocessor: CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions", and the
// architectures' white papers. Where nothing was measured, a kernel's launch and the share of the data sheet's
// bandwidth that a copy reaches are taken to be those of the H200.
constexpr double launch = 1.5e-6, reached = 0.90;

constexpr std::array table{
    CudaRates{80, "A100 80 GB, data sheet", false, 1.41e9, 0, 0, 1024, 64, 64, reached * 2.04e12, 5.0e12, launch},
    CudaRates{86, "A40, data sheet", false, 1.74e9, 0, 0, 512, 1, 128, reached * 0.696e12, 2.5e12, launch},
    CudaRates{89, "L40S, data sheet", false, 2.52e9, 0, 0, 512, 1, 128, reached * 0.864e12, 4.0e12, launch},
    CudaRates{90, "H200 141 GB, measured", true, 1.755e9, 2048, 1024, 1280, 128, 128, 4.3e12, 9.5e12, launch},
    CudaRates{100, "B200, data sheet", false, 1.85e9, 0, 0, 2048, 64, 128, reached * 8.0e12, 18e12, launch},
};

}  // namespace

const CudaRates& cuda_rates(int capability) {
  const CudaRates* best = table.data();
  for (const CudaRates& rates : table)
    if (rates.capability <= capability) best = &rates;
  return *best;
}

}  // namespace Tegula::Impl
