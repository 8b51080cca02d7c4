// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Fp32SplitLaunch.hpp"

#include "../Tegula_CudaDevice.hpp"
#include "Tegula_Fp32SplitLaunch.cuh"
#include "Tegula_QueueInOrder.hpp"
#include "Tegula_WithConfig.hpp"

namespace Tegula::Impl {
void launch_split(const Kokkos::Cuda& exec, const ProductCall<float>& call, const ProductPlan& product,
                  const Plan& plan, char* workspace, const CallableRef& before) {
  make_current(exec);
  const int multiprocessors = cuda_device(exec).multiprocessors;
  const KernelLabel label(plan, product);
  const bool has_operands = product.shape.k > 0;
  Fp32SplitOperands operands;
  if (has_operands) {
    Fp32SplitWorkspace bytes;
    operands = split_operands(call.left, call.right, split_memory(product, workspace), multiprocessors, bytes);
  }
  with_config(Fp32SplitConfigs(), plan, product.tile, [&]<class Config>() {
    const Fp32SplitKernel<Config> kernel(split_arguments<Config>(call, operands, product,
                                                                 reinterpret_cast<float*>(workspace), plan,
                                                                 static_cast<std::uint32_t>(multiprocessors)));
    const auto half_parts = [&](const CallableRef& first) {
      launch_half_parts(exec, label + product.copy_steps[0], operands, first);
    };
    const auto bhalf_parts = [&](const CallableRef& first) {
      launch_bhalf_parts(exec, label + product.copy_steps[1], operands, first);
    };
    const auto products = [&](const CallableRef& first) {
      launch_product(exec, plan, product, kernel.shares.teams(), kernel, first);
    };
    has_operands ? queue_in_order(before, half_parts, bhalf_parts, products) : products(before);
  });
}

}  // namespace Tegula::Impl
