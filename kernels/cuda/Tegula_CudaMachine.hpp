// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_MACHINE_HPP
#define TEGULA_CUDA_MACHINE_HPP

#include <cstddef>
#include <cstdint>

#include "Tegula_CudaRates.hpp"
#include "Tegula_CudaSpace.hpp"
#include "portable/Tegula_PortableMachine.hpp"

namespace Tegula::Impl {

/// What the planners of the families for CUDA know of the machine.
struct CudaMachine {
  int multiprocessors     = 0;
  std::size_t scratch_max = 0;     // of a team, at level 0
  int major               = 9;     // of the compute capability
  bool keeps_parameters   = true;  // functors stay where TMA finds their tensor maps (Tegula_CudaSelfCheck.hpp)
  PortableMachine portable{};      // as the portable family sees it
  const CudaRates* rates = &cuda_rates(90);  // plans point to its name
  bool has_entry         = true;             // kernels are launched by Tegula's own entry: clusters, early begins
  bool is_at_hand        = true;  // plans are to be run: families whose kernels are not in this build take nothing
};

/// Threads that run at once: 2048 of a multiprocessor, as on the cards of data centres; others have fewer.
inline std::int64_t threads_at_once(const CudaMachine& machine) { return std::int64_t(2048) * machine.multiprocessors; }

/// The machine of an instance, with the record in use. Throws as cuda_rates_in_use does (Tegula_UseMachine.hpp).
CudaMachine cuda_machine(const Kokkos::Cuda& exec);

}  // namespace Tegula::Impl

#endif
