// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_LAUNCH_HPP
#define TEGULA_TALL_LAUNCH_HPP

#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_TallArguments.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of a planned call of float or double. `partial_sums` is where slices of dB^T and dbias go. Calls
/// before() when all that can fail is ready, and before it is queued.
template <class T>
void launch_tall(const Kokkos::Cuda& exec, const TallCall<T>& call, const Plan& plan, T* partial_sums,
                 const CallableRef& before);

}  // namespace Tegula::Impl

#endif
