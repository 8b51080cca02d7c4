// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda/Tegula_ActivationKernels.hpp>
#include <functional>

#include "Tegula_TestCudaPlans.hpp"

/// A repeated call gets the plan that it was given before, and no other call does.

namespace Tegula::Test {
namespace {

struct PlannedCall {
  Call call;
  PlanOptions options{};
  Impl::PlannedPlace place{"Cuda", 0, 0, true};
};

/// The plan through the cache, and how often the planner was asked.
Plan cached(const PlannedCall& c, int& asked) {
  return plan_through_cache({c.place, c.call, c.options}, [&] {
    ++asked;
    return plan_of(c.call, c.options);
  });
}

const GemmShape shape{192, 320, 256};

PlannedCall forward() {
  PlannedCall c{gemm_call(shape)};
  c.call.bias  = row_of(Element::f32, shape.n);
  c.call.alpha = 2;
  return c;
}
PlannedCall backward() { return {relu_backward_call(shape)}; }

using Change = std::function<void(PlannedCall&)>;

/// What a plan depends on, one by one.
const std::vector<Change> changes_of_all{
    [](PlannedCall& c) { c.place.device = 1; },
    [](PlannedCall& c) { c.options.family = "simt"; },
    [](PlannedCall& c) { c.options.split_k = 2; },
    [](PlannedCall& c) { c.options.group = 3; },
    [](PlannedCall& c) {
      c.options.family = "simt", c.options.tile = {64, 128, 16};
    },
    [](PlannedCall& c) { c.call.op_a = Op::transpose; },
    [](PlannedCall& c) { c.call.op_b = Op::transpose; },
    [](PlannedCall& c) { c.call.compute = Compute::tf32; },
    [](PlannedCall& c) { c.call.alpha = 0; },
    [](PlannedCall& c) { c.call.alpha = c.call.is_backward ? 2 : 1; },
    [](PlannedCall& c) { c.call.activation_name = "silu"; },
    [](PlannedCall& c) { c.call.activation.position = Impl::BuiltInActivations::position<Silu>(); },
    [](PlannedCall& c) { c.call.has_constant_slope = !c.call.has_constant_slope; },
    [](PlannedCall& c) { c.call.A = matrix_of(Element::f32, shape.m, shape.k, {.shift = 1}); },
    [](PlannedCall& c) { c.call.A = matrix_of(Element::f32, shape.m, shape.k, by_columns); },
    [](PlannedCall& c) { c.call.B = matrix_of(Element::f32, shape.k, shape.n, {.padding = 4}); }};
/// An activation of a user's, compiled into these kernels or into none.
Change with_own_activation(const Impl::CompiledActivation* kernels) {
  return [=](PlannedCall& c) {
    c.call.is_built_in    = false;
    c.call.passes.kernels = kernels;
    c.call.passes.finish  = [](const void*, const Impl::KernelLabel&, const Impl::FinishCall&, const void*,
                              const Impl::CallableRef&) {};
  };
}

const Impl::CompiledActivation some_kernels{};
const std::vector<Change> changes_of_gemm{with_own_activation(nullptr),
                                          with_own_activation(&some_kernels),
                                          [](PlannedCall& c) {
                                            c.call = gemm_call({shape.m, shape.n, shape.k + 1});
                                          },
                                          [](PlannedCall& c) {
                                            c.call = gemm_call({shape.m + 1, shape.n, shape.k});
                                          },
                                          [](PlannedCall& c) {
                                            c.call = gemm_call({shape.m, shape.n + 1, shape.k});
                                          },
                                          [](PlannedCall& c) { c.call = gemm_call(shape, Element::bf16); },
                                          [](PlannedCall& c) { c.call.bias = no_matrix(Element::f32); },
                                          [](PlannedCall& c) { c.call.Z = c.call.C; },
                                          [](PlannedCall& c) { c.call.beta = 1; }};
const std::vector<Change> changes_of_backward{[](PlannedCall& c) { c.call.dA = no_matrix(Element::f32); },
                                              [](PlannedCall& c) { c.call.dbias = row_of(Element::f32, shape.n); },
                                              [](PlannedCall& c) { c.call.update_dA = Update::accumulate; },
                                              [](PlannedCall& c) { c.call.update_dB = Update::accumulate; },
                                              [](PlannedCall& c) { c.call.update_dbias = Update::accumulate; }};

/// Calls of which any two differ by a change or two.
std::vector<PlannedCall> different_calls() {
  std::vector<PlannedCall> calls;
  const auto add = [&](const PlannedCall& c, const std::vector<Change>& changes) {
    for (const Change& change : changes) change(calls.emplace_back(c));
  };
  calls = {forward(), backward()};
  add(forward(), changes_of_all);
  add(forward(), changes_of_gemm);
  add(backward(), changes_of_all);
  add(backward(), changes_of_backward);
  return calls;
}

TEST(PlanCache, PlansARepeatedCallOnce) {
  for (const PlannedCall& c : different_calls()) {
    int asked         = 0;
    const Plan first  = cached(c, asked);
    const Plan second = cached(c, asked);
    EXPECT_LE(asked, 1);
    EXPECT_EQ(first.text(), plan_of(c.call, c.options).text());
    EXPECT_EQ(second.text(), first.text());
  }
}

// Every pair, one after the other: a plan is never taken for another call's.
TEST(PlanCache, TellsCallsApart) {
  const auto calls = different_calls();
  for (std::size_t a = 0; a < calls.size(); ++a) {
    const auto record = planned_for(calls[a].place, calls[a].call, calls[a].options);
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_FALSE(record == planned_for(calls[b].place, calls[b].call, calls[b].options)) << a << ' ' << b;
    for (std::size_t b = 0; b < calls.size(); ++b)
      EXPECT_EQ(is_planned_for(record, calls[b].place, calls[b].call, calls[b].options), a == b) << a << ' ' << b;
  }
}

TEST(PlanCache, DoesNotSeeAddressesAndFactors) {
  int asked     = 0;
  PlannedCall c = forward();
  cached(c, asked);
  asked        = 0;
  c.call.C     = matrix_of(Element::f32, shape.m, shape.n, {.shift = 4});  // 16 bytes further
  c.call.alpha = -3;
  cached(c, asked);
  EXPECT_EQ(asked, 0);
}

// A direct-mapped table: calls that share a place are planned again, and planned right.
TEST(PlanCache, StaysRightWithMoreCallsThanPlaces) {
  int asked = 0;
  for (int round = 0; round < 2; ++round) {
    for (std::int64_t m = 1; m <= 3 * static_cast<std::int64_t>(Impl::PlanCache::places); ++m) {
      const PlannedCall c{gemm_call({m, 64, 64})};
      EXPECT_EQ(cached(c, asked).products[0].shape, c.call.shape());
    }
  }
  EXPECT_GT(asked, 3 * static_cast<int>(Impl::PlanCache::places)) << "they do not all fit";
}

// A user's activation may call, too, while its call's plan is in use.
TEST(PlanCache, LeavesAPlanThatIsInUseWhereItIs) {
  const auto with_plan = [](const PlannedCall& c, const auto& use) {
    Impl::PlanCache::of_this_thread().with_plan(
        {c.place, c.call, c.options}, [&] { return plan_of(c.call, c.options); }, use);
  };
  const PlannedCall outer = forward();
  with_plan(outer, [&](const Plan& plan) {
    const std::string text = plan.text();
    Impl::PlanCache::forget_all();
    for (std::int64_t m = 1; m <= 3 * static_cast<std::int64_t>(Impl::PlanCache::places); ++m) {
      const PlannedCall inner{gemm_call({m, 64, 64})};
      with_plan(inner, [&](const Plan& other) { EXPECT_EQ(other.products[0].shape, inner.call.shape()); });
    }
    EXPECT_EQ(plan.text(), text);
  });
  const auto fails = [&] { with_plan(outer, [](const Plan&) { throw std::runtime_error("no memory"); }); };
  EXPECT_THROW(fails(), std::runtime_error);
  int asked = 0;
  cached(outer, asked);
  cached(outer, asked);
  EXPECT_LE(asked, 1) << "a plan that was in use when a call failed is not any more";
}

TEST(PlanCache, KeepsNothingOfACallThatIsRefused) {
  PlannedCall c  = forward();
  c.options.tile = {3, 3, 3};
  int asked      = 0;
  for (int repeat = 0; repeat < 2; ++repeat) EXPECT_THROW(cached(c, asked), std::invalid_argument);
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace Tegula::Test
