// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SPLIT_ARGUMENTS_CUH
#define TEGULA_SPLIT_ARGUMENTS_CUH

#include "../wgmma/Tegula_WgmmaArguments.cuh"
#include "Tegula_SplitPass.hpp"

namespace Tegula::Impl {

/// What a kernel of the split family is told: a product whose maps are those of the parts, all parts of an operand
/// below each other, and the operands themselves.
struct SplitArguments {
  WgmmaProduct product;
  SplitOperands operands;
  WgmmaShares shares;
};

}  // namespace Tegula::Impl

#endif
