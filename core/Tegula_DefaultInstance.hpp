// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DEFAULT_INSTANCE_HPP
#define TEGULA_DEFAULT_INSTANCE_HPP

#include <cstddef>
#include <string>

#include "Tegula_Gemm.hpp"
#include "Tegula_GemmBackward.hpp"
#include "Tegula_Measure.hpp"

/// gemm, gemm_backward, make_plan, workspace_bytes, describe and measure without an execution space: the same call on
/// the default instance of the execution space of C's View (gemm) or of dC's (gemm_backward), CView::execution_space().
///
///   gemm(A, B, C, epilogue, options, workspace)
///   gemm_backward(dC, A, B, saved, dA, dB, dbias, activation, options, workspace)
///
/// and by a plan, gemm(plan, A, B, C, ...) and gemm_backward(plan, dC, A, ...).

namespace Tegula {

template <Impl::IsMatrixArgument AView, class BView, class CView, class EpilogueType = Epilogue<>>
void gemm(const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue = {},
          const GemmOptions& options                                  = Impl::default_options<GemmOptions>(),
          const Workspace<typename CView::execution_space>& workspace = {}) {
  gemm(typename CView::execution_space(), A, B, C, epilogue, options, workspace);
}

template <class AView, class BView, class CView, class EpilogueType = Epilogue<>>
void gemm(const Plan& plan, const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue = {},
          const GemmOptions& options                                  = Impl::default_options<GemmOptions>(),
          const Workspace<typename CView::execution_space>& workspace = {}) {
  gemm(typename CView::execution_space(), plan, A, B, C, epilogue, options, workspace);
}

template <Impl::IsMatrixArgument AView, class BView, class CView, class EpilogueType = Epilogue<>>
Plan make_plan(const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue = {},
               const GemmOptions& options = {}) {
  return make_plan(typename CView::execution_space(), A, B, C, epilogue, options);
}

template <Impl::IsMatrixArgument AView, class BView, class CView, class EpilogueType = Epilogue<>>
std::size_t workspace_bytes(const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue = {},
                            const GemmOptions& options = {}) {
  return workspace_bytes(typename CView::execution_space(), A, B, C, epilogue, options);
}

template <Impl::IsMatrixArgument AView, class BView, class CView, class EpilogueType = Epilogue<>>
std::string describe(const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue = {},
                     const GemmOptions& options = {}) {
  return describe(typename CView::execution_space(), A, B, C, epilogue, options);
}

template <Impl::IsMatrixArgument AView, class BView, class CView, class EpilogueType = Epilogue<>>
Measurement measure(const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue = {},
                    const GemmOptions& options = {}) {
  return measure(typename CView::execution_space(), A, B, C, epilogue, options);
}

template <Impl::IsMatrixArgument DCView, class AView, class BView, class SavedType, class DAView, class DBView,
          class DBiasView, class ActivationType = Identity>
void gemm_backward(const DCView& dC, const AView& A, const BView& B, const SavedType& saved, const DAView& dA,
                   const DBView& dB, const DBiasView& dbias, const ActivationType& activation = {},
                   const GemmBackwardOptions& options = Impl::default_options<GemmBackwardOptions>(),
                   const Workspace<typename DCView::execution_space>& workspace = {}) {
  gemm_backward(typename DCView::execution_space(), dC, A, B, saved, dA, dB, dbias, activation, options, workspace);
}

template <class DCView, class AView, class BView, class SavedType, class DAView, class DBView, class DBiasView,
          class ActivationType = Identity>
void gemm_backward(const Plan& plan, const DCView& dC, const AView& A, const BView& B, const SavedType& saved,
                   const DAView& dA, const DBView& dB, const DBiasView& dbias, const ActivationType& activation = {},
                   const GemmBackwardOptions& options = Impl::default_options<GemmBackwardOptions>(),
                   const Workspace<typename DCView::execution_space>& workspace = {}) {
  gemm_backward(typename DCView::execution_space(), plan, dC, A, B, saved, dA, dB, dbias, activation, options,
                workspace);
}

template <Impl::IsMatrixArgument DCView, class AView, class BView, class SavedType, class DAView, class DBView,
          class DBiasView, class ActivationType = Identity>
Plan make_plan(const DCView& dC, const AView& A, const BView& B, const SavedType& saved, const DAView& dA,
               const DBView& dB, const DBiasView& dbias, const ActivationType& activation = {},
               const GemmBackwardOptions& options = {}) {
  return make_plan(typename DCView::execution_space(), dC, A, B, saved, dA, dB, dbias, activation, options);
}

template <Impl::IsMatrixArgument DCView, class AView, class BView, class SavedType, class DAView, class DBView,
          class DBiasView, class ActivationType = Identity>
std::size_t workspace_bytes(const DCView& dC, const AView& A, const BView& B, const SavedType& saved, const DAView& dA,
                            const DBView& dB, const DBiasView& dbias, const ActivationType& activation = {},
                            const GemmBackwardOptions& options = {}) {
  return workspace_bytes(typename DCView::execution_space(), dC, A, B, saved, dA, dB, dbias, activation, options);
}

template <Impl::IsMatrixArgument DCView, class AView, class BView, class SavedType, class DAView, class DBView,
          class DBiasView, class ActivationType = Identity>
std::string describe(const DCView& dC, const AView& A, const BView& B, const SavedType& saved, const DAView& dA,
                     const DBView& dB, const DBiasView& dbias, const ActivationType& activation = {},
                     const GemmBackwardOptions& options = {}) {
  return describe(typename DCView::execution_space(), dC, A, B, saved, dA, dB, dbias, activation, options);
}

template <Impl::IsMatrixArgument DCView, class AView, class BView, class SavedType, class DAView, class DBView,
          class DBiasView, class ActivationType = Identity>
Measurement measure(const DCView& dC, const AView& A, const BView& B, const SavedType& saved, const DAView& dA,
                    const DBView& dB, const DBiasView& dbias, const ActivationType& activation = {},
                    const GemmBackwardOptions& options = {}) {
  return measure(typename DCView::execution_space(), dC, A, B, saved, dA, dB, dbias, activation, options);
}

}  // namespace Tegula

#endif
