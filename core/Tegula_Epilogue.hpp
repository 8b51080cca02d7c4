// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_EPILOGUE_HPP
#define TEGULA_EPILOGUE_HPP

#include "Tegula_Activation.hpp"
#include "Tegula_Options.hpp"

namespace Tegula {

/// What gemm does with a sum of products before it stores it:
///
///   Z(i, j) = alpha (op(A) op(B))(i, j) + beta C(i, j) + bias(j)     stored if a View for it is given
///   C(i, j) = act(Z(i, j))
///
/// bias: rank-1 View of length n, added to every row. pre_activation: rank-2 View, m x n. Either may be `none`.
/// Z is stored before it is rounded for act, so C does not depend on whether Z is kept.
///
///   Epilogue()                             nothing
///   Epilogue(Relu())                       an activation
///   Epilogue(Identity(), bias)             a bias
///   Epilogue(GeluTanh(), bias, Z)          bias, activation, and Z for the backward pass
template <class ActivationType = Identity, class BiasView = None, class PreActivationView = None>
struct Epilogue {
  Epilogue() = default;
  explicit Epilogue(const ActivationType& activation_, const BiasView& bias_ = {},
                    const PreActivationView& pre_activation_ = {})
      : activation(activation_), bias(bias_), pre_activation(pre_activation_) {}

  ActivationType activation{};
  BiasView bias{};
  PreActivationView pre_activation{};
};

Epilogue()->Epilogue<>;

}  // namespace Tegula

#endif
