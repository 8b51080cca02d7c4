// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_FinishPass.hpp"

#include "Tegula_FinishPassKernel.cuh"

namespace Tegula::Impl {

void launch_finish(const Kokkos::Cuda& exec, const KernelLabel& label, const FinishCall& call,
                   const CallableRef& before) {
  if (call.C.element == Element::f64) {
    launch_finish_of<double>(exec, label, call, ChosenActivation{call.activation}, before);
  } else {
    launch_finish_of<float>(exec, label, call, ChosenActivation{call.activation}, before);
  }
}

}  // namespace Tegula::Impl
