// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KERNEL_LABEL_HPP
#define TEGULA_KERNEL_LABEL_HPP

#include <string>

#include "Tegula_KokkosCompat.hpp"
#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// The label of a plan's kernels if a tool listens; nobody else reads it, and to write it takes as long as a small
/// product.
inline std::string kernel_label(const Plan& plan) {
  return Kokkos::Tools::profileLibraryLoaded() ? plan.label() : std::string();
}

/// The same for the kernel of one product.
inline std::string kernel_label(const Plan& plan, const ProductPlan& product) {
  return Kokkos::Tools::profileLibraryLoaded() ? plan.label(product) : std::string();
}

}  // namespace Tegula::Impl

#endif
