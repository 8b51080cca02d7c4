// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PROBLEM_HPP
#define TEGULA_PROBLEM_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_Call.hpp"
#include "Tegula_MatrixRef.hpp"
#include "Tegula_Scalar.hpp"

/// A checked call, in the form that the planner and the kernel families take: Views have become strided references,
/// op() has been applied, and an argument that was left out has no data.

namespace Tegula::Impl {

/// C = act(alpha A B + beta C + bias), Z the pre-activation; A is m x k, B is k x n.
template <class AScalar, class BScalar, class CScalar, class BiasScalar, class ZScalar, class ActivationType>
struct GemmProblem {
  using accumulator                 = accumulator_t<CScalar>;
  using activation_type             = ActivationType;
  static constexpr const char* call = "gemm";

  MatrixRef<const AScalar> A;
  MatrixRef<const BScalar> B;
  MatrixRef<CScalar> C;
  MatrixRef<const BiasScalar> bias;
  MatrixRef<ZScalar> Z;
  ActivationType activation;
  accumulator alpha;
  accumulator beta;
  Op op_a;
  Op op_b;
  Compute compute;
  const CompiledActivation* kernels = nullptr;  // that the activation is compiled into

  static const char* input_name() { return ScalarTraits<AScalar>::name; }

  // With alpha = 0 nothing of A and B is read, as if k were 0. The sum is then 0, whatever alpha and the data are.
  GemmShape shape() const { return {C.rows, C.columns, alpha == accumulator(0) ? 0 : A.columns}; }
};

/// dZ = dC act'(saved): dA (+)= alpha dZ B^T, dB (+)= alpha A^T dZ, dbias (+)= column sums of dZ.
template <class DCScalar, class SavedScalar, class AScalar, class BScalar, class DAScalar, class DBScalar,
          class DBiasScalar, class ActivationType>
struct GemmBackwardProblem {
  using accumulator                 = accumulator_t<DCScalar>;
  using activation_type             = ActivationType;
  static constexpr const char* call = "gemm_backward";

  MatrixRef<const DCScalar> dC;
  MatrixRef<const SavedScalar> saved;
  MatrixRef<const AScalar> A;
  MatrixRef<const BScalar> B;
  MatrixRef<DAScalar> dA;
  MatrixRef<DBScalar> dB;
  MatrixRef<DBiasScalar> dbias;  // 1 x n
  ActivationType activation;
  accumulator alpha;
  Update update_dA;
  Update update_dB;
  Update update_dbias;
  Op op_a;
  Op op_b;
  Compute compute;

  static const char* input_name() { return ScalarTraits<DCScalar>::name; }

  // dA (m x k) sums over n.
  GemmShape dA_shape() const { return dA.data == nullptr ? GemmShape{} : GemmShape{dA.rows, dA.columns, dC.columns}; }

  // The transposed dB (n x k) sums over m. It is formed transposed so that dZ is the left operand of both products. The
  // bias gradient is the sums of the rows of that left operand; without dB it is all that is left of the product.
  GemmShape dB_shape() const {
    if (dB.data == nullptr && dbias.data == nullptr) return {};
    return {dC.columns, dB.data == nullptr ? 0 : dB.rows, dC.rows};
  }

  // The alpha of one of these products: an empty sum is zero, even if alpha is NaN or infinite. The two sum over
  // different dimensions, so one may be empty alone.
  accumulator alpha_of(const GemmShape& product) const { return product.k == 0 ? accumulator(0) : alpha; }
};

/// What is the same in both, as plain data.
template <class Problem>
Call call_without_matrices(const Problem& problem) {
  using ActivationType = typename Problem::activation_type;
  Call call;
  call.name               = Problem::call;
  call.input_name         = Problem::input_name();
  call.is_built_in        = is_built_in<ActivationType>;
  call.has_constant_slope = ActivationType::saved == Saved::nothing;
  call.activation_name    = ActivationType::name;
  if constexpr (is_built_in<ActivationType>) call.activation = activation_choice(problem.activation);
  call.alpha   = static_cast<double>(problem.alpha);
  call.op_a    = problem.op_a;
  call.op_b    = problem.op_b;
  call.compute = problem.compute;
  call.A       = call_matrix(problem.A);
  call.B       = call_matrix(problem.B);
  return call;
}

template <class A, class B, class C, class Bias, class Z, class Activation>
Call call_of(const GemmProblem<A, B, C, Bias, Z, Activation>& problem) {
  Call call = call_without_matrices(problem);
  call.C    = call_matrix(problem.C);
  call.bias = call_matrix(problem.bias);
  call.Z    = call_matrix(problem.Z);
  call.beta = static_cast<double>(problem.beta);
  return call;
}

template <class DC, class Saved, class A, class B, class DA, class DB, class DBias, class Activation>
Call call_of(const GemmBackwardProblem<DC, Saved, A, B, DA, DB, DBias, Activation>& problem) {
  Call call         = call_without_matrices(problem);
  call.is_backward  = true;
  call.dC           = call_matrix(problem.dC);
  call.saved        = call_matrix(problem.saved);
  call.dA           = call_matrix(problem.dA);
  call.dB           = call_matrix(problem.dB);
  call.dbias        = call_matrix(problem.dbias);
  call.update_dA    = problem.update_dA;
  call.update_dB    = problem.update_dB;
  call.update_dbias = problem.update_dbias;
  return call;
}

}  // namespace Tegula::Impl

#endif
