// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OWN_PRODUCTS_HPP
#define TEGULA_OWN_PRODUCTS_HPP

#include "Tegula_CallTypes.hpp"
#include "product/Tegula_Operand.hpp"
#include "product/Tegula_Product.hpp"
#include "product/Tegula_Result.hpp"

/// The products of a planned call with types of the user's own. Types is what Tegula_CallTypes.hpp has.

namespace Tegula::Impl {

/// Calls launch(product) with the one product of gemm.
template <class Types, class Launch>
void with_own_gemm(const Call& call, const Plan& plan, char* workspace, const Launch& launch) {
  using A    = typename Types::A;
  using B    = typename Types::B;
  using C    = typename Types::C;
  using Bias = typename Types::Bias;
  using Z    = typename Types::Z;
  using T    = typename Types::Accumulator;
  using Act  = typename Types::Activation;
  launch(make_product<T>(MatrixOperand<T, A>{call.A.as<const A>()},
                         MatrixOperand<T, B>{call.B.transposed().as<const B>()},
                         EpilogueResult<T, C, Bias, Z, Act>{call.C.as<C>(), call.bias.as<const Bias>(), call.Z.as<Z>(),
                                                            *static_cast<const Act*>(call.passes.functor),
                                                            static_cast<T>(call.alpha), static_cast<T>(call.beta)},
                         plan.products[0], workspace));
}

/// What stores dA, as it is or as dZ of the layer below.
template <class Types>
auto own_result_of_dA(const Call& call) {
  using T         = typename Types::Accumulator;
  using DA        = typename Types::DA;
  using Below     = typename Types::LayerBelow;
  const T alpha   = static_cast<T>(call.alpha_of(call.dA_shape()));
  const bool adds = call.update_dA == Update::accumulate;
  if constexpr (std::is_same_v<Below, NothingBelow>) {
    return GradientResult<T, DA, typename Types::DBias>{call.dA.as<DA>(), {}, alpha, adds, false};
  } else {
    using Saved = typename Below::Saved;
    using DBias = typename Below::DBias;
    using Act   = typename Below::Activation;
    return ResultBelow<T, DA, Saved, DBias, Act>{call.dA.as<DA>(),
                                                 call.below->saved.template as<const Saved>(),
                                                 call.below->dbias.template as<DBias>(),
                                                 *static_cast<const Act*>(call.below->passes.functor),
                                                 alpha,
                                                 adds,
                                                 call.below->update_dbias == Update::accumulate};
  }
}

/// The sums of the columns of dZ of the layer below, once they are stored.
template <class T, class Result>
struct OwnSumsBelow {
  Result result;

  KOKKOS_FUNCTION void sum(std::int64_t first, std::int64_t last, std::int64_t j, int count, T* totals) const {
    for (std::int64_t i = first; i < last; ++i)
      for (int c = 0; c < count; ++c) totals[c] += static_cast<T>(result.gradient(i, j + c));
  }
  KOKKOS_FUNCTION void store(std::int64_t j, int count, const T* totals) const {
    for (int c = 0; c < count; ++c) result.store_column_sum(j + c, totals[c]);
  }
};

/// Calls launch(dA, dB^T) with the products of gemm_backward.
template <class Types, class Launch>
void with_own_gradients(const Call& call, const Plan& plan, char* workspace, const Launch& launch) {
  using T               = typename Types::Accumulator;
  using Act             = typename Types::Activation;
  using DC              = const typename Types::DC;
  using Saved           = const typename Types::Saved;
  using A               = typename Types::A;
  using B               = typename Types::B;
  using DB              = typename Types::DB;
  using DBias           = typename Types::DBias;
  using Gradient        = GradientOperand<T, typename Types::DC, typename Types::Saved, Act>;
  const Act& activation = *static_cast<const Act*>(call.passes.functor);
  const auto alpha      = [&](const GemmShape& shape) { return static_cast<T>(call.alpha_of(shape)); };
  const auto adds       = [](Update update) { return update == Update::accumulate; };
  launch(make_product<T>(Gradient{call.dC.as<DC>(), call.saved.as<Saved>(), activation},
                         MatrixOperand<T, B>{call.B.as<const B>()}, own_result_of_dA<Types>(call), plan.products[0],
                         workspace),
         make_product<T>(
             Gradient{call.dC.transposed().as<DC>(), call.saved.transposed().as<Saved>(), activation},
             MatrixOperand<T, A>{call.A.transposed().as<const A>()},
             GradientResult<T, DB, DBias>{call.dB.transposed().as<DB>(), call.dbias.as<DBias>(), alpha(call.dB_shape()),
                                          adds(call.update_dB), adds(call.update_dbias)},
             plan.products[1], workspace + plan.products[0].workspace_bytes));
}

/// Calls launch(products...).
template <class Types, class Launch>
void with_own_products(const Call& call, const Plan& plan, char* workspace, const Launch& launch) {
  if constexpr (Types::is_backward) {
    with_own_gradients<Types>(call, plan, workspace, launch);
  } else {
    with_own_gemm<Types>(call, plan, workspace, launch);
  }
}

}  // namespace Tegula::Impl

#endif
