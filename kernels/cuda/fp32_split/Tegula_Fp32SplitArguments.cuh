// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_ARGUMENTS_CUH
#define TEGULA_FP32_SPLIT_ARGUMENTS_CUH

#include "../wgmma/Tegula_WgmmaArguments.cuh"
#include "../wgmma/Tegula_WgmmaFloatOutput.cuh"
#include "Tegula_Fp32SplitPass.hpp"

namespace Tegula::Impl {

/// Arguments of the kernels of the fp32_split family: tensor maps of the parts, all parts of an operand below each
/// other, and the operands themselves.
struct Fp32SplitArguments {
  CUtensorMap left, right;
  CudaTiles tiles;
  WgmmaFloatOutput output;
  Fp32SplitOperands operands;
  WgmmaShares shares;
};

}  // namespace Tegula::Impl

#endif
