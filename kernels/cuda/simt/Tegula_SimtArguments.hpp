// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_ARGUMENTS_HPP
#define TEGULA_SIMT_ARGUMENTS_HPP

#include "../Tegula_CudaTiles.hpp"
#include "../Tegula_VectorResult.hpp"
#include "Tegula_SimtOperand.hpp"

namespace Tegula::Impl {

/// Arguments of the kernels of the simt family. The result is row-major if it has a contiguous direction at all:
/// vectors lie along its rows.
template <class Activation>
struct SimtArguments {
  SimtOperand<float> left, right;
  CudaTiles tiles;
  std::int32_t depth;
  VectorResult<float, Activation> result;
};

}  // namespace Tegula::Impl

#endif
