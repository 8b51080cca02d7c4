// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SplitLaunch.hpp"

#include <stdexcept>

#include "../Tegula_CurrentDevice.hpp"
#include "Tegula_SplitLaunch.cuh"

namespace Tegula::Impl {
namespace {

/// Finds the configuration that the plan names.
template <class Config, class... Others>
void launch_product(SplitConfigList<Config, Others...>, const Kokkos::Cuda& exec, const ProductCall<float>& call,
                    const SplitOperands& operands, const ProductPlan& product, const Plan& plan, char* workspace) {
  if (product.tile == Config::shape()) {
    using Kernel               = SplitKernel<Config>;
    const auto multiprocessors = static_cast<std::uint32_t>(exec.cuda_device_prop().multiProcessorCount);
    const Kernel kernel(
        split_arguments<Config>(call, operands, product, reinterpret_cast<float*>(workspace), plan, multiprocessors));
    const typename Kernel::policy policy(exec, static_cast<int>(kernel.shares.teams()), Config::threads);
    return launch_teams(kernel_label(plan), policy, Config::scratch_bytes, kernel);
  }
  if constexpr (sizeof...(Others) > 0) {
    launch_product(SplitConfigList<Others...>(), exec, call, operands, product, plan, workspace);
  } else {
    throw std::logic_error("Tegula: the split family has no tile " + text(product.tile));
  }
}

}  // namespace

void launch_split(const Kokkos::Cuda& exec, const ProductCall<float>& call, const ProductPlan& product,
                  const Plan& plan, char* workspace) {
  if (product.teams() == 0) return;
  make_current(exec);
  SplitOperands operands;
  if (product.shape.k > 0) {
    const std::string label = kernel_label(plan);
    SplitWorkspace bytes;
    operands = split_operands(call.left, call.right, split_memory(product, workspace),
                              exec.cuda_device_prop().multiProcessorCount, bytes);
    launch_half_parts(exec, label, operands);
    launch_bhalf_parts(exec, label, operands);
  }
  launch_product(SplitConfigs(), exec, call, operands, product, plan, workspace);
}

}  // namespace Tegula::Impl
