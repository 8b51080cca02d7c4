// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_LAUNCH_HPP
#define TEGULA_HOST_LAUNCH_HPP

#include "Tegula_HostCall.hpp"
#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

/// Runs all products of a call in one launch, and one more for each product with split-k. Hosts are done when it
/// returns. The library has it for float and double, on every host space of Kokkos.
template <class ExecutionSpace, class T>
void launch_host(const ExecutionSpace& exec, const HostCall<T>& call);

}  // namespace Tegula::Impl

#endif
