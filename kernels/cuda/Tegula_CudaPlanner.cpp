// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaPlanner.hpp"

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "Tegula_CudaPasses.hpp"
#include "host/Tegula_HostFamily.hpp"

namespace Tegula::Impl {

std::vector<FamilyRefusal> refusals_without_cuda() {
  std::vector<FamilyRefusal> refusals;
  for (const CudaFamily* family : cuda_families())
    refusals.push_back({family->name, family->launch == nullptr ? no_cuda_kernels : family->types});
  return refusals;
}

#if TEGULA_HAS_MMA
namespace {

constexpr std::array portable_alone{&portable_cuda_family};

/// A plan by the first of these families that takes a call, alone or with passes.
std::optional<Plan> plan_by(std::span<const CudaFamily* const> families, const Call& call, const CudaMachine& machine,
                            const PlanOptions& options, const ArgumentList& arguments) {
  for (const CudaFamily* family : families) {
    const bool is_allowed = options.family.empty() || options.family == family->name;
    if (is_allowed && refusal_of(*family, call, machine, options) == nullptr)
      return family->plan(call, machine, options, arguments);
  }
  const auto planned = plan_with_passes(families, call, machine, options, arguments);
  return planned ? std::optional(planned->plan) : std::nullopt;
}

const CudaFamily& family_named(std::string_view name) {
  for (const CudaFamily* family : cuda_families())
    if (name == family->name) return *family;
  return portable_cuda_family;
}

}  // namespace

Plan plan_cuda_call(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                    const ArgumentList& arguments) {
  auto plan = plan_by(cuda_families(), call, machine, options, arguments);
  if (!plan) plan = plan_by(portable_alone, call, machine, options, arguments);
  if (plan) return *plan;
  std::vector<FamilyRefusal> refusals = cuda_refusals(call, machine, options);
  refusals.insert(refusals.begin(), {host_family, host_types});
  fail_without_family(arguments, options.family, "Cuda", refusals);
}

void launch_cuda_plan(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace) {
  // A family that takes the types of a call takes it without passes.
  const CudaFamily& family = family_named(plan.family);
  if (family.takes_types(call)) return family.launch(exec, call, plan, workspace, CallableRef());
  launch_with_passes(exec, call, {&family, plan}, workspace);
}

std::vector<FamilyRefusal> cuda_refusals(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  std::vector<FamilyRefusal> refusals;
  for (const CudaFamily* family : cuda_families())
    refusals.push_back({family->name, refusal_of(*family, call, machine, options)});
  refusals.push_back({portable_cuda_family.name, refusal_of(portable_cuda_family, call, machine, options)});
  return refusals;
}
#endif

}  // namespace Tegula::Impl
