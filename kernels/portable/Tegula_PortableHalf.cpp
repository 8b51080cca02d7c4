// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableFamily.hpp"

#if TEGULA_HAS_HALF
TEGULA_INSTANCES(, portable_launch, TEGULA_ALL_SPACES, Tegula::half_t)
#endif
