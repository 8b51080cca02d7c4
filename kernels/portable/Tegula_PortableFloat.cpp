// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableFamily.hpp"

TEGULA_INSTANCES(, portable_launch, TEGULA_ALL_SPACES, float)
