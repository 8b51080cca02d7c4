// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ANY_PRODUCTS_HPP
#define TEGULA_ANY_PRODUCTS_HPP

#include "Tegula_AnyOperand.hpp"
#include "Tegula_AnyResult.hpp"
#include "Tegula_Call.hpp"
#include "Tegula_Operand.hpp"
#include "Tegula_Product.hpp"

/// The products of a planned call whose element types and activation Tegula brings, with these as data.

namespace Tegula::Impl {

template <class T>
using AnyGemmProduct = Product<T, AnyOperand<T>, AnyOperand<T>, AnyEpilogueResult<T>>;

template <class T>
using AnyGradientProduct = Product<T, AnyGradientOperand<T>, AnyOperand<T>, AnyGradientResult<T>>;

/// The same where all operands are of one type, which is the fast way to read them. Results are data, and so is the
/// activation of gemm. That of gemm_backward is applied to every pack that is read: as data it would take registers
/// that the sums need, and kernels half as much time again (measured on an H200).
template <class T, class Storage>
using UniformGemmProduct = Product<T, MatrixOperand<T, Storage>, MatrixOperand<T, Storage>, AnyEpilogueResult<T>>;

template <class T, class Storage, class Activation>
using UniformGradientProduct =
    Product<T, GradientOperand<T, Storage, Storage, Activation>, MatrixOperand<T, Storage>, AnyGradientResult<T>>;

/// Calls function.operator()<Storage>() with the type of all operands of a call, or with void if they are of several.
template <class T, class Function>
void with_operand_type(const Call& call, const Function& function) {
  if constexpr (!std::is_same_v<T, double>) {  // nothing else is summed in double
    if (!call.has_operands_alike()) return function.template operator()<void>();
  }
  with_element<T>(call.A.element, [&]<class Storage>() { function.template operator()<Storage>(); });
}

/// An operand that is a matrix. Storage: with_operand_type().
template <class T, class Storage>
auto any_operand(const CallMatrix& matrix) {
  if constexpr (std::is_void_v<Storage>) {
    return AnyOperand<T>(matrix);
  } else {
    return MatrixOperand<T, Storage>{matrix.as<const Storage>()};
  }
}

/// Calls launch(product) with the one product of gemm.
template <class T, class Storage, class Launch>
void with_any_gemm(const Call& call, const Plan& plan, char* workspace, const Launch& launch) {
  const AnyEpilogueResult<T> result{call.C.any(),    call.bias.any(), call.Z.any(),
                                    call.activation, T(call.alpha),   T(call.beta)};
  launch(make_product<T>(any_operand<T, Storage>(call.A), any_operand<T, Storage>(call.B.transposed()), result,
                         plan.products[0], workspace));
}

/// What dA is multiplied by.
inline AnySlopeBelow slope_below(const Call& call) {
  if (!call.below) return {};
  return {call.below->has_constant_slope ? AnyMatrix{} : call.below->saved.any(), call.below->activation};
}

/// The sums of the columns of dZ of the layer below, once they are stored.
template <class T>
struct AnySumsBelow {
  AnyMatrix dZ, dbias;
  bool accumulate;

  explicit AnySumsBelow(const Call& call)
      : dZ(call.dA.any()), dbias(call.below->dbias.any()), accumulate(call.below->update_dbias == Update::accumulate) {}

  template <int Count>
  KOKKOS_FUNCTION void sum(std::int64_t first, std::int64_t last, std::int64_t j, int count, T (&totals)[Count]) const {
    for (std::int64_t i = first; i < last; ++i) {
      T row[Count];
      load_run(dZ, {i, j, 0, 1, count}, row);
      for (int c = 0; c < Count; ++c) totals[c] += row[c];
    }
  }
  template <int Count>
  KOKKOS_FUNCTION void store(std::int64_t j, int count, T (&totals)[Count]) const {
    const ElementRun run{0, j, 0, 1, count};
    if (accumulate) {
      T old[Count];
      load_run(dbias, run, old);
      for (int c = 0; c < Count; ++c) totals[c] += old[c];
    }
    store_run(dbias, run, totals);
  }
};

/// Calls launch(dA, dB^T) with the products of gemm_backward.
template <class T, class Storage, class OnesOfTheirOwn, class Launch>
void with_any_gradients(const Call& call, const Plan& plan, char* workspace, const Launch& launch) {
  const auto adds = [](Update update) { return update == Update::accumulate; };
  const AnyGradientResult<T> dA{call.dA.any(),        {},    T(call.alpha_of(call.dA_shape())),
                                adds(call.update_dA), false, slope_below(call)};
  const AnyGradientResult<T> dB{call.dB.transposed().any(), call.dbias.any(), T(call.alpha_of(call.dB_shape())),
                                adds(call.update_dB), adds(call.update_dbias)};
  const auto launch_with = [&]<class Elements>(std::type_identity<Elements>, const auto& dZ) {
    launch(make_product<T>(dZ(call.dC, call.saved), any_operand<T, Elements>(call.B), dA, plan.products[0], workspace),
           make_product<T>(dZ(call.dC.transposed(), call.saved.transposed()),
                           any_operand<T, Elements>(call.A.transposed()), dB, plan.products[1],
                           workspace + plan.products[0].workspace_bytes));
  };
  if constexpr (!std::is_void_v<Storage>) {
    if (with_built_in(OnesOfTheirOwn(), call.activation, [&]<class Activation>(const Activation& activation) {
          launch_with(std::type_identity<Storage>(), [&](const CallMatrix& dC, const CallMatrix& saved) {
            return GradientOperand<T, Storage, Storage, Activation>{dC.as<const Storage>(), saved.as<const Storage>(),
                                                                    activation};
          });
        }))
      return;
  }
  if constexpr (std::is_void_v<Storage> || !std::is_same_v<OnesOfTheirOwn, BuiltInActivations>) {
    launch_with(std::type_identity<void>(), [&](const CallMatrix& dC, const CallMatrix& saved) {
      return AnyGradientOperand<T>{AnyOperand<T>(dC), AnyOperand<T>(saved), call.activation};
    });
  }
}

/// Calls launch(products...) with the products of a call whose types Tegula brings. T is the accumulator's type.
/// Storage: with_operand_type(); void will do for any call. OnesOfTheirOwn: the activations whose derivative is a type,
/// where Storage is; others are data, and so are the element types then.
template <class T, class Storage, class OnesOfTheirOwn, class Launch>
void with_products_of(const Call& call, const Plan& plan, char* workspace, const Launch& launch) {
  call.is_backward ? with_any_gradients<T, Storage, OnesOfTheirOwn>(call, plan, workspace, launch)
                   : with_any_gemm<T, Storage>(call, plan, workspace, launch);
}
template <class T, class OnesOfTheirOwn = BuiltInActivations, class Launch>
void with_any_products(const Call& call, const Plan& plan, char* workspace, const Launch& launch) {
  with_operand_type<T>(
      call, [&]<class Storage>() { with_products_of<T, Storage, OnesOfTheirOwn>(call, plan, workspace, launch); });
}

}  // namespace Tegula::Impl

#endif
