// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_ARGUMENTS_CUH
#define TEGULA_FP32_SPLIT_ARGUMENTS_CUH

#include "../wgmma/Tegula_WgmmaArguments.cuh"
#include "Tegula_Fp32SplitPass.hpp"

namespace Tegula::Impl {

/// Arguments of the kernels of the fp32_split family: a product with tensor maps of the parts, all parts of an operand
/// below each other, and the operands themselves.
struct Fp32SplitArguments {
  WgmmaProduct<> product;
  Fp32SplitOperands operands;
  WgmmaShares shares;
};

}  // namespace Tegula::Impl

#endif
