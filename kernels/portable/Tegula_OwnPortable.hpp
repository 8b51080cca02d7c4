// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OWN_PORTABLE_HPP
#define TEGULA_OWN_PORTABLE_HPP

#include <cstddef>
#include <span>

#include "Tegula_Call.hpp"
#include "Tegula_PortableLayout.hpp"

namespace Tegula::Impl {

/// The portable kernel for types of a user's own, compiled where they are used: what its plan needs to know, and what
/// queues it on exec, an instance of the call's execution space.
struct OwnPortable {
  std::span<const TileChoice> choices;
  std::size_t accumulator_bytes;
  void (*launch)(const void* exec, const Call& call, const Plan& plan, char* workspace);
};

}  // namespace Tegula::Impl

#endif
