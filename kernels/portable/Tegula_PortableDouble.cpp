// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PortableInstances.hpp"

TEGULA_PORTABLE_ALL_SPACES(, double)
