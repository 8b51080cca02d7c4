// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_PROBLEM_HPP
#define TEGULA_CUDA_PROBLEM_HPP

#include "Tegula_CudaBits.hpp"
#include "Tegula_CudaCall.hpp"
#include "Tegula_Problem.hpp"

/// Which problems the families for CUDA take, and the products that they become.

namespace Tegula::Impl {

template <class A, class C, class Bias, class Z, class Activation>
ProductCall<bits_t<A>> product_call(const GemmProblem<A, A, C, Bias, Z, Activation>& p) {
  return {element_of<A>,   bits_of(p.A),       bits_of(p.B.transposed()),       any_matrix(p.C),
          any_matrix(p.Z), any_matrix(p.bias), activation_choice(p.activation), p.alpha,
          p.beta};
}

/// dA (+)= alpha dZ B^T and dB^T (+)= alpha dZ^T A, for a dZ that lies in memory.
template <class T, class Saved, class DA, class DB, class DBias, class Activation>
ProductCalls<bits_t<T>> product_calls(const GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>& p,
                                      const MatrixRef<const bits_t<T>>& dZ) {
  const auto call = [&](const GemmShape& shape, const auto& left, const auto& right, const auto& gradient,
                        Update update) {
    const sum_t<bits_t<T>> beta = update == Update::accumulate ? 1 : 0;
    return ProductCall<bits_t<T>>{element_of<T>,     left, right, any_matrix(gradient), {}, {}, {},
                                  p.alpha_of(shape), beta};
  };
  return {call(p.dA_shape(), dZ, bits_of(p.B), p.dA, p.update_dA),
          call(p.dB_shape(), dZ.transposed(), bits_of(p.A.transposed()), p.dB.transposed(), p.update_dB)};
}

/// Problems that families for tensor cores take: half_t or bhalf_t times the same, to the same or float, with an
/// activation that Tegula brings.
template <class Problem>
inline constexpr bool is_half_problem = false;

template <class A, class C, class Bias, class Z, class Activation>
inline constexpr bool is_half_problem<GemmProblem<A, A, C, Bias, Z, Activation>> =
    is_16_bit<A>&& is_half_result<C, A>&& is_half_result<Z, A>&& is_half_or_float<Bias>&& is_built_in<Activation>;

template <class T, class Saved, class DA, class DB, class DBias, class Activation>
inline constexpr bool is_half_problem<GemmBackwardProblem<T, Saved, T, T, DA, DB, DBias, Activation>> =
    is_16_bit<T>&& is_half_or_float<Saved>&& is_half_result<DA, T>&& is_half_result<DB, T>&& is_half_or_float<DBias>&&
        is_built_in<Activation>;

/// Problems of one element type throughout, with an activation that Tegula brings.
template <class Problem, class T>
inline constexpr bool is_uniform_problem = false;

template <class T, class Activation>
inline constexpr bool is_uniform_problem<GemmProblem<T, T, T, T, T, Activation>, T> = is_built_in<Activation>;

template <class T, class Activation>
inline constexpr bool is_uniform_problem<GemmBackwardProblem<T, T, T, T, T, T, T, Activation>, T> =
    is_built_in<Activation>;

/// Such problems of gemm alone, and of gemm_backward alone.
template <class Problem, class T>
inline constexpr bool is_uniform_gemm = false;

template <class Problem, class T>
inline constexpr bool is_uniform_backward = is_uniform_problem<Problem, T> && !is_uniform_gemm<Problem, T>;

template <class T, class Activation>
inline constexpr bool is_uniform_gemm<GemmProblem<T, T, T, T, T, Activation>, T> =
    is_uniform_problem<GemmProblem<T, T, T, T, T, Activation>, T>;

}  // namespace Tegula::Impl

#endif
