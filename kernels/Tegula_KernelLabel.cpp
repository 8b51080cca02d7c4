// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_KernelLabel.hpp"

#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

bool KernelLabel::is_heard() { return Kokkos::Tools::profileLibraryLoaded(); }

}  // namespace Tegula::Impl
