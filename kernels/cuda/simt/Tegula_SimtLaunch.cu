// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SimtLaunch.hpp"

#include "Tegula_SimtArguments.hpp"

namespace Tegula::Impl {

template <FetchBy left_by>
void launch_simt_left(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product,
                      const SimtArguments& arguments, const CallableRef& before);

void launch_simt(const Kokkos::Cuda& exec, const ProductCall<float>& call, const Plan& plan, const ProductPlan& product,
                 float* partial_sums, const CallableRef& before) {
  const SimtArguments arguments = simt_arguments(call, product, partial_sums);
  switch (arguments.left.by) {
    case FetchBy::chunks:
      return launch_simt_left<FetchBy::chunks>(exec, plan, product, arguments, before);
    case FetchBy::depth:
      return launch_simt_left<FetchBy::depth>(exec, plan, product, arguments, before);
    case FetchBy::lines:
      return launch_simt_left<FetchBy::lines>(exec, plan, product, arguments, before);
  }
}

}  // namespace Tegula::Impl
