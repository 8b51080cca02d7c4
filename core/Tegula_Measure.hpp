// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MEASURE_HPP
#define TEGULA_MEASURE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "Tegula_Gemm.hpp"
#include "Tegula_GemmBackward.hpp"
#include "Tegula_Measurement.hpp"

namespace Tegula {
namespace Impl {

/// A matrix of a call that is to be measured, and the bytes of numbers of its type that its memory is filled with,
/// again and again.
struct MeasuredMatrix {
  CallMatrix* matrix;
  std::span<const std::byte> numbers;
};

/// Runs a planned call on memory of the library's own, which the matrices are moved to: all that the call has.
template <class ExecutionSpace>
Measurement measure_call(const ExecutionSpace& exec, const CheckedCall& checked, const Plan& plan,
                         std::span<const MeasuredMatrix> matrices);

/// Numbers of both signs between 1/2 and 1. They are so many that lines of the usual lengths are not alike.
template <class Storage>
std::span<const std::byte> ordinary_numbers() {
  static const std::vector<Storage> numbers = [] {
    constexpr int count  = 1021;  // a prime
    std::uint32_t random = 1;
    std::vector<Storage> drawn;
    for (int i = 0; i < count; ++i) {
      random            = 1664525 * random + 1013904223;  // Numerical Recipes' generator; its upper bits are good
      const double size = 0.5 + 0x1p-24 * static_cast<double>((random & 0x7fffffff) >> 8);
      drawn.push_back(static_cast<Storage>(static_cast<accumulator_t<Storage>>(random >> 31 == 0 ? size : -size)));
    }
    return drawn;
  }();
  return std::as_bytes(std::span(numbers));
}

template <class Types, class ExecutionSpace>
Measurement measure_checked(const ExecutionSpace& exec, CheckedCall checked, const PlanOptions& options) {
  const Plan plan = plan_call(exec, checked, options);
  std::vector<MeasuredMatrix> matrices;
  Types::for_each_matrix(checked.call, [&]<class Storage>(CallMatrix& matrix) {
    matrices.push_back({&matrix, ordinary_numbers<Storage>()});
  });
  return measure_call(exec, checked, plan, matrices);
}

}  // namespace Impl

/// Runs gemm for the same arguments as describe, and tells how long each of its kernels takes beside the time that was
/// predicted. The memory of the arguments is neither read nor written: matrices of the same extents, strides, types and
/// alignment are allocated for this, filled with ordinary numbers, and freed, and so is a workspace. Only the
/// activation, alpha and beta are those given.
///
/// Times are medians of several runs behind each other, after some that are not counted, so that caches hold what fits;
/// predictions for GPUs are of caches that hold nothing of the call. On Cuda, events around each kernel tell its time,
/// and all of a run is queued before its first kernel begins; elsewhere the clock of the host does, between fences of
/// exec. Steps and the whole call are measured in different runs: times of steps include what lies around the kernel.
///
/// Waits for exec. Throws as gemm does, and std::runtime_error, which names the bytes, if there is no memory for this;
/// on Cuda std::invalid_argument if the stream is being captured in a graph.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument AView, class BView, class CView,
          class EpilogueType = Epilogue<>>
Measurement measure(const ExecutionSpace& exec, const AView& A, const BView& B, const CView& C,
                    const EpilogueType& epilogue = {}, const GemmOptions& options = {}) {
  using Types = typename Impl::GemmViews<AView, BView, CView, EpilogueType>::Types;
  return Impl::measure_checked<Types>(exec, Impl::checked_gemm<ExecutionSpace>(A, B, C, epilogue, options),
                                      options.plan);
}

/// The same of gemm_backward.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument DCView, class AView, class BView,
          class SavedType, class DAView, class DBView, class DBiasView, class ActivationType = Identity>
Measurement measure(const ExecutionSpace& exec, const DCView& dC, const AView& A, const BView& B,
                    const SavedType& saved, const DAView& dA, const DBView& dB, const DBiasView& dbias,
                    const ActivationType& activation = {}, const GemmBackwardOptions& options = {}) {
  using Views = Impl::GemmBackwardViews<DCView, AView, BView, SavedType, DAView, DBView, DBiasView, ActivationType>;
  return Impl::measure_checked<typename Views::Types>(
      exec, Impl::checked_gemm_backward<ExecutionSpace>(dC, A, B, saved, dA, dB, dbias, activation, options),
      options.plan);
}

}  // namespace Tegula

#endif
