// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_TRIALS_IMPL_HPP
#define TEGULA_TEST_CUDA_TRIALS_IMPL_HPP

#include "Tegula_TestCudaTrials.hpp"

namespace Tegula::Test {

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

template <class Activation, class Input, class Output>
void run_cuda_backward_of(const CudaBackwardTrial<Input, Output>& trial, const Activation& activation) {
  trial.run(activation, [](const Plan&) {});
}

}  // namespace Tegula::Test

#endif
