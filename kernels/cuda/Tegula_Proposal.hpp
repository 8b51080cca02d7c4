// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PROPOSAL_HPP
#define TEGULA_PROPOSAL_HPP

#include <array>
#include <functional>

#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// A way to compute a product, or both products of gemm_backward.
struct Proposal {
  TileShape tile{};                         // as it lies on the result
  std::array<std::int64_t, 2> parts{1, 1};  // split-k of each product
  bool copies     = false;                  // operands that are not aligned are copied first
  double seconds  = 0;                      // predicted, all of its kernels included
  int whole_waves = 0;                      // tiles that fill the device so many times are not split
};

/// Takes note of a proposal.
using Propose = std::function<void(const Proposal&)>;

}  // namespace Tegula::Impl

#endif
