// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "Tegula_TallArguments.hpp"
#include "Tegula_TallLaunch.hpp"
#include "Tegula_TallPlan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "tall";
constexpr const char* types =
    "it takes gemm_backward in float or double throughout, with an activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) { return call.is_backward && call.is_built_in && is_float_or_double(call); }

GemmShape shape_of(const Call& call) { return {call.dC.rows, call.dC.columns, call.A.columns}; }

template <class T>
TallCall<T> tall_call(const Call& call) {
  return {call.dC.as<const T>(),
          call.has_constant_slope ? MatrixRef<const T>{} : call.saved.as<const T>(),
          call.dB.data == nullptr ? MatrixRef<const T>{} : call.A.as<const T>(),
          call.B.as<const T>(),
          call.dA.as<T>(),
          call.activation,
          static_cast<T>(call.alpha_of(call.dA_shape())),
          call.update_dA == Update::accumulate};
}

template <class T>
const char* refusal_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (!is_tall<T>(shape_of(call), machine, options))
    return "n or k is 0 or wider than a tile, m is not larger than one, or options ask for another tile or a split";
  const TallCall<T> tall = tall_call<T>(call);
  const auto major       = tall_major(tall);
  if (!major) return "dC, saved and A are not all contiguous in one direction, in aligned runs of 16 bytes";
  const bool takes = !options.family.empty() || (is_best_tall<T>(shape_of(call)) && lies_along(tall.dA, *major));
  return takes ? nullptr : faster_elsewhere;
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(call, machine)) return reason;
  if (call.alpha == 0) return "alpha is 0";
  return (is_double(call) ? refusal_of_type<double> : refusal_of_type<float>)(call, machine, options);
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = uncut_plan(name, "Cuda", call);
  (is_double(call) ? plan_tall_products<double> : plan_tall_products<float>)(plan, shape_of(call), machine, options,
                                                                             arguments);
  return plan;
}

#if TEGULA_HAS_MMA
template <class T>
void launch_type(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                 const CallableRef& before) {
  const bool has_sums = is_wanted(plan.products[1]);
  launch_tall<T>(exec, tall_call<T>(call), plan, has_sums ? reinterpret_cast<T*>(workspace) : nullptr, before);
}

void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  (is_double(call) ? launch_type<double> : launch_type<float>)(exec, call, plan, workspace, before);
  launch_slice_sums(exec, call, plan, workspace, true);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// All gradients of a long matrix times a small one, which memory limits, in one pass: gemm_backward in float and
/// double on compute capability 8.0 and newer.
const CudaFamily tall_family{name, types, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
