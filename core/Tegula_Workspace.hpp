// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WORKSPACE_HPP
#define TEGULA_WORKSPACE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "Tegula_CheckViews.hpp"

namespace Tegula {

/// Memory for partial sums, in the memory space of the execution space, aligned as an allocation is. Empty: none given.
template <class ExecutionSpace>
using Workspace = std::type_identity_t<Kokkos::View<char*, typename ExecutionSpace::memory_space>>;

namespace Impl {

/// Throws unless the workspace has the bytes that a plan needs, is aligned and overlaps no argument.
template <class ExecutionSpace>
void check_workspace(ArgumentList arguments, std::size_t needed, const Workspace<ExecutionSpace>& workspace) {
  arguments.add<ExecutionSpace>("workspace", Access::output, workspace);
  if (workspace.extent(0) < needed) {
    arguments.fail("the workspace has " + std::to_string(workspace.extent(0)) + " bytes, the plan needs " +
                   std::to_string(needed));
  }
  if (reinterpret_cast<std::uintptr_t>(workspace.data()) % alignof(std::max_align_t) != 0) {
    arguments.fail("the workspace is not aligned to " + std::to_string(alignof(std::max_align_t)) + " bytes");
  }
  arguments.check_memory();
}

}  // namespace Impl
}  // namespace Tegula

#endif
