// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_ARGUMENTS_HPP
#define TEGULA_SIMT_ARGUMENTS_HPP

#include "../Tegula_CudaTiles.hpp"
#include "../Tegula_VectorResult.hpp"
#include "Tegula_SimtOperand.hpp"

namespace Tegula::Impl {

/// Arguments of the kernels of the simt family.
struct SimtArguments {
  SimtOperand<float> left, right;
  CudaTiles tiles;
  std::int32_t depth;
  VectorResult<float> result;
};

/// The result is row-major if it has a contiguous direction at all: vectors lie along its rows.
inline SimtArguments simt_arguments(const ProductCall<float>& call, const ProductPlan& product, float* partial_sums) {
  return {simt_operand(call.left), simt_operand(call.right), tiles_of(product),
          static_cast<std::int32_t>(product.shape.k),
          vector_result(call, product.shape, product.split_k > 1 ? partial_sums : nullptr)};
}

}  // namespace Tegula::Impl

#endif
