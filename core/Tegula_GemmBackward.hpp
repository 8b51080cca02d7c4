// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GEMM_BACKWARD_HPP
#define TEGULA_GEMM_BACKWARD_HPP

#include <cstddef>
#include <string>

#include "Tegula_Below.hpp"
#include "Tegula_CallTypes.hpp"
#include "Tegula_OwnCode.hpp"
#include "Tegula_RunCall.hpp"

namespace Tegula {
namespace Impl {

/// The types of the layer below; DA is the element type of dA.
template <class DA, class DAType>
struct ViewsBelow {
  using Types = NothingBelow;
};
template <class DA, class DZView, class ActivationType, class SavedType, class DBiasView>
struct ViewsBelow<DA, Below<DZView, ActivationType, SavedType, DBiasView>> {
  using Saved = element_of_t<saved_view_t<SavedType>, DA>;
  using DBias = element_of_t<DBiasView, DA>;

  static_assert(accumulate_alike<DA, Saved, DBias>,
                "Tegula::gemm_backward: no kernel takes these element types of the layer below; all must be known to "
                "Tegula::ScalarTraits and accumulate in the same type");
  static_assert(DifferentiableActivation<ActivationType, accumulator_t<DA>>,
                "Tegula::gemm_backward: the activation of the layer below must meet the concept "
                "Tegula::DifferentiableActivation");
  static_assert(is_saved_for<SavedType, ActivationType>());

  using Types = TypesBelow<DA, Saved, DBias, ActivationType>;
};

template <class DCView, class AView, class BView, class SavedType, class DAType, class DBView, class DBiasView,
          class ActivationType>
struct GemmBackwardViews {
  static_assert(DCView::rank == 2 && AView::rank == 2 && BView::rank == 2,
                "Tegula::gemm_backward: dC, A and B must be Views of rank 2");

  using DC          = typename DCView::non_const_value_type;
  using A           = typename AView::non_const_value_type;
  using B           = typename BView::non_const_value_type;
  using SavedView   = saved_view_t<SavedType>;
  using SavedScalar = element_of_t<SavedView, DC>;
  using DAArgument  = DAType;
  using DAView      = typename ArgumentDA<DAType>::View;
  using DA          = element_of_t<DAView, DC>;
  using DB          = element_of_t<DBView, DC>;
  using DBias       = element_of_t<DBiasView, DC>;

  static_assert(accumulate_alike<DC, A, B, SavedScalar, DA, DB, DBias>,
                "Tegula::gemm_backward: no kernel takes these element types; all must be known to "
                "Tegula::ScalarTraits and accumulate in the same type");
  static_assert(DifferentiableActivation<ActivationType, accumulator_t<DC>>,
                "Tegula::gemm_backward: the activation must meet the concept Tegula::DifferentiableActivation");
  static_assert(is_saved_for<SavedType, ActivationType>());

