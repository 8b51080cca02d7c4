// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaLaunch.hpp"

#include "../Tegula_ActivationKernels.hpp"
#include "../Tegula_CudaDevice.hpp"
#include "../Tegula_LaunchCopies.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_QueueInOrder.hpp"
#include "Tegula_WgmmaPart.hpp"

namespace Tegula::Impl {
namespace {

template <int Products>
void launch_parts(const Kokkos::Cuda& exec, Element input, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                  const Plan& plan, const CallableRef& before) {
  const auto launch = input == Element::bf16 ? launch_wgmma_of<Bf16, Products> : launch_wgmma_of<F16, Products>;
  launch(exec, parts, sums, plan, before);
}

}  // namespace

void launch_wgmma(const Kokkos::Cuda& exec, std::span<const HalfCall> calls, std::span<const ProductPlan> products,
                  const ColumnSums& sums, const Plan& plan, char* workspace, bool is_behind,
                  const CallableRef& before) {
  make_current(exec);
  const auto memory = [&](std::size_t p) { return p == 0 ? workspace : workspace + products[0].workspace_bytes; };
  const auto part   = [&](std::size_t p) {
    return WgmmaPart{with_aligned_copies(calls[p], products[p], memory(p)), products[p],
                     reinterpret_cast<float*>(memory(p))};
  };
  const bool copies_first = products[0].left_copy_bytes + products[0].right_copy_bytes > 0;
  const auto copies       = [&](std::size_t p) {
    return [&, p](const CallableRef& before_copies) {
      if (p == calls.size()) return before_copies();
      launch_copies(exec, KernelLabel(plan, products[p]), calls[p], products[p], memory(p),
                          is_behind || (p > 0 && copies_first), before_copies);
    };
  };
  queue_in_order(before, copies(0), copies(1), [&](const CallableRef& before_kernel) {
    if (calls.size() == 2) {
      const std::size_t first = products[0].k_split >= products[1].k_split ? 0 : 1;
      launch_parts<2>(exec, calls[0].input, {part(first), part(1 - first)}, sums, plan, before_kernel);
    } else {
      const WgmmaPart only = part(0);
      if (const auto* own = own_kernels(only.call, only.product))
        return own->wgmma(exec, only.call, plan, only.product, only.partial_sums, before_kernel);
      launch_parts<1>(exec, only.call.input, {only}, sums, plan, before_kernel);
    }
  });
}

}  // namespace Tegula::Impl
