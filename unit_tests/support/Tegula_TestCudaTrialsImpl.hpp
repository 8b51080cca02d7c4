// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_TRIALS_IMPL_HPP
#define TEGULA_TEST_CUDA_TRIALS_IMPL_HPP

#include "Tegula_TestCudaTrials.hpp"

namespace Tegula::Test {

/// Neither the default nor one that is exact in 16 bits.
inline LeakyRelu some_leaky_relu(int number) { return LeakyRelu(0.07 * (1 + number % 11)); }

template <class Input, class Output>
void run_cuda_gemm(const CudaGemmTrial<Input, Output>& trial) {
  switch (trial.number / 4 % 4) {
    case 0:
      return trial.run(Identity());
    case 1:
      return trial.run(Relu());
    case 2:
      return trial.run(some_leaky_relu(trial.number));
    default:
      trial.run(GeluTanh());
  }
}

template <class Input, class Output>
double run_cuda_backward(const CudaBackwardTrial<Input, Output>& trial) {
  const auto ignore = [](const Plan&) {};
  switch (trial.number / 5 % 4) {
    case 0:
      trial.run(Identity(), ignore);
      return 0;
    case 1:
      trial.run(Relu(), ignore);
      return 0;
    case 2:
      trial.run(some_leaky_relu(trial.number), ignore);
      return ScalarTraits<Input>::unit_roundoff;
    default:
      trial.run(Tanh(), ignore);
      return ScalarTraits<Input>::unit_roundoff;
  }
}

}  // namespace Tegula::Test

#endif
