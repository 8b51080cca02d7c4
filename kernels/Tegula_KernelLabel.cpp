// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_KernelLabel.hpp"

#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

std::string KernelLabel::if_heard() const { return Kokkos::Tools::profileLibraryLoaded() ? text() : std::string(); }

}  // namespace Tegula::Impl
