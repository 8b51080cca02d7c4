// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_ARGUMENTS_HPP
#define TEGULA_SHALLOW_ARGUMENTS_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_GradientResult.hpp"
#include "../Tegula_OutputSlope.hpp"

/// Arguments of the kernels of the shallow family. They go along the contiguous direction of dC, so that a dC by
/// columns is dC^T by rows, and the operands and results change places.

namespace Tegula::Impl {

/// U = dZ right and W = dZ^T left, for dZ = dC act'(saved) of m x n, left of m x depth, right of n x depth.
template <class Bits>
struct ShallowArguments {
  MatrixRef<const Bits> dC, saved, left, right;  // saved: without data, the derivative is a constant
  OutputSlope<sum_t<Bits>> slope;
  GradientResult<sum_t<Bits>> of_rows, of_columns;  // U, W
  std::int32_t depth = 0;
  bool reads_words   = false;  // dC and saved consist of whole words of 16 bytes
  // Teams for parts of the depth, and side by side; rows of a team; its warps side by side.
  std::int32_t depth_parts = 1, panels = 0, part_rows = 0, across = 0;
};

/// Whether the kernels see dC^T.
inline bool shallow_transposes(const Call& call) { return call.dC.row_stride == 1 && call.dC.column_stride != 1; }

/// The arguments of a call, but for how it is cut. An operand whose product is not wanted has no data.
template <class Bits>
ShallowArguments<Bits> shallow_arguments(const Call& call) {
  const auto dA = result_of_dA<sum_t<Bits>>(call), dB = result_of_dB<sum_t<Bits>>(call);
  ShallowArguments<Bits> arguments;
  const bool transposes = shallow_transposes(call);
  const auto seen       = [&](const CallMatrix& matrix) {
    return (transposes ? matrix.transposed() : matrix).template as<const Bits>();
  };
  arguments.dC = seen(call.dC);
  if (!call.has_constant_slope) arguments.saved = seen(call.saved);
  const auto A = call.A.as<const Bits>(), B = call.B.transposed().as<const Bits>();
  arguments.left        = transposes ? B : A;
  arguments.right       = transposes ? A : B;
  arguments.of_rows     = transposes ? dB : dA;
  arguments.of_columns  = transposes ? dA : dB;
  arguments.slope       = output_slope<sum_t<Bits>>(call);
  arguments.depth       = static_cast<std::int32_t>(call.A.columns);
  arguments.reads_words = run_reads(gradient_call<Bits>(call)) == RunReads::words;
  return arguments;
}

}  // namespace Tegula::Impl

#endif
