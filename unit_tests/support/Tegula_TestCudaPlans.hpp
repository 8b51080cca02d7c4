// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_PLANS_HPP
#define TEGULA_TEST_CUDA_PLANS_HPP

#include "cuda/Tegula_CudaMachine.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// Calls that the planners of the families for tensor cores cut, for machines given as data.

namespace Tegula::Test {

inline Plan gemm_of(const GemmShape& shape, std::size_t bytes = 2) {
  Plan plan;
  plan.call        = "gemm";
  plan.products[0] = Impl::uncut_product("C", shape, bytes, bytes, bytes, false);
  return plan;
}

inline Plan gemm_backward_of(std::int64_t m, std::int64_t n, std::int64_t k) {
  Plan plan;
  plan.call     = "gemm_backward";
  plan.products = {Impl::uncut_product("dA", {m, k, n}, 2, 2, 2, false),
                   Impl::uncut_product("dB^T", {n, k, m}, 2, 2, 2, false)};
  return plan;
}

}  // namespace Tegula::Test

#endif
