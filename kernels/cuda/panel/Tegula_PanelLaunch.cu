// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PanelLaunch.hpp"

#include "../Tegula_CudaDevice.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "../Tegula_TensorMap.hpp"
#include "Tegula_PanelCall.hpp"
#include "Tegula_PanelKernel.cuh"

namespace Tegula::Impl {
namespace {

PanelArguments panel_arguments(const ProductCall<double>& any_call, const Plan& plan, const ProductPlan& product,
                               int multiprocessors) {
  const auto [call, shape] = panel_call(any_call, product.shape);
  PanelArguments arguments{};
  arguments.left   = async_operand(call.left);
  arguments.right  = async_operand(call.right);
  arguments.depth  = static_cast<std::int32_t>(shape.k);
  arguments.result = vector_result<double>(call, shape, nullptr);
  arguments.shares =
      panel_shares(ceil_div(shape.m, PanelConfig::tile_m), ceil_div(shape.n, PanelConfig::tile_n), multiprocessors);
  encode_tensor_map(arguments.C, *panel_result(arguments.result), PanelConfig::warp_n, PanelConfig::staged_rows, plan,
                    TmaElement::f64);
  return arguments;
}

template <Major left_major, Major right_major>
void launch_along(const Kokkos::Cuda& exec, const KernelLabel& label, const PanelArguments& arguments,
                  const CallableRef& before) {
  const auto teams = static_cast<std::uint32_t>(arguments.shares.teams);
  if (arguments.result.beta == 0) {
    launch_kernel(exec, label, teams, PanelKernel<left_major, right_major, false>(arguments), before);
  } else {
    launch_kernel(exec, label, teams, PanelKernel<left_major, right_major, true>(arguments), before);
  }
}

template <Major left_major>
void launch_left(const Kokkos::Cuda& exec, const KernelLabel& label, const PanelArguments& arguments,
                 const CallableRef& before) {
  arguments.right.major == Major::depth ? launch_along<left_major, Major::depth>(exec, label, arguments, before)
                                        : launch_along<left_major, Major::lines>(exec, label, arguments, before);
}

}  // namespace

void launch_panel(const Kokkos::Cuda& exec, const ProductCall<double>& call, const Plan& plan,
                  const ProductPlan& product, const CallableRef& before) {
  make_current(exec);
  const KernelLabel label(plan, product);
  const PanelArguments arguments = panel_arguments(call, plan, product, cuda_device(exec).multiprocessors);
  arguments.left.major == Major::depth ? launch_left<Major::depth>(exec, label, arguments, before)
                                       : launch_left<Major::lines>(exec, label, arguments, before);
}

}  // namespace Tegula::Impl
