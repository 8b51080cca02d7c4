// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KERNEL_LABEL_HPP
#define TEGULA_KERNEL_LABEL_HPP

#include <string>

#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// Whether a tool listens to Kokkos. Nobody else reads labels, and to write one takes as long as a small product.
bool has_listeners();

/// The label of a plan's kernels if a tool listens.
inline std::string kernel_label(const Plan& plan) { return has_listeners() ? plan.label() : std::string(); }

/// The same for the kernel of one product.
inline std::string kernel_label(const Plan& plan, const ProductPlan& product) {
  return has_listeners() ? plan.label(product) : std::string();
}

}  // namespace Tegula::Impl

#endif
