// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "Tegula_GemvArguments.hpp"
#include "Tegula_GemvLaunch.hpp"
#include "Tegula_GemvPlan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "gemv";

bool takes_types(const Call& call) { return has_activation(call) && !call.is_backward && is_float_or_double(call); }

template <class T>
const char* refusal_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  const auto major = streamed_major(product_call<T>(call), call.shape());
  if (!major) return "the long operand is not in aligned runs of 16 bytes";
  if (!is_gemv<T>(call.shape(), *major, machine, options))
    return "both m and n are larger than 8, or options ask for another tile";
  return options.family.empty() && !is_best_gemv<T>(call.shape(), *major) ? faster_elsewhere : nullptr;
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(call, machine)) return reason;
  return (is_double(call) ? refusal_of_type<double> : refusal_of_type<float>)(call, machine, options);
}

template <class T>
void plan_type(const Call& call, Plan& plan, const CudaMachine& machine, const PlanOptions& options,
               const ArgumentList& arguments) {
  const auto major = streamed_major(product_call<T>(call), call.shape());
  plan_gemv_product<T>(plan, *major, machine, options, arguments);
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = cuda_plan(name, call, machine);
  (is_double(call) ? plan_type<double> : plan_type<float>)(call, plan, machine, options, arguments);
  return plan;
}

#if TEGULA_HAS_MMA
template <class T>
void launch_type(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace,
                 const CallableRef& before) {
  launch_one_by_one<T>(exec, call, plan, workspace, before,
                       [&](const auto& c, const ProductPlan& product, char* memory, const CallableRef& others) {
                         launch_gemv(exec, c, plan, product, reinterpret_cast<T*>(memory), others);
                       });
}

void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, const CallableRef& before) {
  (is_double(call) ? launch_type<double> : launch_type<float>)(exec, call, plan, workspace, before);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Products of a few rows or columns that memory limits, a matrix times a vector and the like: gemm in float and
/// double, by fused multiply-adds, on compute capability 8.0 and newer.
const CudaFamily gemv_family{name, gemm_in_float_or_double, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
