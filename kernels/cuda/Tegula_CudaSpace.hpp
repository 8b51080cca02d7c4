// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_SPACE_HPP
#define TEGULA_CUDA_SPACE_HPP

/// The execution space, for files that only pass it on and need not know Kokkos.

namespace Kokkos {
class Cuda;
}

#endif
