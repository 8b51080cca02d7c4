// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_BELOW_HPP
#define TEGULA_BELOW_HPP

#include "Tegula_Saved.hpp"

/// The argument dA of gemm_backward where the layer below is known, too.

namespace Tegula {

/// In a network A is what the layer below wrote, A = act(Z), and all that its own gradients ask of dA is dZ = dA act'.
/// gemm_backward stores that in the place of dA, so that nobody goes through memory for it:
///
///   dZ = dA act'(saved)                  element by element
///   dbias (+)= sums of the columns of dZ, over the rows of op(A); may be `none`
///
/// Where the layer below would need a pass to form its dZ, that is saved. Families for GPUs that compute all gradients
/// of a small layer at once form dZ on the way, for nothing: `describe` of both ways tells which is predicted to be
/// faster.
///
/// activation and saved are those of the layer below: Output(A), as often, PreActivation(Z), or `none`. That layer's
/// gradients are then those of Identity: gemm_backward(dZ, X, W, none, dX, dW, none).
///
/// dZ, and what was saved, have the extents of A as it is stored, and dbias has an entry for each column of op(A).
template <class DZView, class ActivationType, class SavedType = None, class DBiasView = None>
struct Below {
  static_assert(Impl::MatrixView<DZView>, "Tegula::Below takes a View of rank 2 for dZ");

  explicit Below(const DZView& dZ_, const ActivationType& activation_, const SavedType& saved_ = {},
                 const DBiasView& dbias_ = {})
      : dZ(dZ_), activation(activation_), saved(saved_), dbias(dbias_) {}

  DZView dZ;
  ActivationType activation;
  SavedType saved;
  DBiasView dbias;
};

namespace Impl {

/// What the argument dA is made of: a View, or `none`.
template <class DAType>
struct ArgumentDA {
  static constexpr bool is_below = false;
  using View                     = DAType;

  static const View& view(const DAType& dA) { return dA; }
};
template <class DZView, class ActivationType, class SavedType, class DBiasView>
struct ArgumentDA<Below<DZView, ActivationType, SavedType, DBiasView>> {
  static constexpr bool is_below = true;
  using View                     = DZView;
  using Activation               = ActivationType;
  using SavedArgument            = SavedType;
  using DBias                    = DBiasView;

  static const View& view(const Below<DZView, ActivationType, SavedType, DBiasView>& below) { return below.dZ; }
};

}  // namespace Impl
}  // namespace Tegula

#endif
