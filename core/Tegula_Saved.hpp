// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SAVED_HPP
#define TEGULA_SAVED_HPP

#include <optional>
#include <type_traits>
#include <utility>

#include "Tegula_Activation.hpp"
#include "Tegula_Options.hpp"

/// The argument `saved` of gemm_backward. Output and pre-activation are Views of the same type and extents, and a
/// derivative of the wrong one is a number like any other; so the argument says by its type which of them it is.

namespace Tegula {
namespace Impl {

template <class View>
concept MatrixView = requires {
  requires View::rank == 2;
};

}  // namespace Impl

/// For activations with Saved::output: the C that gemm wrote, m x n. Output(C) is an Output<View>.
template <class View>
struct Output {
  static_assert(Impl::MatrixView<View>, "Tegula::Output takes a View of rank 2");

  explicit Output(const View& view_) : view(view_) {}

  View view;
};

/// For activations with Saved::pre_activation: the Z that the epilogue of gemm stored, m x n. PreActivation(Z) is a
/// PreActivation<View>.
template <class View>
struct PreActivation {
  static_assert(Impl::MatrixView<View>, "Tegula::PreActivation takes a View of rank 2");

  explicit PreActivation(const View& view_) : view(view_) {}

  View view;
};

/// `saved` where the activation is a template parameter: Output(C), PreActivation(Z) or `none`, as it asks for. C or Z
/// may be `none` where the other one is asked for.
template <class ActivationType, class CView, class ZView>
auto saved_for(const ActivationType&, const CView& C, const ZView& Z) {
  if constexpr (ActivationType::saved == Saved::output) {
    return Output(C);
  } else if constexpr (ActivationType::saved == Saved::pre_activation) {
    return PreActivation(Z);
  } else {
    return none;
  }
}

namespace Impl {

/// What an argument says that it is. A View does not say.
template <class SavedType>
inline constexpr std::optional<Saved> named_kind = std::nullopt;
template <>
inline constexpr std::optional<Saved> named_kind<None> = Saved::nothing;
template <class View>
inline constexpr std::optional<Saved> named_kind<Output<View>> = Saved::output;
template <class View>
inline constexpr std::optional<Saved> named_kind<PreActivation<View>> = Saved::pre_activation;

/// The View in an argument. `none`, and a View that does not say what it is, stay what they are.
template <class SavedType>
const SavedType& saved_view(const SavedType& saved) {
  return saved;
}
template <class View>
const View& saved_view(const Output<View>& saved) {
  return saved.view;
}
template <class View>
const View& saved_view(const PreActivation<View>& saved) {
  return saved.view;
}
template <class SavedType>
using saved_view_t = std::remove_cvref_t<decltype(saved_view(std::declval<const SavedType&>()))>;

/// Whether an argument is what an activation's derivative needs. What is not does not compile.
template <class SavedType, class ActivationType>
constexpr bool is_saved_for() {
  constexpr Saved needed = ActivationType::saved;
  constexpr auto given   = named_kind<SavedType>;
  static_assert(given.has_value(),
                "Tegula::gemm_backward: saved must say what it is: write Output(C) for the C that gemm wrote, "
                "PreActivation(Z) for the Z that its epilogue stored, or none if the derivative is constant");
  static_assert(given != Saved::nothing || needed == Saved::nothing,
                "Tegula::gemm_backward: this activation's derivative needs what the forward pass saved, Output(C) or "
                "PreActivation(Z), as ActivationType::saved says");
  static_assert(given != Saved::pre_activation || needed != Saved::output,
                "Tegula::gemm_backward: saved is PreActivation(Z), but this activation's derivative takes Output(C), "
                "the C that gemm wrote");
  static_assert(given != Saved::output || needed != Saved::pre_activation,
                "Tegula::gemm_backward: saved is Output(C), but this activation's derivative takes PreActivation(Z), "
                "the Z that gemm's epilogue stored");
  return true;
}

}  // namespace Impl
}  // namespace Tegula

#endif
