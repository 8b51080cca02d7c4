// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_LAUNCH_CUH
#define TEGULA_SIMT_LAUNCH_CUH

#include <stdexcept>

#include "Tegula_KernelLabel.hpp"
#include "Tegula_LaunchTeams.hpp"
#include "Tegula_SimtKernel.cuh"

/// From what a kernel is told to the kernel on a stream.

namespace Tegula::Impl {

template <class Kernel>
void launch_simt_kernel(const Kokkos::Cuda& exec, const Plan& plan, const Kernel& kernel) {
  using Config = typename Kernel::config;
  const typename Kernel::policy policy(exec, static_cast<int>(kernel.tiles.works()), Config::threads);
  launch_teams(kernel_label(plan), policy, Config::scratch_bytes, kernel);
}

/// Finds the configuration that the plan names.
template <FetchBy left_by, FetchBy right_by, class Config, class... Others>
void launch_simt_with(AsyncConfigList<Config, Others...>, const Kokkos::Cuda& exec, const Plan& plan,
                      const SimtArguments& arguments) {
  if (plan.tile() == Config::shape())
    return launch_simt_kernel(exec, plan, SimtKernel<Config, left_by, right_by>(arguments));
  if constexpr (sizeof...(Others) > 0) {
    launch_simt_with<left_by, right_by>(AsyncConfigList<Others...>(), exec, plan, arguments);
  } else {
    throw std::logic_error("Tegula: the simt family has no tile " + text(plan.tile()));
  }
}

/// One source file for each way in which the left operand is fetched, so that they compile at the same time.
template <FetchBy left_by>
void launch_simt_left(const Kokkos::Cuda& exec, const Plan& plan, const SimtArguments& arguments) {
  switch (arguments.right.by) {
    case FetchBy::chunks:
      return launch_simt_with<left_by, FetchBy::chunks>(SimtConfigs(), exec, plan, arguments);
    case FetchBy::depth:
      return launch_simt_with<left_by, FetchBy::depth>(SimtConfigs(), exec, plan, arguments);
    case FetchBy::lines:
      return launch_simt_with<left_by, FetchBy::lines>(SimtConfigs(), exec, plan, arguments);
  }
}

}  // namespace Tegula::Impl

#endif
