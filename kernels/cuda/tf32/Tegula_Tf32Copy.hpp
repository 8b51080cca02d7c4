// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_COPY_HPP
#define TEGULA_TF32_COPY_HPP

#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_Tf32Operands.hpp"

namespace Tegula::Impl {

/// Queues the copy of an operand to memory as tf32_copy_at() lays it out. Returns its place. Calls before() when all
/// that can fail is ready, and before anything is queued.
MatrixRef<const float> launch_tf32_copy(const Kokkos::Cuda& exec, const KernelLabel& label,
                                        const MatrixRef<const float>& matrix, void* memory, bool runs_beside,
                                        const CallableRef& before);

}  // namespace Tegula::Impl

#endif
