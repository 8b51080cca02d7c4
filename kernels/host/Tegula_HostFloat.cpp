// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostLaunch.hpp"

TEGULA_INSTANCES(, host_launch, TEGULA_HOST_SPACES, float)
