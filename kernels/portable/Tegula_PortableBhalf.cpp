// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableFamily.hpp"

#if TEGULA_HAS_BHALF
TEGULA_INSTANCES(, portable_launch, TEGULA_ALL_SPACES, Tegula::bhalf_t)
#endif
