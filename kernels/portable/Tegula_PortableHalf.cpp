// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableInstances.hpp"

#if TEGULA_HAS_HALF
TEGULA_PORTABLE_ALL_SPACES(, Tegula::half_t)
#endif