  using LayerBelow = typename ViewsBelow<DA, DAType>::Types;
  using Types      = GemmBackwardTypes<DC, SavedScalar, A, B, DA, DB, DBias, ActivationType, LayerBelow>;
};

template <class Types, class DCView, class AView, class BView, class SavedView, class DAView, class DBView,
          class DBiasView>
Call gemm_backward_call(const DCView& dC, const AView& A, const BView& B, const SavedView& saved, const DAView& dA,
                        const DBView& dB, const DBiasView& dbias, const GemmBackwardOptions& options) {
  Call call      = call_of_types<Types, typename Types::DC>(options.alpha, options.op_a, options.op_b, options.compute);
  call.name      = "gemm_backward";
  call.dC        = call_matrix(matrix_ref<const typename Types::DC>(dC));
  call.A         = call_matrix(matrix_ref<const typename Types::A>(A, options.op_a));
  call.B         = call_matrix(matrix_ref<const typename Types::B>(B, options.op_b));
  call.saved     = call_matrix(matrix_ref<const typename Types::Saved>(saved));
  call.dA        = call_matrix(matrix_ref<typename Types::DA>(dA, options.op_a));
  call.dB        = call_matrix(matrix_ref<typename Types::DB>(dB, options.op_b));
  call.dbias     = call_matrix(row_vector_ref<typename Types::DBias>(dbias, 1));
  call.update_dA = options.dA;
  call.update_dB = options.dB;
  call.update_dbias = options.dbias;
  return call;
}

/// Adds the layer below to a call, and its arguments.
template <class ExecutionSpace, class Types, class DZView, class ActivationType, class SavedType, class DBiasView>
void add_layer_below(CheckedCall& checked, const Below<DZView, ActivationType, SavedType, DBiasView>& argument,
                     const GemmBackwardOptions& options) {
  using TypesBelow   = typename Types::LayerBelow;
  const auto& saved  = saved_view(argument.saved);
  LayerBelow& below  = checked.call.below.emplace();
  below.saved        = call_matrix(matrix_ref<const typename TypesBelow::Saved>(saved, options.op_a));
  below.dbias        = call_matrix(row_vector_ref<typename TypesBelow::DBias>(argument.dbias, 1));
  below.update_dbias = options.dbias_below;
  add_activation<ExecutionSpace, TypesBelow, Types::has_own_elements>(below, argument.activation);
  checked.arguments.add<ExecutionSpace>("saved of the layer below", Access::input, saved);
  checked.arguments.add<ExecutionSpace>("dbias of the layer below", Access::output, argument.dbias);
}
template <class ExecutionSpace, class Types, class DAView>
void add_layer_below(CheckedCall&, const DAView&, const GemmBackwardOptions&) {}

template <class Views>
void check_layer_below(const ArgumentList& arguments, const Call& call) {
  using Argument = ArgumentDA<typename Views::DAArgument>;
  if constexpr (Argument::is_below) {
    check_extents<saved_view_t<typename Argument::SavedArgument>>(
        arguments, "op(saved of the layer below)", call.below->saved.extents(), "op(A)", call.A.extents());
    check_vector<typename Argument::DBias>(arguments, "dbias of the layer below", call.below->dbias.columns,
                                           call.A.columns);
  }
}

template <class ExecutionSpace, class DCView, class AView, class BView, class SavedType, class DAType, class DBView,
          class DBiasView, class ActivationType>
CheckedCall checked_gemm_backward(const DCView& dC, const AView& A, const BView& B, const SavedType& named,
                                  const DAType& argument_dA, const DBView& dB, const DBiasView& dbias,
                                  const ActivationType& activation, const GemmBackwardOptions& options) {
  using Views       = GemmBackwardViews<DCView, AView, BView, SavedType, DAType, DBView, DBiasView, ActivationType>;
  using Types       = typename Views::Types;
  const auto& saved = saved_view(named);
  const auto& dA    = ArgumentDA<DAType>::view(argument_dA);
  CheckedCall checked{ArgumentList("gemm_backward"),
                      gemm_backward_call<Types>(dC, A, B, saved, dA, dB, dbias, options)};
  Call& call = checked.call;
  add_activation<ExecutionSpace, Types>(call, activation);
  ArgumentList& arguments = checked.arguments;
  arguments.add<ExecutionSpace>("dC", Access::input, dC);
  arguments.add<ExecutionSpace>("A", Access::input, A);
  arguments.add<ExecutionSpace>("B", Access::input, B);
  arguments.add<ExecutionSpace>("saved", Access::input, saved);
  arguments.add<ExecutionSpace>("dA", Access::output, dA);
  arguments.add<ExecutionSpace>("dB", Access::output, dB);
  arguments.add<ExecutionSpace>("dbias", Access::output, dbias);
  add_layer_below<ExecutionSpace, Types>(checked, argument_dA, options);
  add_own_types<ExecutionSpace, Types>(call);

  check_product(arguments, call.A.extents(), call.B.extents(), call.dC.extents(), "dC");
  check_extents<typename Views::SavedView>(arguments, "saved", call.saved.extents(), "dC", call.dC.extents());
  check_extents<typename Views::DAView>(arguments, "op(dA)", call.dA.extents(), "op(A)", call.A.extents());
  check_extents<DBView>(arguments, "op(dB)", call.dB.extents(), "op(B)", call.B.extents());
  check_vector<DBiasView>(arguments, "dbias", call.dbias.columns, call.dC.columns);
  check_layer_below<Views>(arguments, call);
  arguments.check_memory();
  return checked;
}

}  // namespace Impl

/// The gradients of gemm. With dC the gradient of a loss with respect to C = act(Z), Z = alpha op_a(A) op_b(B) + bias:
///
///   dZ           = dC act'(saved)            element by element
///   op_a(dA) (+)= alpha dZ op_b(B)^T         m x k
///   op_b(dB) (+)= alpha op_a(A)^T dZ         k x n
///   dbias    (+)= sums of the columns of dZ  n
///
/// saved is what activation.saved names: Output(C), C as gemm wrote it, or PreActivation(Z), the Z that its epilogue
/// stored, m x n; the other one, or a View that does not say which it is, does not compile. If the derivative is
/// constant it is `none`; Output(C) and PreActivation(Z) are then checked like any argument, and never read. Where the
/// activation is a template parameter, saved_for(activation, C, Z) is the right one.
///
/// dA, dB and dbias have the extents of A, B and the bias; each may be `none`. options say for each whether it is
/// overwritten (its old values are never read) or added to. Views, elements, reproducibility, workspace, graphs,
/// exceptions and queueing are as for gemm. alpha = 0 adds zero to dA and dB, and an empty sum is zero whatever alpha
/// is.
///
/// dA may be Below(dZ, activation, saved, dbias) of the layer below, whose output A is (Tegula_Below.hpp). What is
/// stored is then the dZ of that layer, and its dbias:
///
///   op_a(dZ_below) = (alpha dZ op_b(B)^T [+ op_a(dA)]) act_below'(op_a(saved_below))   element by element
///   dbias_below (+)= sums of the columns of op_a(dZ_below)                             k
///
/// So with options.dA = accumulate, what the View holds is a gradient of A, from another layer that reads it, too: of
/// several such calls the last one names the layer below. options.dbias_below says what dbias_below does with old
/// values. saved_below may be A itself; dA may not overlap it. dbias_below sums dZ_below as it is stored, or before it
/// is rounded.
///
/// Kernels form dZ while they read dC, or multiply a dZ that waits in memory; `describe` says which. Teams of a host
/// may form a block of it in scratch, as accumulators. It waits in memory on Cuda only: as dC itself where act' is 1,
/// else in the workspace, where a pass forms it in the type of dC. So half_t and bhalf_t round dZ there before it is
/// multiplied; dbias is the sum of what was not rounded. Both products are then products of gemm, which any kernel
/// family computes, and operands of another type are widened by a pass, never rounded.
///
/// Errors of elements with Compute::native, as the tests hold all kernels to them; u is the accumulator's unit roundoff
/// (2^-24 or 2^-53), and storing a result rounds once more:
///
///   dA     8 u |alpha| (|dZ| + r |dC|) |op_b(B)|^T
///   dB     8 u |alpha| |op_a(A)|^T (|dZ| + r |dC|)
///   dbias  8 u times the sums of the columns of |dZ| + r |dC|
///
/// and 8 u of the values that are added to. r = 0 for Identity, Relu, LeakyRelu, Tanh and Sigmoid, whose act' is a
/// constant or a product, off by a few u |act'|. r = 1 for Silu, GeluTanh and GeluErf: their act' is a sum of terms of
/// up to 1 that cancel at its root (saved = -1.28, -0.752, -0.752), so it is off by a few u, and dZ = dC act' by a few
/// u |dC| even where dZ itself is next to nothing. For a user's activation, 8 u r is the error of its derivative.
/// dZ_below has the error of dA, old values included, times |act_below'|, and 8 u r_below |dA|; a dA that waits in
/// memory for its factor was rounded to its type once more. dbias_below has the sums of the columns of that, and of
/// 8 u |dZ_below|; where it sums what was stored, of one more rounding to the type of that.
/// Where dZ is rounded to 16 bits, that adds 2^-11 |dZ| (half_t) or 2^-8 |dZ| (bhalf_t) to 8 u (|dZ| + r |dC|).
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument DCView, class AView, class BView,
          class SavedType, class DAView, class DBView, class DBiasView, class ActivationType = Identity>
void gemm_backward(const ExecutionSpace& exec, const DCView& dC, const AView& A, const BView& B, const SavedType& saved,
                   const DAView& dA, const DBView& dB, const DBiasView& dbias, const ActivationType& activation = {},
                   const GemmBackwardOptions& options         = Impl::default_options<GemmBackwardOptions>(),
                   const Workspace<ExecutionSpace>& workspace = {}) {
  const auto call = Impl::checked_gemm_backward<ExecutionSpace>(dC, A, B, saved, dA, dB, dbias, activation, options);
  Impl::run_call(exec, call, options.plan, workspace);
}

/// The same by a plan that make_plan returned, without planning again. What may change is as for gemm; what gradients
/// do with old values may not.
template <Impl::IsExecutionSpace ExecutionSpace, class DCView, class AView, class BView, class SavedType, class DAView,
          class DBView, class DBiasView, class ActivationType = Identity>
void gemm_backward(const ExecutionSpace& exec, const Plan& plan, const DCView& dC, const AView& A, const BView& B,
                   const SavedType& saved, const DAView& dA, const DBView& dB, const DBiasView& dbias,
                   const ActivationType& activation           = {},
                   const GemmBackwardOptions& options         = Impl::default_options<GemmBackwardOptions>(),
                   const Workspace<ExecutionSpace>& workspace = {}) {
  const auto call = Impl::checked_gemm_backward<ExecutionSpace>(dC, A, B, saved, dA, dB, dbias, activation, options);
  Impl::run_call(exec, plan, call, options.plan, workspace);
}

/// The plan of gemm_backward for the same arguments, to be described, or run. Throws as gemm_backward does.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument DCView, class AView, class BView,
          class SavedType, class DAView, class DBView, class DBiasView, class ActivationType = Identity>
Plan make_plan(const ExecutionSpace& exec, const DCView& dC, const AView& A, const BView& B, const SavedType& saved,
               const DAView& dA, const DBView& dB, const DBiasView& dbias, const ActivationType& activation = {},
               const GemmBackwardOptions& options = {}) {
  const auto call = Impl::checked_gemm_backward<ExecutionSpace>(dC, A, B, saved, dA, dB, dbias, activation, options);
  return Impl::make_plan_of(exec, call, options.plan);
}

/// Bytes of workspace that gemm_backward needs for the same arguments; 0 means none. Throws as gemm_backward does.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument DCView, class AView, class BView,
          class SavedType, class DAView, class DBView, class DBiasView, class ActivationType = Identity>
std::size_t workspace_bytes(const ExecutionSpace& exec, const DCView& dC, const AView& A, const BView& B,
                            const SavedType& saved, const DAView& dA, const DBView& dB, const DBiasView& dbias,
                            const ActivationType& activation = {}, const GemmBackwardOptions& options = {}) {
  return make_plan(exec, dC, A, B, saved, dA, dB, dbias, activation, options).workspace_bytes();
}

/// The plan of gemm_backward for the same arguments in words. Throws as gemm_backward does.
template <Impl::IsExecutionSpace ExecutionSpace, Impl::IsMatrixArgument DCView, class AView, class BView,
          class SavedType, class DAView, class DBView, class DBiasView, class ActivationType = Identity>
std::string describe(const ExecutionSpace& exec, const DCView& dC, const AView& A, const BView& B,
                     const SavedType& saved, const DAView& dA, const DBView& dB, const DBiasView& dbias,
                     const ActivationType& activation = {}, const GemmBackwardOptions& options = {}) {
  return make_plan(exec, dC, A, B, saved, dA, dB, dbias, activation, options).text();
}

}  // namespace Tegula

#endif
