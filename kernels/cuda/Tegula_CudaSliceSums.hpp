// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_SLICE_SUMS_HPP
#define TEGULA_CUDA_SLICE_SUMS_HPP

#include "Tegula_Call.hpp"
#include "Tegula_CudaSpace.hpp"
#include "Tegula_KernelLabel.hpp"

namespace Tegula::Impl {

/// Whether the addition of a product's slices has that of the other product's in front of it, and runs beside it.
inline bool slices_run_beside(const Plan& plan, std::size_t product) {
  return product == 1 && plan.products[0].split_k > 1 && (plan.is_one_kernel || plan.products[1].runs_beside);
}

/// Queues the addition of the slices of a product with split-k, for a call of gemm; perhaps beside what is in front.
/// Does nothing without split-k.
void launch_slices(const Kokkos::Cuda& exec, const KernelLabel& label, const Call& product, const ProductPlan& plan,
                   char* memory, bool runs_beside = false);

/// The same for the slices of dA and dB^T that a kernel of all gradients left. Those of dB^T also have parts of dbias.
void launch_gradient_slices(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory);

}  // namespace Tegula::Impl

#endif
