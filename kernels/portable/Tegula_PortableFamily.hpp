// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_FAMILY_HPP
#define TEGULA_PORTABLE_FAMILY_HPP

#include "Tegula_PortableLaunch.hpp"
#include "Tegula_PortableMachineOf.hpp"
#include "Tegula_PortablePlan.hpp"
#include "product/Tegula_UncutPlan.hpp"

namespace Tegula::Impl {

/// The tiles that the family has on an execution space.
template <class ExecutionSpace, class Accumulator>
inline constexpr auto& portable_tiles = portable_choices<is_host_space<ExecutionSpace>, Accumulator>;

/// Whether an execution space is CUDA with kernels in the library, which take all calls of element types that Tegula
/// brings (cuda/Tegula_CudaPortable.cpp).
template <class ExecutionSpace>
inline constexpr bool has_cuda_rows = false;
#if TEGULA_HAS_MMA
template <>
inline constexpr bool has_cuda_rows<Kokkos::Cuda> = true;
#endif

/// The reference family: plain Kokkos, every execution space, element type, layout and stride.
struct PortableFamily {
  static constexpr const char* name = "portable";

  template <class ExecutionSpace, class Problem>
  static constexpr bool takes_types = !(has_cuda_rows<ExecutionSpace> && has_built_in_elements<Problem>);
  static constexpr const char* other_types =
      "its kernels for these types are in the library, and take gemm with an activation that Tegula brings";

  template <class ExecutionSpace, class Problem>
  static const char* refusal(const ExecutionSpace& exec, const Problem&, const PlanOptions&) {
    constexpr auto& tiles = portable_tiles<ExecutionSpace, typename Problem::accumulator>;
    return portable_machine(exec).has_scratch(tiles.back().scratch_bytes) ? nullptr : "a team has too little scratch";
  }

  template <class ExecutionSpace, class Problem>
  static Plan plan(const ExecutionSpace& exec, const Problem& problem, const PlanOptions& options,
                   const ArgumentList& arguments) {
    using accumulator = typename Problem::accumulator;
    return portable_plan(portable_machine(exec), portable_tiles<ExecutionSpace, accumulator>,
                         uncut_plan<ExecutionSpace>(name, problem), sizeof(accumulator), options, arguments);
  }

  template <class ExecutionSpace, class Problem>
  static void launch(const ExecutionSpace& exec, const Problem& problem, const Plan& plan, char* workspace) {
    portable_launch(exec, problem, plan, workspace);
  }
};

}  // namespace Tegula::Impl

#endif
