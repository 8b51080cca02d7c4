// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CALL_TYPES_HPP
#define TEGULA_CALL_TYPES_HPP

#include <type_traits>

#include "Tegula_Activation.hpp"
#include "Tegula_Call.hpp"
#include "Tegula_Scalar.hpp"

/// The types of a call, for code that is compiled where types of the user's own are used. A call itself is plain data.

namespace Tegula::Impl {

/// Whether an element type is not one that Tegula brings.
template <class... Elements>
inline constexpr bool have_own_elements = (... || (element_of<Elements> == Element::other));

/// There is no layer below.
struct NothingBelow {
  using Activation = Identity;

  static constexpr bool has_own_elements = false;

  template <class Visit>
  static void for_each_matrix(Call&, const Visit&) {}
};

/// dA is stored multiplied by act'(saved), dbias (+)= sums of its columns. As the types of a call whose dC is dA.
template <class DAScalar, class SavedScalar, class DBiasScalar, class ActivationType>
struct TypesBelow {
  using DC          = DAScalar;
  using Saved       = SavedScalar;
  using DBias       = DBiasScalar;
  using Activation  = ActivationType;
  using Accumulator = accumulator_t<DC>;

  static constexpr bool is_backward      = true;
  static constexpr bool has_own_elements = have_own_elements<Saved, DBias>;

  template <class Visit>
  static void for_each_matrix(Call& call, const Visit& visit) {
    visit.template operator()<Saved>(call.below->saved);
    visit.template operator()<DBias>(call.below->dbias);
  }
};

/// C = act(alpha A B + beta C + bias), Z the pre-activation.
template <class AScalar, class BScalar, class CScalar, class BiasScalar, class ZScalar, class ActivationType>
struct GemmTypes {
  using A           = AScalar;
  using B           = BScalar;
  using C           = CScalar;
  using Bias        = BiasScalar;
  using Z           = ZScalar;
  using Activation  = ActivationType;
  using Accumulator = accumulator_t<C>;

  using LayerBelow = NothingBelow;

  static constexpr bool is_backward      = false;
  static constexpr bool has_own_elements = have_own_elements<A, B, C, Bias, Z>;

  /// Calls visit.operator()<Element>(matrix) for every matrix of a call.
  template <class Visit>
  static void for_each_matrix(Call& call, const Visit& visit) {
    visit.template operator()<A>(call.A);
    visit.template operator()<B>(call.B);
    visit.template operator()<C>(call.C);
    visit.template operator()<Bias>(call.bias);
    visit.template operator()<Z>(call.Z);
  }
};

/// dZ = dC act'(saved): dA (+)= alpha dZ B^T, dB (+)= alpha A^T dZ, dbias (+)= column sums of dZ.
template <class DCScalar, class SavedScalar, class AScalar, class BScalar, class DAScalar, class DBScalar,
          class DBiasScalar, class ActivationType, class LayerBelowTypes = NothingBelow>
struct GemmBackwardTypes {
  using DC          = DCScalar;
  using Saved       = SavedScalar;
  using A           = AScalar;
  using B           = BScalar;
  using DA          = DAScalar;
  using DB          = DBScalar;
  using DBias       = DBiasScalar;
  using Activation  = ActivationType;
  using LayerBelow  = LayerBelowTypes;
  using Accumulator = accumulator_t<DC>;

  static constexpr bool is_backward = true;
  static constexpr bool has_own_elements =
      have_own_elements<DC, Saved, A, B, DA, DB, DBias> || LayerBelow::has_own_elements;

  template <class Visit>
  static void for_each_matrix(Call& call, const Visit& visit) {
    visit.template operator()<DC>(call.dC);
    visit.template operator()<Saved>(call.saved);
    visit.template operator()<A>(call.A);
    visit.template operator()<B>(call.B);
    visit.template operator()<DA>(call.dA);
    visit.template operator()<DB>(call.dB);
    visit.template operator()<DBias>(call.dbias);
    LayerBelow::for_each_matrix(call, visit);
  }
};

/// The number as the accumulator's type has it.
template <class Accumulator>
double rounded_to(double value) {
  if constexpr (std::is_same_v<Accumulator, float>) return static_cast<double>(static_cast<float>(value));
  return value;
}

/// What does not depend on whether a call is gemm or gemm_backward: all but the matrices, name and options.
template <class Types, class InputScalar>
Call call_of_types(double alpha, Op op_a, Op op_b, Compute compute) {
  Call call;
  call.is_backward      = Types::is_backward;
  call.accumulator      = element_of<typename Types::Accumulator>;
  call.input_name       = ScalarTraits<InputScalar>::name;
  call.has_own_elements = Types::has_own_elements;
  call.alpha            = rounded_to<typename Types::Accumulator>(alpha);
  call.op_a             = op_a;
  call.op_b             = op_b;
  call.compute          = compute;
  return call;
}

}  // namespace Tegula::Impl

#endif
