// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_LAUNCH_HPP
#define TEGULA_STREAM_LAUNCH_HPP

#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_StreamArguments.hpp"

/// Launches that are compiled into the library, for compute capability 8.0 and newer.

namespace Tegula::Impl {

/// Queues the kernel of a planned product of float or double. Calls before() when all that can fail is ready, and
/// before it is queued.
template <class T>
void launch_stream(const Kokkos::Cuda& exec, const StreamArguments<T>& arguments, const Plan& plan,
                   const ProductPlan& product, const CallableRef& before);

}  // namespace Tegula::Impl

#endif
