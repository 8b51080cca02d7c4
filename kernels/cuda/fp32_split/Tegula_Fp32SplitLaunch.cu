// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Fp32SplitMemory.hpp"

#include "../Tegula_CudaDevice.hpp"
#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "Tegula_Fp32SplitLaunch.cuh"
#include "Tegula_QueueInOrder.hpp"
#include "Tegula_WithConfig.hpp"

namespace Tegula::Impl {

/// Both passes over the operands, and the kernel.
void launch_fp32_split(const CudaLaunch& l) {
  make_current(l.exec);
  const auto call            = product_call<float>(l.calls[0]);
  const ProductPlan& product = l.products[0];
  const int multiprocessors  = cuda_device(l.exec).multiprocessors;
  const KernelLabel label(l.plan, product);
  const bool has_operands = product.shape.k > 0;
  Fp32SplitOperands operands;
  if (has_operands) {
    Fp32SplitWorkspace bytes;
    operands = split_operands(call.left, call.right, split_memory(product, l.memory), multiprocessors, bytes);
  }
  with_config(Fp32SplitConfigs(), l.plan, product.tile, [&]<class Config>() {
    const Fp32SplitKernel<Config> kernel(
        split_arguments<Config>(call, operands, product, reinterpret_cast<float*>(l.memory), l.plan,
                                static_cast<std::uint32_t>(multiprocessors * Config::teams)));
    const auto half_parts = [&](const CallableRef& first) {
      launch_half_parts(l.exec, label + product.copy_steps[0], operands, first);
    };
    const auto bhalf_parts = [&](const CallableRef& first) {
      launch_bhalf_parts(l.exec, label + product.copy_steps[1], operands, first);
    };
    const auto products = [&](const CallableRef& first) {
      launch_product(l.exec, l.plan, product, kernel.shares.teams(), kernel, first);
    };
    has_operands ? queue_in_order(l.before, half_parts, bhalf_parts, products) : products(l.before);
  });
}

}  // namespace Tegula::Impl
