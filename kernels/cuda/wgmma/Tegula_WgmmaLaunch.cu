// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_WgmmaLaunch.hpp"

#include <string>

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_CurrentDevice.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_WgmmaPart.hpp"

namespace Tegula::Impl {
namespace {

template <int Products>
void launch_parts(const Kokkos::Cuda& exec, Element input, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                  const Plan& plan) {
  const auto launch = input == Element::bf16 ? launch_wgmma_of<bhalf_t, Products> : launch_wgmma_of<half_t, Products>;
  launch(exec, parts, sums, plan);
}

}  // namespace

void launch_wgmma(const Kokkos::Cuda& exec, HalfCalls calls, const ColumnSums& sums, const Plan& plan,
                  char* workspace) {
  make_current(exec);
  const std::string label = kernel_label(plan);
  const auto part         = [&](int p) {
    char* const memory = product_workspace(plan, static_cast<std::size_t>(p), workspace);
    calls[p]           = launch_copies(exec, label, calls[p], plan.products[p], memory);
    return WgmmaPart{calls[p], plan.products[p], reinterpret_cast<float*>(memory)};
  };
  const auto is_there = [&](int p) { return plan.products[p].teams() > 0; };
  if (is_there(0) && is_there(1)) {
    const int first = plan.products[0].k_split >= plan.products[1].k_split ? 0 : 1;
    launch_parts<2>(exec, calls[0].input, {part(first), part(1 - first)}, sums, plan);
  } else if (is_there(0) || is_there(1)) {
    launch_parts<1>(exec, calls[0].input, {part(is_there(0) ? 0 : 1)}, sums, plan);
  }
}

}  // namespace Tegula::Impl
