// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableInstances.hpp"

#if TEGULA_HAS_BHALF
TEGULA_PORTABLE_ALL_SPACES(, Tegula::bhalf_t)
#endif
