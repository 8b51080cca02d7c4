// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableRuns.hpp"

namespace Tegula::Impl {
TEGULA_PORTABLE_HOST(, float)
TEGULA_PORTABLE_HOST(, double)
TEGULA_HOST_SPACES(TEGULA_PORTABLE_RUNS, , float)
TEGULA_HOST_SPACES(TEGULA_PORTABLE_RUNS, , double)
}  // namespace Tegula::Impl
