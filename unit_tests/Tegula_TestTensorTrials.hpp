// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_TENSOR_TRIALS_HPP
#define TEGULA_TEST_TENSOR_TRIALS_HPP

#include "Tegula_TestAgainstPortable.hpp"

/// Trials of the families for tensor cores. A call brings the portable family's kernels along, which take their time to
/// compile: CMakeLists.txt has one source file for each pair of types, and all tests share them.

namespace Tegula::Test {

template <class Input, class Output>
using TensorGemmTrial = GemmTrial<Kokkos::Cuda, Input, Output, float>;
template <class Input, class Output>
using TensorBackwardTrial = BackwardTrial<Kokkos::Cuda, Input, Output, float>;

/// Runs a trial by both families, with an activation that its number chooses.
template <class Input, class Output>
void run_tensor_gemm(const TensorGemmTrial<Input, Output>& trial);

/// The same. Returns what each dZ may err by, relatively: not all derivatives are 0 and 1.
template <class Input, class Output>
double run_tensor_backward(const TensorBackwardTrial<Input, Output>& trial);

}  // namespace Tegula::Test

#endif
