// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_LEFT_HPP
#define TEGULA_SIMT_LEFT_HPP

#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_SimtArguments.hpp"

namespace Tegula::Impl {

/// The launch of the kernels for a way to fetch the left operand. There is a source file for each, so that they compile
/// at the same time.
template <FetchBy left_by, class Activation>
struct SimtLeft {
  static void launch(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product,
                     const SimtArguments<Activation>& arguments, const CallableRef& before);
};

/// Queues the kernel of a product with this epilogue.
template <class Activation>
void launch_simt_with(const Kokkos::Cuda& exec, const ProductCall<float>& call, const Plan& plan,
                      const ProductPlan& product, const VectorResult<float, Activation>& result,
                      const CallableRef& before) {
  const SimtOperand<float> left = simt_operand(call.left), right = simt_operand(call.right);
  const CudaTiles tiles = tiles_of(product, movable_simt_tiles(left, right, product.shape, result));
  const SimtArguments<Activation> arguments{left, right, tiles, static_cast<std::int32_t>(product.shape.k), result};
  switch (arguments.left.by) {
    case FetchBy::chunks:
      return SimtLeft<FetchBy::chunks, Activation>::launch(exec, plan, product, arguments, before);
    case FetchBy::depth:
      return SimtLeft<FetchBy::depth, Activation>::launch(exec, plan, product, arguments, before);
    case FetchBy::lines:
      return SimtLeft<FetchBy::lines, Activation>::launch(exec, plan, product, arguments, before);
  }
}

}  // namespace Tegula::Impl

#endif
