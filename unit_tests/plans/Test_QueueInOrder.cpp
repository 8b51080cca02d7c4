// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_QueueInOrder.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

/// Steps of a call are queued in order, and none of them before all are ready.

namespace Tegula::Test {
namespace {

using Impl::CallableRef;
using Impl::queue_in_order;
using Events = std::vector<std::string>;

/// A step that records when it is ready and when it queues.
auto step(Events& events, const std::string& name) {
  return [&events, name](const CallableRef& before) {
    events.push_back("ready " + name);
    before();
    events.push_back("queue " + name);
  };
}

auto failing_step() {
  return [](const CallableRef&) { throw std::runtime_error("not ready"); };
}

TEST(QueueInOrder, QueuesInOrderWhatIsReady) {
  Events events;
  const auto before = [&] { events.push_back("before"); };
  queue_in_order(CallableRef(before), step(events, "a"), step(events, "b"), step(events, "c"));
  EXPECT_EQ(events, (Events{"ready c", "ready b", "ready a", "before", "queue a", "queue b", "queue c"}));
}

TEST(QueueInOrder, QueuesOneStep) {
  Events events;
  queue_in_order(CallableRef(), step(events, "a"));
  EXPECT_EQ(events, (Events{"ready a", "queue a"}));
}

TEST(QueueInOrder, QueuesNothingIfAStepFails) {
  Events events;
  const auto before = [&] { events.push_back("before"); };
  const auto a      = step(events, "a");
  const auto b      = step(events, "b");
  EXPECT_THROW(queue_in_order(CallableRef(before), failing_step(), a, b), std::runtime_error);
  EXPECT_THROW(queue_in_order(CallableRef(before), a, failing_step(), b), std::runtime_error);
  EXPECT_THROW(queue_in_order(CallableRef(before), a, b, failing_step()), std::runtime_error);
  EXPECT_EQ(events, (Events{"ready b", "ready a", "ready b"}));
}

}  // namespace
}  // namespace Tegula::Test
