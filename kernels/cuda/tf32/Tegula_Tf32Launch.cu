// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

namespace Tegula::Impl {
namespace {

/// Makes the tensor map of a result, and returns true, if TMA can store the result. TMA stores 16 bytes at a time, even
/// past the end of a run.
template <class Piece>
bool map_result(CUtensorMap& map, const VectorResult<float>& result, const Plan& plan) {
  if (!result.is_plain() || result.slice > 0 || !result.C.by_vectors || result.n % 4 != 0) return false;
  const auto matrix = tma_matrix(result.C.data, result.m, result.n, result.C.row_stride, 1, sizeof(float));
  if (!matrix) return false;
  encode_tensor_map(map, *matrix, Piece::box_fast, Piece::box_slow, plan, TmaElement::f32);
  return true;
}

/// The arguments of a kernel of this configuration.
template <class Config>
Tf32Arguments tf32_arguments(const ProductCall<float>& call, bool is_transposed, const ProductPlan& product,
                             float* partial_sums, const Plan& plan, std::uint32_t most_teams) {
  Tf32Arguments arguments{};
  Tf32Product& p = arguments.products[0];
  if (product.shape.k > 0) {
    p.left_fetch  = map_operand(p.left, is_transposed ? call.right : call.left, Config::tile_m, plan);
    p.right_fetch = map_operand(p.right, is_transposed ? call.left : call.right, Config::tile_n, plan);
  }
  p.tiles      = {tiles_of(product), is_transposed};
  p.result     = vector_result(call, product.shape, product.split_k > 1 ? partial_sums : nullptr);
  p.by_columns = p.result.is_transposed != is_transposed;
  if (!p.by_columns) {
    p.by_tma = map_result<Tf32PieceByRows>(p.C, p.result, plan);
  } else if (p.left_fetch.major == Major::lines) {  // else a thread has no neighbours along the rows of the result
    p.by_tma = map_result<Tf32PieceByColumns>(p.C, p.result, plan);
  }
  const std::uint32_t works = p.tiles.tiles.works();
  arguments.shares          = {works, 0, 0, std::min(works, most_teams)};
  return arguments;
}

}  // namespace

/// The copies that a plan lists, and the kernel. The product's part of the workspace holds, with split-k, slices of
/// sums, then the copies.
void launch_tf32(const CudaLaunch& l) {
  make_current(l.exec);
  const auto call            = product_call<float>(l.calls[0]);
  const ProductPlan& product = l.products[0];
  const bool is_transposed   = tf32_operands(call).transposed;
  const auto multiprocessors = static_cast<std::uint32_t>(cuda_device(l.exec).multiprocessors);
  const KernelLabel label(l.plan, product);
  const auto copied = with_copies(call, product, l.memory, tf32_copy_at);
  with_config(Tf32Configs(), l.plan, is_transposed ? product.tile.transposed() : product.tile, [&]<class Config>() {
    const Tf32Kernel<Config> kernel(tf32_arguments<Config>(
        copied, is_transposed, product, reinterpret_cast<float*>(l.memory), l.plan, multiprocessors));
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
