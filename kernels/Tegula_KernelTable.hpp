// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KERNEL_TABLE_HPP
#define TEGULA_KERNEL_TABLE_HPP

#include <array>
#include <span>
#include <string>
#include <vector>

#include "Tegula_FamilyRefusal.hpp"
#include "Tegula_Options.hpp"
#include "cuda/Tegula_CudaFamily.hpp"
#include "cuda/Tegula_CudaPasses.hpp"
#include "host/Tegula_HostFamily.hpp"
#include "portable/Tegula_PortableFamily.hpp"
#if TEGULA_HAS_MMA
#include "cuda/Tegula_CudaOwnActivation.cuh"
#endif

/// Which kernel family takes a call: the host family, the rows of cuda/Tegula_CudaFamily.hpp in their order, or the
/// portable family, which takes every problem. The families of hosts and of every space are types with
///
///   static constexpr const char* name;
///   template <class ExecutionSpace, class Problem> static constexpr bool takes_types;
///   static constexpr const char* other_types;
///   static const char* refusal(exec, problem, options);
///   static Plan plan(exec, problem, options, arguments);
///   static void launch(exec, problem, plan, workspace);
///
/// with the meaning that rows of the table for CUDA have, for the problems of Tegula_Problem.hpp.

namespace Tegula::Impl {

/// The names of all families.
inline std::vector<std::string> family_names() {
  std::vector<std::string> names{HostFamily::name};
  for (const CudaFamily* family : cuda_families()) names.emplace_back(family->name);
  names.emplace_back(PortableFamily::name);
  return names;
}

/// Why a family does not take a call; null if it does.
template <class Family, class ExecutionSpace, class Problem>
const char* refusal_of(const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options) {
  if constexpr (Family::template takes_types<ExecutionSpace, Problem>) {
    return Family::refusal(exec, problem, options);
  } else {
    return Family::other_types;
  }
}

/// A row for CUDA, and the call that it takes.
struct CudaFamilyForCall {
  const CudaFamily& family;
  const CudaMachine& machine;
  const Call& call;

  template <class ExecutionSpace, class Problem>
  Plan plan(const ExecutionSpace&, const Problem&, const PlanOptions& options, const ArgumentList& arguments) const {
    return family.plan(call, machine, options, arguments);
  }
  template <class ExecutionSpace, class Problem>
  void launch(const ExecutionSpace& exec, const Problem&, const Plan& plan, char* workspace) const {
    family.launch(exec, call, plan, workspace, CallableRef());
  }
};

/// A call that runs on CUDA with elementwise passes, as planned.
struct CudaPassesForCall {
  const PlannedPasses& planned;
  const Call& call;

  template <class ExecutionSpace, class Problem>
  Plan plan(const ExecutionSpace&, const Problem&, const PlanOptions&, const ArgumentList&) const {
    return planned.plan;
  }
  template <class ExecutionSpace, class Problem>
  void launch(const ExecutionSpace& exec, const Problem&, const Plan&, char* workspace) const {
    launch_with_passes(exec, call, planned, workspace);
  }
};

#if TEGULA_HAS_MMA
/// A problem as plain data for CUDA. The problem's activation outlives it.
template <class Problem>
Call cuda_call_of(const Problem& problem) {
  Call call = call_of(problem);
  if constexpr (!is_built_in<typename Problem::activation_type>) call.passes = own_passes(problem);
  return call;
}
#endif

/// Visits families in the order of the table until one takes the problem, and notes why others do not.
template <class ExecutionSpace, class Problem>
class FamilySearch {
 public:
  FamilySearch(const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
               const ArgumentList& arguments)
      : exec_(exec), problem_(problem), options_(options), arguments_(arguments) {}

  /// Calls visit(Family()) and returns true, if options allow the family and it takes the problem.
  template <class Family, class Visitor>
  bool try_type(const Visitor& visit) {
    if constexpr (Family::template takes_types<ExecutionSpace, Problem>) {
      if (is_allowed(Family::name) && Family::refusal(exec_, problem_, options_) == nullptr) {
        visit(Family());
        return true;
      }
    }
    return false;
  }

  /// The same with the rows for CUDA, alone and with passes, the portable family last.
  template <class Visitor>
  bool try_cuda([[maybe_unused]] const Visitor& visit) {
#if TEGULA_HAS_MMA
    if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
      constexpr std::array portable{&portable_cuda_family};
      const Call call = cuda_call_of(problem_);
      return try_rows(cuda_families(), call, visit) || try_rows(portable, call, visit);
    }
#endif
    return false;
  }

  /// Throws std::invalid_argument: why no family takes the problem.
  [[noreturn]] void fail() {
    std::vector<FamilyRefusal> refusals;
    const auto add = [&]<class Family>() {
      refusals.push_back({Family::name, Impl::refusal_of<Family>(exec_, problem_, options_)});
    };
    add.template operator()<HostFamily>();
    for (const CudaFamily* family : cuda_families()) refusals.push_back({family->name, cuda_refusal(*family)});
    add.template operator()<PortableFamily>();
    fail_without_family(arguments_, options_.family, ExecutionSpace::name(), refusals);
  }

 private:
#if TEGULA_HAS_MMA
  template <class Visitor>
  bool try_rows(std::span<const CudaFamily* const> families, const Call& call, const Visitor& visit) const {
    const CudaMachine& machine = cuda_machine(exec_);
    for (const CudaFamily* const& family : families) {
      if (!is_allowed(family->name)) continue;
      if (Impl::refusal_of(*family, call, machine, options_) == nullptr) {
        visit(CudaFamilyForCall{*family, machine, call});
        return true;
      }
      // A family that comes first is the faster one even with a pass.
      if (const auto planned = plan_with_passes({&family, 1}, call, machine, options_, arguments_)) {
        visit(CudaPassesForCall{*planned, call});
        return true;
      }
    }
    return false;
  }
#endif

  bool is_allowed(const char* name) const { return options_.family.empty() || options_.family == name; }

  const char* cuda_refusal(const CudaFamily& family) const {
#if TEGULA_HAS_MMA
    if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>)
      return Impl::refusal_of(family, cuda_call_of(problem_), cuda_machine(exec_), options_);
#endif
    return family.launch == nullptr ? no_cuda_kernels : family.types;
  }

  const ExecutionSpace& exec_;
  const Problem& problem_;
  const PlanOptions& options_;
  const ArgumentList& arguments_;
};

/// Calls visit(family) for the first family of the table that takes the problem, or for the one that options name.
template <class ExecutionSpace, class Problem, class Visitor>
void visit_family(const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
                  const ArgumentList& arguments, const Visitor& visit) {
  FamilySearch<ExecutionSpace, Problem> search(exec, problem, options, arguments);
  if (search.template try_type<HostFamily>(visit) || search.try_cuda(visit) ||
      search.template try_type<PortableFamily>(visit))
    return;
  search.fail();
}

}  // namespace Tegula::Impl

#endif
