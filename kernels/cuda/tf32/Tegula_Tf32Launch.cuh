// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_LAUNCH_CUH
#define TEGULA_TF32_LAUNCH_CUH

#include <algorithm>

#include "../Tegula_CudaDevice.hpp"
#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchCopies.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "../wgmma/Tegula_WgmmaOperand.cuh"
#include "Tegula_QueueInOrder.hpp"
#include "Tegula_Tf32Copy.hpp"
#include "Tegula_Tf32Kernel.cuh"
#include "Tegula_WithConfig.hpp"

/// From a planned product of floats to the kernel on a stream.

namespace Tegula::Impl {

/// The arguments of a kernel of this configuration.
template <class Config>
Tf32Arguments tf32_arguments(const ProductCall<float>& call, bool is_transposed, const ProductPlan& product,
                             float* partial_sums, const Plan& plan, std::uint32_t most_teams) {
  Tf32Arguments arguments{};
  Tf32Product& p = arguments.products[0];
  p.operands[0]  = is_transposed ? call.right : call.left;
  p.operands[1]  = is_transposed ? call.left : call.right;
  if (product.shape.k > 0) {
    constexpr TmaElement element = Config::splits ? TmaElement::f32 : TmaElement::tf32;
    p.left_fetch                 = map_operand(p.left, p.operands[0], Config::tile_m, plan, 1, element);
    p.right_fetch                = map_operand(p.right, p.operands[1], Config::tile_n, plan, 1, element);
  }
  p.tiles                   = {tiles_of(product), is_transposed};
  p.output                  = float_output(call, product, partial_sums, p.left_fetch.major, is_transposed, plan);
  const std::uint32_t works = p.tiles.tiles.works();
  arguments.shares          = {works, 0, 0, std::min(works, most_teams)};
  return arguments;
}

/// The copies that a plan lists, and the kernel. The product's part of the workspace holds, with split-k, slices of
/// sums, then the copies.
template <class Configs>
void launch_tf32_with(const CudaLaunch& l) {
  make_current(l.exec);
  const auto call            = product_call<float>(l.calls[0]);
  const ProductPlan& product = l.products[0];
  const bool is_transposed   = tf32_operands(call).transposed;
  const auto multiprocessors = static_cast<std::uint32_t>(cuda_device(l.exec).multiprocessors);
  const KernelLabel label(l.plan, product);
  const auto copied = with_copies(call, product, l.memory, tf32_copy_at);
  with_config(Configs(), l.plan, is_transposed ? product.tile.transposed() : product.tile, [&]<class Config>() {
    const Tf32Kernel<Config> kernel(tf32_arguments<Config>(
        copied, is_transposed, product, reinterpret_cast<float*>(l.memory), l.plan, multiprocessors * Config::teams));
    queue_in_order(
        l.before,
        [&](const CallableRef& before_copies) {
          launch_copies_by(
              call, product, l.memory, false, before_copies,
              [&](const char* step, const auto& operand, void* memory, bool runs_beside, const CallableRef& once) {
                return launch_tf32_copy(l.exec, label + step, operand, memory, runs_beside, once);
              });
        },
        [&](const CallableRef& before_kernel) {
          launch_product(l.exec, l.plan, product, kernel.shares.teams(), kernel, before_kernel);
        });
  });
}

}  // namespace Tegula::Impl

#endif
