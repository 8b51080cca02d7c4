// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ShallowLaunch.hpp"

#include "Tegula_Scalar.hpp"

namespace Tegula::Impl {

template <class Input>
void launch_shallow_of(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory,
                       const CallableRef& before);

void launch_shallow(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* memory,
                    const CallableRef& before) {
  const auto launch = [&] {
    switch (call.dC.element) {
      case Element::f64:
        return launch_shallow_of<double>;
      case Element::f32:
        return launch_shallow_of<float>;
      case Element::f16:
        return launch_shallow_of<half_t>;
      default:
        return launch_shallow_of<bhalf_t>;
    }
  }();
  launch(exec, call, plan, memory, before);
}

}  // namespace Tegula::Impl
