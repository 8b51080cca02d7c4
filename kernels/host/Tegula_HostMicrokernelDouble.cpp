// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TEGULA_WITHOUT_KOKKOS
#include "Tegula_HostMicrokernelTable.hpp"

namespace Tegula::Impl {

template RegisterTileShape register_tile<double>(Instructions);
template class Microkernels<double>;

}  // namespace Tegula::Impl
