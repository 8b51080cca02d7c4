// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TF32_COPY_HPP
#define TEGULA_TF32_COPY_HPP

#include <string>

#include "../Tegula_CudaSpace.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_Tf32Operands.hpp"

namespace Tegula::Impl {

/// Queues the copy of an operand to memory as tf32_copy_at() lays it out. Returns its place.
MatrixRef<const float> launch_tf32_copy(const Kokkos::Cuda& exec, const std::string& label,
                                        const MatrixRef<const float>& matrix, void* memory);

}  // namespace Tegula::Impl

#endif
