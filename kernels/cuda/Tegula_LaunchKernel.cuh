// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LAUNCH_KERNEL_CUH
#define TEGULA_LAUNCH_KERNEL_CUH

#include <cstdint>

#include "Tegula_CallableRef.hpp"
#include "Tegula_CudaDevice.hpp"
#include "Tegula_CudaEntry.hpp"
#include "Tegula_CudaTeams.cuh"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_StepObserver.hpp"
#if !TEGULA_CUDA_ENTRY
#include "Tegula_LaunchTeams.hpp"
#endif

namespace Tegula::Impl {

/// What an entry of Tegula's own is told beside the teams: how many of them form a cluster; whether they may begin
/// while the kernel in front of them ends, as passes over matrices may; whether they need nothing of that kernel
/// and run beside it, which some kernels cannot; and how much scratch they ask for then, if more than they use.
struct KernelLaunch {
  int cluster               = 1;
  bool begins_early         = true;
  bool runs_beside          = false;
  std::size_t scratch_bytes = 0;
};

#if TEGULA_CUDA_ENTRY
/// The kernel stays a parameter, where TMA can read its tensor maps. It may begin before the one in front of it has
/// ended, and waits for that: here, unless it names a type begins_itself.
template <class Kernel>
__global__ static void __launch_bounds__(Kernel::teams::threads, Kernel::teams::least_at_once)
    run_on_cuda_teams(const __grid_constant__ Kernel kernel) {
  const CudaTeam team(false);
  if constexpr (!requires { typename Kernel::begins_itself; }) begin_in_order(team);
  kernel(team);
}

/// Such a kernel, which may run beside the one in front. The flag comes first: whoever reads it has the line of memory
/// that the kernel's first arguments are in.
template <class Kernel>
struct KernelBeside {
  bool runs_beside;
  Kernel kernel;
};

/// It waits in the end, so that what is behind it depends on what is in front of it.
template <class Kernel>
__global__ static void __launch_bounds__(Kernel::teams::threads, Kernel::teams::least_at_once)
    run_beside(const __grid_constant__ KernelBeside<Kernel> argument) {
  const CudaTeam team(argument.runs_beside);
  if constexpr (!requires { typename Kernel::begins_itself; }) begin_in_order(team);
  argument.kernel(team);
  if (team.runs_beside()) ptx::wait_for_kernel_in_front();
}

/// Launches a type of kernels by an entry of its own.
template <class Kernel>
class CudaKernelEntry {
  static_assert(sizeof(Kernel) <= 4096, "an argument of a kernel has 4 KiB at most");

 public:
  static void make_ready(const Kokkos::Cuda& exec, const KernelLabel& label) {
    struct Ready {};
    static DeviceFacts<Ready> devices;
    make_current(exec);
    devices.of(device_of(exec), [&](int) {
      Impl::make_ready(exec, entry(), label);
      return Ready{};
    });
  }

  static void launch(const Kokkos::Cuda& exec, const KernelLabel& label, std::uint32_t teams, const Kernel& kernel,
                     const KernelLaunch& how) {
    if constexpr (can_run_beside) {
      const KernelBeside<Kernel> argument{how.runs_beside, kernel};
      launch_entry(exec, label, entry(), {teams, how.cluster, how.begins_early || how.runs_beside, how.scratch_bytes},
                   &argument);
    } else {
      launch_entry(exec, label, entry(), {teams, how.cluster, how.begins_early}, &kernel);
    }
  }

 private:
  static constexpr bool can_run_beside = !requires { typename Kernel::ends_itself; };

  static CudaEntry entry() {
    const void* function = nullptr;
    if constexpr (can_run_beside)
      function = reinterpret_cast<const void*>(&run_beside<Kernel>);
    else
      function = reinterpret_cast<const void*>(&run_on_cuda_teams<Kernel>);
    return {function, Kernel::teams::threads, Kernel::teams::scratch_bytes};
  }
};
#else
/// Launches a type of kernels as a TeamPolicy, by what Kokkos makes ready itself.
template <class Kernel>
struct CudaKernelEntry {
  static void make_ready(const Kokkos::Cuda&, const KernelLabel&) {}

  // A TeamPolicy has no clusters, and no plan asks for them (CudaMachine::has_entry); nor do its teams begin early.
  static void launch(const Kokkos::Cuda& exec, const KernelLabel& label, std::uint32_t teams, const Kernel& kernel,
                     const KernelLaunch& /* how */) {
    using Teams = typename Kernel::teams;
    launch_teams(label.if_heard(), typename Teams::policy(exec, static_cast<int>(teams), Teams::threads),
                 Teams::scratch_bytes, kernel);
  }
};
#endif

/// Queues a kernel on `teams` teams of the kind that it names. Calls before() when all that can fail is ready, and
/// before the kernel is queued. Throws std::runtime_error with the label.
template <class Kernel>
void launch_kernel(const Kokkos::Cuda& exec, const KernelLabel& label, std::uint32_t teams, const Kernel& kernel,
                   const CallableRef& before = CallableRef(), const KernelLaunch& how = {}) {
  using Entry = CudaKernelEntry<Kernel>;
  Entry::make_ready(exec, label);
  before();
  launch_observed(label, [&] { Entry::launch(exec, label, teams, kernel, how); });
}

/// The same for the kernel of a product, as planned.
template <class Kernel>
void launch_product(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product, std::uint32_t teams,
                    const Kernel& kernel, const CallableRef& before) {
  launch_kernel(exec, KernelLabel(plan, product), teams, kernel, before,
                {product.sharing_teams * product.tile_teams, product.begins_early, product.runs_beside,
                 product.runs_beside ? product.beside_scratch_bytes : 0});
}

}  // namespace Tegula::Impl

#endif
