// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OWN_PASSES_HPP
#define TEGULA_OWN_PASSES_HPP

/// The elementwise passes of a user's activation, compiled where it is used: the only header of kernels/ that core/
/// includes. CUDA has such passes.

#if TEGULA_HAS_MMA
#include "cuda/Tegula_CudaOwnActivation.cuh"
#endif

#endif
