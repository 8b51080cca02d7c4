// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_ONE_DNN_HPP
#define TEGULA_PERF_ONE_DNN_HPP

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include "Tegula_PerfCase.hpp"

namespace Tegula::Perf {

/// Whether oneDNN multiplies elements of this type on a host.
template <class T>
inline constexpr bool has_onednn_layer = TEGULA_PERF_HAS_ONEDNN&& std::is_same_v<T, float>;

/// C = act(alpha A B + beta C + bias), with A of m x k and B of k x n. A pair of strides is that of rows and that of
/// columns, in elements. bias may be null.
struct FusedLayer {
  std::int64_t m, n, k;
  const float *A, *B, *bias;
  float* C;
  std::array<std::int64_t, 2> A_strides, B_strides, C_strides;
  std::string activation;
  Scaling scaling;
};

/// One matmul primitive of oneDNN with bias and activation fused in, created here with all that it needs. B is copied
/// into the order that the primitive asks for, once, here. Absent where oneDNN has nothing but its unoptimised
/// reference for such a layer, and for an alpha beside a bias, which it would scale too. Defined only where
/// has_onednn_layer.
Call onednn_call(const FusedLayer& layer);

/// Gives the library the number of threads. Returns version and threads in words.
std::string start_onednn(int threads);

}  // namespace Tegula::Perf

#endif
