// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableRuns.hpp"

namespace Tegula::Impl {
TEGULA_HOST_SPACES(TEGULA_PORTABLE_RUNS, , double)
TEGULA_HOST_SPACES(TEGULA_PORTABLE_RUNS, , float)
}  // namespace Tegula::Impl
