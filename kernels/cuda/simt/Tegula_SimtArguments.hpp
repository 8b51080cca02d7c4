// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_ARGUMENTS_HPP
#define TEGULA_SIMT_ARGUMENTS_HPP

#include "../Tegula_CudaTiles.hpp"
#include "../Tegula_VectorResult.hpp"
#include "Tegula_SimtOperand.hpp"

namespace Tegula::Impl {

/// Arguments of the kernels of the simt family. The result is row-major if it has a contiguous direction at all:
/// vectors lie along its rows.
template <class Activation>
struct SimtArguments {
  SimtOperand<float> left, right;
  CudaTiles tiles;
  std::int32_t depth;
  VectorResult<float, Activation> result;
};

/// Where nothing is added to what C holds, and copies and stores of 16 bytes stay where they are aligned.
template <class Activation>
MovableTiles movable_simt_tiles(const SimtOperand<float>& left, const SimtOperand<float>& right, const GemmShape& shape,
                                const VectorResult<float, Activation>& result) {
  constexpr std::int64_t run = 4;
  const bool by_elements     = result.C.is_unaligned() || result.Z.is_unaligned();  // and so is all that is added
  const bool by_vectors      = !by_elements && (result.C.by_vectors || result.Z.by_vectors || result.bias.by_vectors ||
                                           result.saved_below.by_vectors);
  const auto may_move        = [&](const SimtOperand<float>& operand, std::int64_t lines, bool along_vectors) {
    return lines % run == 0 || (operand.by != FetchBy::chunks && !(along_vectors && by_vectors));
  };
  if (result.beta != 0) return {};
  return {may_move(left, shape.m, result.is_transposed), may_move(right, shape.n, !result.is_transposed)};
}

}  // namespace Tegula::Impl

#endif
