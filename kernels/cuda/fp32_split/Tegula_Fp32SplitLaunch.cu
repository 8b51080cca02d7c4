// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Fp32SplitLaunch.hpp"

#include "../Tegula_CurrentDevice.hpp"
#include "Tegula_Fp32SplitLaunch.cuh"

namespace Tegula::Impl {
void launch_split(const Kokkos::Cuda& exec, const ProductCall<float>& call, const ProductPlan& product,
                  const Plan& plan, char* workspace) {
  make_current(exec);
  const int multiprocessors = exec.cuda_device_prop().multiProcessorCount;
  Fp32SplitOperands operands;
  if (product.shape.k > 0) {
    const std::string label = kernel_label(plan);
    Fp32SplitWorkspace bytes;
    operands = split_operands(call.left, call.right, split_memory(product, workspace), multiprocessors, bytes);
    launch_half_parts(exec, label, operands);
    launch_bhalf_parts(exec, label, operands);
  }
  with_config(Fp32SplitConfigs(), plan, product.tile, [&]<class Config>() {
    const Fp32SplitKernel<Config> kernel(split_arguments<Config>(call, operands, product,
                                                                 reinterpret_cast<float*>(workspace), plan,
                                                                 static_cast<std::uint32_t>(multiprocessors)));
    launch_kernel(exec, plan, kernel.shares.teams(), kernel);
  });
}

}  // namespace Tegula::Impl
