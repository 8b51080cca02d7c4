// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaDevice.hpp"
#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "../Tegula_TensorMap.hpp"
#include "Tegula_PanelCall.hpp"
#include "Tegula_PanelKernel.cuh"

namespace Tegula::Impl {
namespace {

PanelArguments panel_arguments(const CudaLaunch& l) {
  const auto [call, shape] = panel_call(product_call<double>(l.calls[0]), l.products[0].shape);
  PanelArguments arguments{};
  arguments.left   = async_operand(call.left);
  arguments.right  = async_operand(call.right);
  arguments.depth  = static_cast<std::int32_t>(shape.k);
  arguments.result = vector_result<double>(call, shape, nullptr);
  arguments.shares = panel_shares(ceil_div(shape.m, PanelConfig::tile_m), ceil_div(shape.n, PanelConfig::tile_n),
                                  cuda_device(l.exec).multiprocessors);
  encode_tensor_map(arguments.C, *panel_result(arguments.result), PanelConfig::warp_n, PanelConfig::staged_rows, l.plan,
                    TmaElement::f64);
  return arguments;
}

/// Calls launch(kernel) with that of an operand's directions and of what is done with C.
template <Major left_major, Major right_major, class Launch>
void with_beta(const PanelArguments& arguments, const Launch& launch) {
  arguments.result.beta == 0 ? launch(PanelKernel<left_major, right_major, false>(arguments))
                             : launch(PanelKernel<left_major, right_major, true>(arguments));
}

template <Major left_major, class Launch>
void with_right(const PanelArguments& arguments, const Launch& launch) {
  arguments.right.major == Major::depth ? with_beta<left_major, Major::depth>(arguments, launch)
                                        : with_beta<left_major, Major::lines>(arguments, launch);
}

}  // namespace

void launch_panel(const CudaLaunch& l) {
  make_current(l.exec);
  const PanelArguments arguments = panel_arguments(l);
  const auto launch              = [&](const auto& kernel) {
    launch_product(l.exec, l.plan, l.products[0], static_cast<std::uint32_t>(arguments.shares.teams), kernel, l.before);
  };
  arguments.left.major == Major::depth ? with_right<Major::depth>(arguments, launch)
                                       : with_right<Major::lines>(arguments, launch);
}

}  // namespace Tegula::Impl
