// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMM_HPP
#define TEGULA_GEMM_HPP

#include <cstddef>
#include <string>

#include "Tegula_CallTypes.hpp"
#include "Tegula_Epilogue.hpp"
#include "Tegula_KeptCall.hpp"
#include "Tegula_OwnCode.hpp"
#include "Tegula_PackedMatrix.hpp"
#include "Tegula_RunCall.hpp"

namespace Tegula {
namespace Impl {

/// Of Views; B may be packed.
template <class AView, class BType, class CView, class EpilogueType>
struct GemmViews;

template <class AView, class BType, class CView, class ActivationType, class BiasView, class ZView>
struct GemmViews<AView, BType, CView, Epilogue<ActivationType, BiasView, ZView>> {
  using BView = view_of_t<BType>;

  static_assert(AView::rank == 2 && BView::rank == 2 && CView::rank == 2,
                "Tegula::gemm: A, B and C must be Views of rank 2");
  static_assert(!std::is_const_v<typename CView::value_type>, "Tegula::gemm: C must not be const");

  using A    = typename AView::non_const_value_type;
  using B    = typename BView::non_const_value_type;
  using C    = typename CView::non_const_value_type;
  using Bias = element_of_t<BiasView, C>;
  using Z    = element_of_t<ZView, C>;

  static_assert(accumulate_alike<A, B, C, Bias, Z>,
                "Tegula::gemm: no kernel takes these element types; A, B, C, bias and pre-activation must all be known "
                "to Tegula::ScalarTraits and accumulate in the same type");
  static_assert(Activation<ActivationType, accumulator_t<C>>,
                "Tegula::gemm: the activation must meet the concept Tegula::Activation");

