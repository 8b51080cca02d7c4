// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_LAUNCH_HPP
#define TEGULA_HOST_LAUNCH_HPP

#include "Tegula_Call.hpp"
#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

/// Runs all products of a planned call in one launch, and one more for each product with split-k. Hosts are done when
/// it returns. The library has it for every host space of Kokkos.
template <class ExecutionSpace>
void launch_host_call(const ExecutionSpace& exec, const Call& call, const Plan& plan, char* workspace);

}  // namespace Tegula::Impl

#endif
