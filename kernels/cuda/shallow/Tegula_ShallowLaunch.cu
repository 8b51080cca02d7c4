// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ShallowLaunch.hpp"

#include "../Tegula_CudaInput.hpp"

namespace Tegula::Impl {

template <class Input>
void launch_shallow_of(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory,
                       const CallableRef& before);

void launch_shallow(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory,
                    const CallableRef& before) {
  with_input_of_gradients(call, [&]<class Input>() { launch_shallow_of<Input>(exec, call, plan, memory, before); });
}

}  // namespace Tegula::Impl
