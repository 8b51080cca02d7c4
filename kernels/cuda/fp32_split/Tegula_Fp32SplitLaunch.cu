// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Fp32SplitLaunch.hpp"

#include "../Tegula_CudaDevice.hpp"
#include "Tegula_Fp32SplitLaunch.cuh"

namespace Tegula::Impl {
void launch_split(const Kokkos::Cuda& exec, const ProductCall<float>& call, const ProductPlan& product,
                  const Plan& plan, char* workspace, const CallableRef& before) {
  make_current(exec);
  const int multiprocessors = cuda_device(exec).multiprocessors;
  const std::string label   = kernel_label(plan, product);
  const bool has_operands   = product.shape.k > 0;
  Fp32SplitOperands operands;
  if (has_operands) {
    Fp32SplitWorkspace bytes;
    operands = split_operands(call.left, call.right, split_memory(product, workspace), multiprocessors, bytes);
  }
  with_config(Fp32SplitConfigs(), plan, product.tile, [&]<class Config>() {
    const Fp32SplitKernel<Config> kernel(split_arguments<Config>(call, operands, product,
                                                                 reinterpret_cast<float*>(workspace), plan,
                                                                 static_cast<std::uint32_t>(multiprocessors)));
    before();
    if (has_operands) {
      launch_half_parts(exec, label, operands);
      launch_bhalf_parts(exec, label, operands);
    }
    launch_kernel(exec, label, kernel.shares.teams(), kernel);
  });
}

}  // namespace Tegula::Impl
