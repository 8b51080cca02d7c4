// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_LAUNCH_HPP
#define TEGULA_FP32_SPLIT_LAUNCH_HPP

#include "../Tegula_OperandCopies.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Fp32SplitPass.hpp"

/// A product of split floats and its place in the workspace: slices of sums, if it is split, then the operands' parts.

namespace Tegula::Impl {

/// What the parts of a product's operands need of the workspace; the words count for the left one.
inline OperandCopies split_copies(const ProductCall<float>& call, const GemmShape& shape, int multiprocessors) {
  if (shape.m == 0 || shape.n == 0 || shape.k == 0) return {};  // nothing is read
  Fp32SplitWorkspace bytes;
  split_operands(call.left, call.right, nullptr, multiprocessors, bytes);
  return {bytes.words + bytes.left.all(), bytes.right.all()};
}

/// Where the parts of a product begin in its part of the workspace. The first word tells the route that was taken.
inline char* split_memory(const ProductPlan& product, char* workspace) {
  return workspace + product.workspace_bytes - product.left_copy_bytes - product.right_copy_bytes;
}

#ifdef KOKKOS_ENABLE_CUDA
/// Queues a product of a plan: both passes over its operands, and the kernel. Calls before() when all that can fail is
/// ready, and before anything is queued. Compiled for compute capability 9.0a.
void launch_split(const Kokkos::Cuda& exec, const ProductCall<float>& call, const ProductPlan& product,
                  const Plan& plan, char* workspace, const CallableRef& before);
#endif

}  // namespace Tegula::Impl

#endif
