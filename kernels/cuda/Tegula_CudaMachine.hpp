// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_MACHINE_HPP
#define TEGULA_CUDA_MACHINE_HPP

#include <cstddef>

namespace Tegula::Impl {

/// What the planners of the families for CUDA know of the machine.
struct CudaMachine {
  int multiprocessors;
  std::size_t scratch_max;  // of a team, at level 0
};

}  // namespace Tegula::Impl

#endif
