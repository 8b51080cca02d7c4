// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LAUNCH_KERNEL_HPP
#define TEGULA_LAUNCH_KERNEL_HPP

#include <cstdint>
#include <string>

#include "Tegula_KernelLabel.hpp"
#include "Tegula_LaunchTeams.hpp"
#include "Tegula_WithConfig.hpp"

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA
/// Queues a kernel on `teams` teams, with the threads and scratch of its configuration.
template <class Kernel>
void launch_kernel(const Kokkos::Cuda& exec, const std::string& label, std::uint32_t teams, const Kernel& kernel) {
  using Config = typename Kernel::config;
  const typename Kernel::policy policy(exec, static_cast<int>(teams), Config::threads);
  launch_teams(label, policy, Config::scratch_bytes, kernel);
}
#endif

}  // namespace Tegula::Impl

#endif
