// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_TRIALS_HPP
#define TEGULA_TEST_CUDA_TRIALS_HPP

#include "Tegula_TestAgainstPortable.hpp"
#include "cuda/Tegula_CudaCall.hpp"

/// Trials of the families for tensor cores. A call brings the portable family's kernels along, which take their time to
/// compile: CMakeLists.txt has one source file for each pair of types, and all tests share them.

namespace Tegula::Test {

/// The type of a bias and its gradient: that of sums.
template <class Input>
using CudaBias = Impl::sum_t<Impl::bits_t<Input>>;
template <class Input, class Output>
using CudaGemmTrial = GemmTrial<Kokkos::Cuda, Input, Output, CudaBias<Input>>;
template <class Input, class Output>
using CudaBackwardTrial = BackwardTrial<Kokkos::Cuda, Input, Output, CudaBias<Input>>;

/// Runs a trial by both families, with an activation that its number chooses.
template <class Input, class Output>
void run_cuda_gemm(const CudaGemmTrial<Input, Output>& trial);

/// The same. Returns what each dZ may err by, relatively: not all derivatives are 0 and 1.
template <class Input, class Output>
double run_cuda_backward(const CudaBackwardTrial<Input, Output>& trial);

}  // namespace Tegula::Test

#endif
