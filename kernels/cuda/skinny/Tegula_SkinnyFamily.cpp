// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSteps.hpp"
#include "Tegula_SkinnyLaunch.hpp"
#include "Tegula_SkinnyPlan.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "skinny";

bool takes_types(const Call& call) { return has_activation(call) && !call.is_backward && is_float_or_double(call); }

template <class T>
const char* refusal_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (!is_skinny<T>(call.shape(), machine, options))
    return "no tile that options allow has room for all of the smaller of m and n";
  const bool takes = !options.family.empty() || is_best_skinny(product_call<T>(call), call.shape());
  return takes ? nullptr : faster_elsewhere;
}

const char* refusal(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(call, machine)) return reason;
  return (is_double(call) ? refusal_of_type<double> : refusal_of_type<float>)(call, machine, options);
}

Plan plan(const Call& call, const CudaMachine& machine, const PlanOptions& options, const ArgumentList& arguments) {
  Plan plan = cuda_plan(name, call, machine);
  (is_double(call) ? plan_skinny_product<double> : plan_skinny_product<float>)(plan, machine, options, arguments);
  return plan;
}

#if TEGULA_HAS_MMA
void launch(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char*, const CallableRef& before) {
  if (is_double(call)) {
    launch_skinny(exec, product_call<double>(call), plan, plan.products[0], before);
  } else {
    launch_skinny(exec, product_call<float>(call), plan, plan.products[0], before);
  }
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Products that memory limits, of a long matrix and one that is short in both directions, in either order: gemm in
/// float and double, by fused multiply-adds, on compute capability 8.0 and newer.
const CudaFamily skinny_family{name, gemm_in_float_or_double, takes_types, refusal, plan, launch};

}  // namespace Tegula::Impl
