// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_TRIALS_HPP
#define TEGULA_TEST_CUDA_TRIALS_HPP

#include "Tegula_TestAgainstPortable.hpp"
#include "cuda/Tegula_CudaCall.hpp"

/// Trials of the families for tensor cores. A call brings the portable family's kernels along, which take their time to
/// compile: there is a source file for each pair of types and, backwards, for every two activations. All tests share
/// them.

namespace Tegula::Test {

/// The type of a bias and its gradient: that of sums.
template <class Input>
using CudaBias = Impl::sum_t<Impl::bits_t<Input>>;
template <class Input, class Output>
using CudaGemmTrial = GemmTrial<Kokkos::Cuda, Input, Output, CudaBias<Input>>;
template <class Input, class Output>
using CudaBackwardTrial = BackwardTrial<Kokkos::Cuda, Input, Output, CudaBias<Input>>;

/// Neither the default nor one that is exact in 16 bits.
inline LeakyRelu some_leaky_relu(int number) { return LeakyRelu(0.07 * (1 + number % 11)); }

/// Runs a trial by both families, with an activation that its number chooses.
template <class Input, class Output>
void run_cuda_gemm(const CudaGemmTrial<Input, Output>& trial);

/// Runs a trial of gemm_backward by both families, with this activation.
template <class Activation, class Input, class Output>
void run_cuda_backward_of(const CudaBackwardTrial<Input, Output>& trial, const Activation& activation);

/// The same, with an activation that its number chooses. Returns what each dZ may err by, relatively: not all
/// derivatives are 0 and 1.
template <class Input, class Output>
double run_cuda_backward(const CudaBackwardTrial<Input, Output>& trial) {
  const int choice = trial.number / 5 % 4;
  switch (choice) {
    case 0:
      run_cuda_backward_of(trial, Identity());
      break;
    case 1:
      run_cuda_backward_of(trial, Relu());
      break;
    case 2:
      run_cuda_backward_of(trial, some_leaky_relu(trial.number));
      break;
    default:
      run_cuda_backward_of(trial, Tanh());
  }
  return choice < 2 ? 0 : ScalarTraits<Input>::unit_roundoff;
}

}  // namespace Tegula::Test

#endif
