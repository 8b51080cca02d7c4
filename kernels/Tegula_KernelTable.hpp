// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KERNEL_TABLE_HPP
#define TEGULA_KERNEL_TABLE_HPP

#include <array>

#include "Tegula_FamilyRefusal.hpp"
#include "Tegula_Options.hpp"
#include "cuda/fp32_split/Tegula_Fp32SplitFamily.hpp"
#include "cuda/gemv/Tegula_GemvFamily.hpp"
#include "cuda/mma/Tegula_MmaFamily.hpp"
#include "cuda/panel/Tegula_PanelFamily.hpp"
#include "cuda/simt/Tegula_SimtFamily.hpp"
#include "cuda/skinny/Tegula_SkinnyFamily.hpp"
#include "cuda/tall/Tegula_TallFamily.hpp"
#include "cuda/tf32/Tegula_Tf32Family.hpp"
#include "cuda/wgmma/Tegula_WgmmaFamily.hpp"
#include "host/Tegula_HostFamily.hpp"
#include "portable/Tegula_PortableFamily.hpp"

/// The one table of kernel families. A family is a type with
///
///   static constexpr const char* name;
///   template <class ExecutionSpace, class Problem> static constexpr bool takes_types;
///   static constexpr const char* other_types;
///   static const char* refusal(exec, problem, options);
///   static Plan plan(exec, problem, options, arguments);
///   static void launch(exec, problem, plan, workspace);
///
/// takes_types: compiled for these types; other_types says which those are, or why there are none. refusal: null if the
/// family takes the call, or why not, as a clause. It asks the device, the alignments and the scratch, and assumes
/// nothing; options.family tells whether the caller asks for the family. plan: an option that it cannot meet ends in
/// arguments.fail(). launch: queues the kernels on exec, no more.
///
/// for the problems of Tegula_Problem.hpp. To add one: a folder beside portable/ and a row here.

namespace Tegula::Impl {

template <class... Families>
struct FamilyTable {};

/// First come, first served. The portable family takes every problem, so it stands last.
using KernelTable = FamilyTable<HostFamily, Fp32SplitFamily, Tf32Family, WgmmaFamily, SkinnyFamily, TallFamily,
                                GemvFamily, PanelFamily, MmaFamily, SimtFamily, PortableFamily>;

/// Why a family does not take a call; null if it does.
template <class Family, class ExecutionSpace, class Problem>
const char* refusal_of(const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options) {
  if constexpr (Family::template takes_types<ExecutionSpace, Problem>) {
    return Family::refusal(exec, problem, options);
  } else {
    return Family::other_types;
  }
}

/// Calls visit(Family()) for the first family of the table that takes the problem, or for the one that options name.
template <class... Families, class ExecutionSpace, class Problem, class Visitor>
void visit_family(FamilyTable<Families...>, const ExecutionSpace& exec, const Problem& problem,
                  const PlanOptions& options, const ArgumentList& arguments, const Visitor& visit) {
  const auto visits = [&]<class Family>() {
    if constexpr (Family::template takes_types<ExecutionSpace, Problem>) {
      const bool is_wanted = options.family.empty() || options.family == Family::name;
      if (!is_wanted || Family::refusal(exec, problem, options) != nullptr) return false;
      visit(Family());
      return true;
    } else {
      return false;
    }
  };
  if ((visits.template operator()<Families>() || ...)) return;
  const std::array refusals{FamilyRefusal{Families::name, refusal_of<Families>(exec, problem, options)}...};
  fail_without_family(arguments, options.family, ExecutionSpace::name(), refusals);
}

}  // namespace Tegula::Impl

#endif
