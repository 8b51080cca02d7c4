// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LAUNCH_TEAMS_HPP
#define TEGULA_LAUNCH_TEAMS_HPP

#include <cstddef>
#include <string>

#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

/// Queues a kernel whose teams have `scratch_bytes` of scratch each. The functor is declared light weight: it travels
/// with the launch instead of through constant memory, which would have to wait for the kernel before.
template <class Policy, class Kernel>
void launch_teams(const std::string& label, Policy policy, std::size_t scratch_bytes, const Kernel& kernel,
                  int scratch_level = 0) {
  using Kokkos::Experimental::WorkItemProperty;
  policy.set_scratch_size(scratch_level, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  Kokkos::parallel_for(label, Kokkos::Experimental::require(policy, WorkItemProperty::HintLightWeight), kernel);
}

}  // namespace Tegula::Impl

#endif
