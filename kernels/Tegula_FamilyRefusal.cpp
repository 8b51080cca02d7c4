// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_FamilyRefusal.hpp"

namespace Tegula::Impl {

void fail_without_family(const ArgumentList& arguments, const std::string& wanted, const char* space,
                         std::span<const FamilyRefusal> refusals) {
  const std::string call = std::string(" takes this call on ") + space;
  if (wanted.empty()) {
    std::string reasons;
    for (const auto& [name, reason] : refusals) reasons += std::string("\n  family ") + name + ": " + reason;
    arguments.fail("no kernel family" + call + reasons);
  }
  const std::string named = "no kernel family named \"" + wanted + '"';
  std::string names;
  for (const auto& [name, reason] : refusals) {
    if (wanted == name) arguments.fail(named + call + ": " + reason);
    names += std::string(names.empty() ? "" : ", ") + name;
  }
  arguments.fail(named + "; there are " + names);
}

}  // namespace Tegula::Impl
