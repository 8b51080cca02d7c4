// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KERNEL_LABEL_HPP
#define TEGULA_KERNEL_LABEL_HPP

#include <string>

#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// What a kernel is called. It becomes a string where somebody reads it only: to write one takes as long as a small
/// product. What it is made of must outlive it.
class KernelLabel {
 public:
  /// A name.
  explicit KernelLabel(const char* name) : ending_(name) {}
  /// The kernels of a plan.
  explicit KernelLabel(const Plan& plan) : plan_(&plan) {}
  /// The kernel of one of its products.
  KernelLabel(const Plan& plan, const ProductPlan& product) : plan_(&plan), product_(&product) {}

  /// The label of a step before the products or behind them, such as "[finish]".
  KernelLabel operator+(const char* step) const {
    KernelLabel label = *this;
    label.ending_     = step;
    return label;
  }

  std::string text() const {
    if (plan_ == nullptr) return ending_;
    return product_ == nullptr ? plan_->label() + ending_ : plan_->label(*product_, ending_);
  }

  /// Who is told of the kernels of the plan, or null.
  StepObserver* observer() const { return plan_ == nullptr ? nullptr : plan_->observer; }

  /// Whether a tool of Kokkos' listens.
  static bool is_heard();

  /// The text if a tool of Kokkos' listens, otherwise nothing.
  std::string if_heard() const { return is_heard() ? text() : std::string(); }

 private:
  const Plan* plan_           = nullptr;
  const ProductPlan* product_ = nullptr;
  const char* ending_         = "";
};

}  // namespace Tegula::Impl

#endif
