// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaLaunch.hpp"

#include "../Tegula_ActivationKernels.hpp"
#include "../Tegula_CudaDevice.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchCopies.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_QueueInOrder.hpp"
#include "Tegula_Scalar.hpp"
#include "Tegula_WgmmaPart.hpp"

namespace Tegula::Impl {
namespace {

template <int Products>
void launch_parts(const Kokkos::Cuda& exec, Element input, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                  const Plan& plan, const CallableRef& before) {
  const auto launch = input == Element::bf16 ? launch_wgmma_of<bhalf_t, Products> : launch_wgmma_of<half_t, Products>;
  launch(exec, parts, sums, plan, before);
}

}  // namespace

void launch_wgmma(const Kokkos::Cuda& exec, const HalfCalls& calls, const ColumnSums& sums, const Plan& plan,
                  char* workspace, const CallableRef& before) {
  make_current(exec);
  const auto memory   = [&](std::size_t p) { return product_workspace(plan, p, workspace); };
  const auto is_there = [&](std::size_t p) { return plan.products[p].teams() > 0; };
  const auto part     = [&](std::size_t p) {
    return WgmmaPart{with_aligned_copies(calls[p], plan.products[p], memory(p)), plan.products[p],
                     reinterpret_cast<float*>(memory(p))};
  };
  const auto copies = [&](std::size_t p) {
    return [&, p](const CallableRef& before_copies) {
      is_there(p) ? launch_copies(exec, KernelLabel(plan), calls[p], plan.products[p], memory(p), before_copies)
                  : before_copies();
    };
  };
  queue_in_order(before, copies(0), copies(1), [&](const CallableRef& before_kernel) {
    if (is_there(0) && is_there(1)) {
      const std::size_t first = plan.products[0].k_split >= plan.products[1].k_split ? 0 : 1;
      launch_parts<2>(exec, calls[0].input, {part(first), part(1 - first)}, sums, plan, before_kernel);
    } else {
      const WgmmaPart only = part(is_there(0) ? 0 : 1);
      if (const auto* own = own_kernels(only.call, only.product))
        return own->wgmma(exec, only.call, plan, only.product, before_kernel);
      launch_parts<1>(exec, only.call.input, {only}, sums, plan, before_kernel);
    }
  });
}

}  // namespace Tegula::Impl
