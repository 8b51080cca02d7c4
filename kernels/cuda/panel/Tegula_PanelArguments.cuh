// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PANEL_ARGUMENTS_CUH
#define TEGULA_PANEL_ARGUMENTS_CUH

#include <cuda.h>

#include "../Tegula_VectorResult.hpp"
#include "../async/Tegula_AsyncOperand.hpp"
#include "Tegula_PanelShares.hpp"

namespace Tegula::Impl {

/// Arguments of the kernel of the panel family: result = act(alpha left right^T + beta result + bias).
struct PanelArguments {
  CUtensorMap C;
  AsyncOperand left, right;
  std::int32_t depth;
  VectorResult<double> result;
  PanelShares shares;
};

}  // namespace Tegula::Impl

#endif
