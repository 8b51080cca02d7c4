// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STEP_OBSERVER_HPP
#define TEGULA_STEP_OBSERVER_HPP

#include <string>

#include "Tegula_KernelLabel.hpp"

namespace Tegula::Impl {

/// Is told of each kernel of the plan that names it, by the thread that queues them.
class StepObserver {
 public:
  virtual void begin(const std::string& label) = 0;
  virtual void end()                           = 0;

 protected:
  ~StepObserver() = default;
};

/// Calls launch(), which queues the kernel of this label. Every kernel of a plan is queued through this function, so
/// that one test is what observers cost where there is none.
template <class Launch>
void launch_observed(const KernelLabel& label, const Launch& launch) {
  StepObserver* const observer = label.observer();
  if (observer == nullptr) return launch();
  observer->begin(label.text());
  launch();
  observer->end();
}

}  // namespace Tegula::Impl

#endif
