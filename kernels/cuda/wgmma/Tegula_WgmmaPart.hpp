// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_PART_HPP
#define TEGULA_WGMMA_PART_HPP

#include <array>

#include "../Tegula_ColumnSums.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// One product of a call, ready for the kernel.
struct WgmmaPart {
  HalfCall call;
  const ProductPlan& product;
  float* partial_sums;  // with split-k, where the slices go

  /// Steps of a work item.
  std::int64_t steps() const { return product.k_split / product.tile.k; }
};

template <int Products>
using WgmmaParts = std::array<WgmmaPart, Products>;

#ifdef KOKKOS_ENABLE_CUDA
/// Queues the kernel of one or two products, the one with the longer work items first, for Bf16 or F16. Calls
/// before() when all that can fail is ready.
template <class Input, int Products>
void launch_wgmma_of(const Kokkos::Cuda& exec, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                     const Plan& plan, const CallableRef& before);
#endif

}  // namespace Tegula::Impl

#endif