  using Types = GemmTypes<A, B, C, Bias, Z, ActivationType>;
};

template <class Types, class AView, class BView, class CView, class EpilogueType>
Call gemm_call(const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue,
               const GemmOptions& options) {
  const auto a = matrix_ref<const typename Types::A>(A, options.op_a);
  // An empty sum is 0, whatever alpha is.
  Call call = call_of_types<Types, typename Types::A>(a.columns == 0 ? 0 : options.alpha, options.op_a, options.op_b,
                                                      options.compute);
  call.name = "gemm";
  call.A    = call_matrix(a);
  call.B    = call_matrix(matrix_ref<const typename Types::B>(B, options.op_b));
  call.C    = call_matrix(matrix_ref<typename Types::C>(C));
  call.bias = call_matrix(row_vector_ref<const typename Types::Bias>(epilogue.bias, call.C.rows));
  call.Z    = call_matrix(matrix_ref<typename Types::Z>(epilogue.pre_activation));
  call.beta = rounded_to<typename Types::Accumulator>(options.beta);
  return call;
}

template <class ExecutionSpace, class AView, class BView, class CView, class EpilogueType>
CheckedCall checked_gemm(const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue,
                         const GemmOptions& options) {
  using Types = typename GemmViews<AView, BView, CView, EpilogueType>::Types;
  CheckedCall checked{ArgumentList("gemm"), gemm_call<Types>(A, view_of(B), C, epilogue, options)};
  Call& call = checked.call;
  add_activation<ExecutionSpace, Types>(call, epilogue.activation);
  add_own_types<ExecutionSpace, Types>(call);
  call.passes.kernels     = compiled_activation<typename Types::Activation>();
  ArgumentList& arguments = checked.arguments;
  arguments.add<ExecutionSpace>("A", Access::input, A);
  arguments.add<ExecutionSpace>("B", Access::input, view_of(B));
  arguments.add<ExecutionSpace>("C", Access::output, C);
  arguments.add<ExecutionSpace>("bias", Access::input, epilogue.bias);
  arguments.add<ExecutionSpace>("pre-activation", Access::output, epilogue.pre_activation);

  check_product(arguments, call.A.extents(), call.B.extents(), call.C.extents(), "C");
  check_vector<decltype(epilogue.bias)>(arguments, "the bias", call.bias.columns, call.C.columns);
  check_extents<decltype(epilogue.pre_activation)>(arguments, "the pre-activation", call.Z.extents(), "C",
                                                   call.C.extents());
  arguments.check_memory();
  add_panels<ExecutionSpace>(call, B, arguments);
  return checked;
}

/// Checks a call, plans it and runs it, and keeps it for the next one if that may be. Apart from what runs kept calls,
/// which would save its registers.
template <class ExecutionSpace, class AView, class BView, class CView, class EpilogueType>
[[gnu::noinline]] void gemm_anew(const ExecutionSpace& exec, const AView& A, const BView& B, const CView& C,
                                 const EpilogueType& epilogue, const GemmOptions& options,
                                 const Workspace<ExecutionSpace>& workspace) {
  const auto call = checked_gemm<ExecutionSpace>(A, B, C, epilogue, options);
  run_call(exec, call, options.plan, workspace,
           [&](const Plan& plan) { kept_call(exec, A, B, C, epilogue, options, workspace).keep(call.call, plan); });
}

}  // namespace Impl

/// C = act(alpha op_a(A) op_b(B) + beta C + bias), and Z = the argument of act if the epilogue has a View for it.
///
/// op_a(A) is m x k, op_b(B) k x n, C and Z m x n, bias n: Views of any layout and stride, A, B and bias may be const.
/// B that many calls share may be what `pack` made of it (Tegula_PackedMatrix.hpp).
/// Elements are double, or any mix of float, half_t and bhalf_t, which are multiplied and summed in float.
///
/// The work is queued on exec: no fence, and no allocation when the plan needs no workspace or one is given (of at
/// least workspace_bytes(...) bytes; it must live until the work is done). Without it such a call takes memory that the
/// library keeps until Kokkos ends, and does not wait either: on Cuda from a pool of the device, in the order of the
/// stream; on Serial, OpenMP and Threads from blocks that calls use again. Other spaces allocate, and fence.
///
/// The work can be captured in a CUDA graph. What a call without a workspace takes becomes memory of the graph, which
/// CUDA then refuses as the child of another graph or the body of a condition, and instantiates once at a time. A call
/// for such a graph, as a capture node of Kokkos::Graph is one, needs a workspace.
///
/// beta = 0 never reads C, alpha = 0 never reads A and B, k = 0 gives C = act(beta C + bias), m = 0 or n = 0 does
/// nothing. NaN and infinity propagate. Results do not depend on the run: every sum has one order for one plan.
///
/// Throws std::invalid_argument, before anything is written: extents that disagree; C or Z overlapping another argument
/// or itself; memory that exec cannot reach; a workspace too small; plan options that no kernel family can meet; a
/// record of another machine, or none, in TEGULA_MACHINE (Tegula_Machine.hpp).
/// Throws std::runtime_error, likewise, if there is no memory for a workspace.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument AView, class BView, class CView,
          class EpilogueType = Epilogue<>>
void gemm(const ExecutionSpace& exec, const AView& A, const BView& B, const CView& C, const EpilogueType& epilogue = {},
          const GemmOptions& options                 = Impl::default_options<GemmOptions>(),
          const Workspace<ExecutionSpace>& workspace = {}) {
  if (Impl::kept_call(exec, A, B, C, epilogue, options, workspace).run()) return;
  Impl::gemm_anew(exec, A, B, C, epilogue, options, workspace);
}

/// The same by a plan that make_plan returned, without planning again: the same kernels, and bits. The arguments must
/// be like those that make_plan was called with. Pointers, what a functor holds, and alpha and beta may be others;
/// extents, strides, types, the device, which arguments are given, whether alpha or beta is 0, and other options may
/// not, and on Cuda addresses must be multiples of as many bytes, up to 16. options.plan is left out, or as it was.
/// Several threads may run one plan at once.
///
/// Throws as gemm does, and std::invalid_argument, before anything is written, if the plan was made for another call.
template <Impl::IsExecutionSpace ExecutionSpace, class AView, class BView, class CView, class EpilogueType = Epilogue<>>
void gemm(const ExecutionSpace& exec, const Plan& plan, const AView& A, const BView& B, const CView& C,
          const EpilogueType& epilogue = {}, const GemmOptions& options = Impl::default_options<GemmOptions>(),
          const Workspace<ExecutionSpace>& workspace = {}) {
  if (plan.kept != nullptr && Impl::kept_call(exec, A, B, C, epilogue, options, workspace).run(*plan.kept)) return;
  const auto call = Impl::checked_gemm<ExecutionSpace>(A, B, C, epilogue, options);
  Impl::run_call(exec, plan, call, options.plan, workspace);
}

/// The plan of gemm for the same arguments, to be described, or run. Throws as gemm does.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument AView, class BView, class CView,
          class EpilogueType = Epilogue<>>
Plan make_plan(const ExecutionSpace& exec, const AView& A, const BView& B, const CView& C,
               const EpilogueType& epilogue = {}, const GemmOptions& options = {}) {
  const auto call = Impl::checked_gemm<ExecutionSpace>(A, B, C, epilogue, options);
  Plan plan       = Impl::make_plan_of(exec, call, options.plan);
  const GemmOptions of_calls{options.op_a, options.op_b, options.alpha, options.beta, options.compute};
  plan.kept = Impl::kept_call(exec, A, B, C, epilogue, of_calls, {}).to_keep(call.call, plan);
  return plan;
}

/// Bytes of workspace that gemm needs for the same arguments; 0 means none. Throws as gemm does.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument AView, class BView, class CView,
          class EpilogueType = Epilogue<>>
std::size_t workspace_bytes(const ExecutionSpace& exec, const AView& A, const BView& B, const CView& C,
                            const EpilogueType& epilogue = {}, const GemmOptions& options = {}) {
  return make_plan(exec, A, B, C, epilogue, options).workspace_bytes();
}

/// The plan of gemm for the same arguments in words: kernel, grid, tiles, order, k steps, reuse, bytes moved and
/// arithmetic intensity. Throws as gemm does.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument AView, class BView, class CView,
          class EpilogueType = Epilogue<>>
std::string describe(const ExecutionSpace& exec, const AView& A, const BView& B, const CView& C,
                     const EpilogueType& epilogue = {}, const GemmOptions& options = {}) {
  return make_plan(exec, A, B, C, epilogue, options).text();
}

}  // namespace Tegula

#endif
