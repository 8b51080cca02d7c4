// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FAMILY_REFUSAL_HPP
#define TEGULA_FAMILY_REFUSAL_HPP

#include <span>
#include <string>

#include "Tegula_Check.hpp"

namespace Tegula::Impl {

/// A kernel family, and why it does not take a call; null if it does.
struct FamilyRefusal {
  const char* name;
  const char* reason;
};

/// Throws std::invalid_argument: the family that is wanted does not exist, or why it refuses; if none is wanted, why
/// each refuses.
[[noreturn]] void fail_without_family(const ArgumentList& arguments, const std::string& wanted, const char* space,
                                      std::span<const FamilyRefusal> refusals);

}  // namespace Tegula::Impl

#endif
