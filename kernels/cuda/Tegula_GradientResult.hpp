// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GRADIENT_RESULT_HPP
#define TEGULA_GRADIENT_RESULT_HPP

#include "Tegula_CudaProducts.hpp"

/// Results of kernels that compute all gradients of a layer.

namespace Tegula::Impl {

/// Sums of teams, for every line of a result and each of its elements along the depth, and of whole lines of dZ: put
/// into a slice for every part, or finished if there is one part only.
template <class Sum>
struct GradientResult {
  Sum* slices        = nullptr;  // null: finished at once
  std::int32_t lines = 0, depth = 0;
  bool has_sums = false;       // of the lines of dZ: dbias
  AnyMatrix result{}, sums{};  // lines x depth, 1 x lines
  Sum alpha = 0;
  bool adds = false, adds_sums = false;

  TEGULA_HOST_DEVICE bool is_wanted() const { return depth > 0; }
  TEGULA_HOST_DEVICE std::int64_t slice_size() const { return std::int64_t(lines) * depth + (has_sums ? lines : 0); }
};

/// A result of a call, but for its slices.
template <class Sum>
GradientResult<Sum> gradient_result(const CallMatrix& gradient, const GemmShape& shape, double alpha, Update update) {
  GradientResult<Sum> result;
  result.lines  = static_cast<std::int32_t>(shape.m);
  result.depth  = static_cast<std::int32_t>(gradient.data == nullptr ? 0 : shape.n);
  result.result = gradient.any();
  result.alpha  = static_cast<Sum>(alpha);
  result.adds   = update == Update::accumulate;
  return result;
}

template <class Sum>
GradientResult<Sum> result_of_dA(const Call& call) {
  return gradient_result<Sum>(call.dA, call.dA_shape(), call.alpha, call.update_dA);
}

/// dB^T, with dbias.
template <class Sum>
GradientResult<Sum> result_of_dB(const Call& call) {
  auto result      = gradient_result<Sum>(call.dB.transposed(), call.dB_shape(), call.alpha, call.update_dB);
  result.has_sums  = call.dbias.data != nullptr;
  result.sums      = call.dbias.any();
  result.adds_sums = call.update_dbias == Update::accumulate;
  return result;
}

}  // namespace Tegula::Impl

#endif
