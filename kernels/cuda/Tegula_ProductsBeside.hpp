// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCTS_BESIDE_HPP
#define TEGULA_PRODUCTS_BESIDE_HPP

#include <array>

#include "Tegula_CudaMachine.hpp"
#include "Tegula_Plan.hpp"

/// The products of gemm_backward need nothing of each other. Where each has a kernel of its own, the second one begins
/// as soon as all teams of the first have, and runs beside it (ptx/Tegula_PtxDependents.cuh): small products share the
/// device, and of larger ones the second fills what the last round of the first leaves free.

namespace Tegula::Impl {

/// Whether the second kernel can: nothing goes before it that the first one would have to wait for, and both kernels
/// are of a kind that lets others begin, or begins so.
bool can_run_beside(const std::array<ProductPlan, 2>& products, const CudaMachine& machine);

/// The scratch that teams of the second product ask for, so that no multiprocessor takes more of them than it has to if
/// all are to have as many: the first that the other product leaves would take all that find room there, and others
/// none. 0: what they use.
std::size_t scratch_beside(const std::array<ProductPlan, 2>& products, const CudaMachine& machine);

/// What that saves, predicted; 0: it is better not done, since teams would be spread unevenly over the device.
double seconds_beside(const std::array<ProductPlan, 2>& products, const CudaMachine& machine);

}  // namespace Tegula::Impl

#endif
