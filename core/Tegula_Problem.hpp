// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PROBLEM_HPP
#define TEGULA_PROBLEM_HPP

#include "Tegula_Activation.hpp"
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

}  // namespace Tegula::Impl

#endif
