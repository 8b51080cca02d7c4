// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_LAUNCH_CUH
#define TEGULA_FP32_SPLIT_LAUNCH_CUH

#include <algorithm>

#include "../Tegula_LaunchKernel.cuh"
#include "../Tegula_TensorMap.hpp"
#include "Tegula_Fp32SplitKernel.cuh"

/// From a planned product of floats to the kernel on a stream.

namespace Tegula::Impl {

/// The tensor map of an operand's parts, for tiles of `lines` lines.
inline void map_parts(CUtensorMap& map, const Fp32SplitOperand& operand, int lines, const Plan& plan) {
  const TmaMatrix matrix{operand.parts, Major::depth, operand.depth(), Fp32SplitOperand::most_parts * operand.lines(),
                         operand.pitch};
  encode_tensor_map(map, matrix, split_depth, lines, plan);
}

/// The arguments of a kernel of this configuration. With split-k, slices of sums go to `partial_sums`.
template <class Config>
Fp32SplitArguments split_arguments(const ProductCall<float>& call, const Fp32SplitOperands& operands,
                                   const ProductPlan& product, float* partial_sums, const Plan& plan,
                                   std::uint32_t most_teams) {
  Fp32SplitArguments arguments{};
  if (product.shape.k > 0) {
    arguments.operands = operands;
    map_parts(arguments.left, operands.operands[0], Config::tile_m, plan);
    map_parts(arguments.right, operands.operands[1], Config::tile_n, plan);
  }
  arguments.tiles           = tiles_of(product);
  arguments.output          = float_output(call, product, partial_sums, Major::depth, false, plan);
  const std::uint32_t works = arguments.tiles.works();
  arguments.shares          = {works, 0, 0, std::min(works, most_teams)};
  return arguments;
}

}  // namespace Tegula::Impl

#endif
