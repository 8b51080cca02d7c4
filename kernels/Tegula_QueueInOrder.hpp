// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_QUEUE_IN_ORDER_HPP
#define TEGULA_QUEUE_IN_ORDER_HPP

#include "Tegula_CallableRef.hpp"

namespace Tegula::Impl {

/// Queues the steps of a call, in this order. A step is given a before(): it makes ready all of its own that can fail,
/// calls before(), and queues its kernels. The steps before it are its before(), so that a step that fails leaves
/// everything as it was: nothing is queued until the first step, which is made ready last, has called before() itself.
template <class Step, class... Steps>
void queue_in_order(const CallableRef& before, const Step& step, const Steps&... steps) {
  if constexpr (sizeof...(Steps) == 0) {
    step(before);
  } else {
    const auto first = [&] { step(before); };
    queue_in_order(CallableRef(first), steps...);
  }
}

}  // namespace Tegula::Impl

#endif
