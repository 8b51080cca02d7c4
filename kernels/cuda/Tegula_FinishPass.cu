// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_FinishPass.hpp"

#include "Tegula_FinishPassKernel.hpp"

namespace Tegula::Impl {

void launch_finish(const Kokkos::Cuda& exec, const std::string& label, const FinishCall& call) {
  if (call.C.element == Element::f64) {
    launch_finish_of<double>(exec, label, call, ChosenActivation{call.activation});
  } else {
    launch_finish_of<float>(exec, label, call, ChosenActivation{call.activation});
  }
}

}  // namespace Tegula::Impl
