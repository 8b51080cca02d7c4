// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_KernelLabel.hpp"

#include "Tegula_KeptProduct.hpp"
#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

bool KernelLabel::is_heard() { return Kokkos::Tools::profileLibraryLoaded(); }

bool is_unheard() { return !KernelLabel::is_heard(); }

}  // namespace Tegula::Impl
