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

/// What rounding of both factors to TF32, 11 bits, adds to the bound of the contract: 2^-10 of each product, where the
/// bound is 2^-21.
constexpr double rounding_factor(Compute compute) { return compute == Compute::tf32 ? 2048 : 0; }

/// Tensor cores truncate the sum after every 16 steps, of TF32 after every 8, where rounding would err half as much; so
/// the bound of the contract grows with k. Sums in double and float are rounded.
template <class Input>
double tensor_core_factor(Compute compute, std::int64_t k) {
  const auto steps = static_cast<double>(k);
  if (compute == Compute::tf32) return 1 + steps / 32 + rounding_factor(compute);
  return sizeof(Input) > 2 ? 1 : 1 + steps / 64;
}

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
