// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableLaunch.hpp"

namespace Tegula::Impl {
TEGULA_PORTABLE_ANY()
}  // namespace Tegula::Impl
