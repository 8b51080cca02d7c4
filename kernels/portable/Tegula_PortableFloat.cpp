// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableLaunch.hpp"

namespace Tegula::Impl {
TEGULA_PORTABLE_UNIFORM(, float, float)
}  // namespace Tegula::Impl
