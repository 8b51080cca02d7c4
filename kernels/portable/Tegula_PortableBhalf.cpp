// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableLaunch.hpp"

namespace Tegula::Impl {
#if TEGULA_HAS_BHALF
TEGULA_PORTABLE_UNIFORM(, float, bhalf_t)
#endif
}  // namespace Tegula::Impl
