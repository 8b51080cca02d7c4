// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "Tegula_TestCudaPlans.hpp"

/// Which calls a plan may run, with places and addresses as data.

namespace Tegula::Test {
namespace {

using Impl::PlannedPlace;

/// What is said to a call that a plan for another one may not run; empty if it may.
std::string refusal_of(const Call& planned, const PlannedPlace& made_in, const Call& call, const PlannedPlace& run_in) {
  try {
    check_planned(planned_for(made_in, planned, {}), run_in, call, {}, Impl::ArgumentList(call.name));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(PlannedFor, BelongsToOnePlace) {
  const Call call = gemm_call({8, 8, 8});
  const auto said = [&](const PlannedPlace& made_in, const PlannedPlace& run_in) {
    return refusal_of(call, made_in, call, run_in);
  };
  const std::string start = "Tegula::gemm: the plan was made for another call: ";
  EXPECT_EQ(said({"Cuda", 1, 0, true}, {"Cuda", 1, 0, true}), "");
  EXPECT_EQ(said({"Cuda", 0, 0, true}, {"Cuda", 1, 0, true}), start + "the number of its device was 0, and is 1");
  EXPECT_EQ(said({"OpenMP", 0, 4}, {"OpenMP", 0, 2}), start + "the number of its threads was 4, and is 2");
  EXPECT_EQ(said({"OpenMP", 0, 1}, {"Serial", 0, 1}), start + "the execution space was OpenMP, and is Serial");
  EXPECT_EQ(said({}, {"Serial", 0, 1}), "Tegula::gemm: the plan was not made by make_plan");
}

// Runs of 16 bytes, or pairs of doubles, are the longest that any kernel asks for.
TEST(PlannedFor, AsksForAlignmentsWhereKernelsReadThem) {
  const PlannedPlace device{"Cuda", 0, 0, true}, host{"Serial", 0, 1};
  const auto shifted = [](std::int64_t elements) {
    Call call = gemm_call({8, 8, 8});
    call.A    = matrix_of(Element::f32, 8, 8, {.shift = elements});
    return call;
  };
  for (const std::int64_t planned : {0, 1, 2, 4, 8}) {
    for (const std::int64_t given : {0, 1, 2, 4, 8}) {
      const auto bytes       = [](std::int64_t shift) { return shift % 4 == 0 ? 16 : shift % 2 == 0 ? 8 : 4; };
      const std::string said = refusal_of(shifted(planned), device, shifted(given), device);
      EXPECT_EQ(said.empty(), bytes(given) >= bytes(planned)) << planned << ' ' << given << said;
      if (!said.empty()) {
        EXPECT_NE(said.find("op(A) was f32 8x8, strides 8 1, aligned to " + std::to_string(bytes(planned)) +
                            " bytes, and is f32 8x8, strides 8 1, aligned to " + std::to_string(bytes(given))),
                  std::string::npos)
            << said;
      }
      EXPECT_EQ(refusal_of(shifted(planned), host, shifted(given), host), "");
    }
  }
}

// A user's activation may have the name of one of Tegula's.
TEST(PlannedFor, TellsActivationsOfOneNameApart) {
  const PlannedPlace place{"Cuda", 0, 0, true};
  const Call built_in = relu_backward_call({8, 8, 8});
  Call own            = built_in;
  own.is_built_in     = false;
  EXPECT_NE(refusal_of(built_in, place, own, place).find("compiled of your own types"), std::string::npos);
  // ... and only one of them may be compiled into kernels. Nothing asks for what they are.
  Call compiled           = own;
  compiled.passes.kernels = reinterpret_cast<const Impl::CompiledActivation*>(&place);
  EXPECT_NE(refusal_of(own, place, compiled, place).find("compiled of your own types"), std::string::npos);
  EXPECT_FALSE(planned_for(place, own, {}) == planned_for(place, compiled, {}));
  Call constant               = own;
  constant.has_constant_slope = true;
  EXPECT_NE(refusal_of(own, place, constant, place).find("compiled of your own types"), std::string::npos);
}

// Empty plans have no steps; every other kernel has its own label.
TEST(PlanSteps, HaveLabelsOfTheirOwn) {
  for (const Element element : {Element::bf16, Element::f32, Element::f64}) {
    for (const GemmShape& shape : {GemmShape{64, 64, 64}, {33, 65, 4097}, {8, 4096, 4096}, {4096, 1024, 1024}}) {
      for (const std::int64_t shift : {0, 1}) {
        for (Call call : {gemm_call(shape, element, {.shift = shift}), relu_backward_call(shape, element)}) {
          if (call.is_backward) call.dbias = row_of(element, shape.n);
          if (!call.is_backward && element == Element::bf16) call.B = matrix_of(Element::f16, shape.k, shape.n);
          const Plan plan = plan_of(call);
          double seconds  = 0;
          std::vector<std::string> labels;
          for (const PlanStep& step : plan.steps()) {
            labels.push_back(step.label);
            seconds += step.seconds;
          }
          EXPECT_FALSE(labels.empty());
          EXPECT_NEAR(seconds, plan.seconds() + plan.seconds_beside, 1e-12) << plan.text();
          std::sort(labels.begin(), labels.end());
          EXPECT_EQ(std::adjacent_find(labels.begin(), labels.end()), labels.end()) << plan.text();
        }
      }
    }
  }
  EXPECT_TRUE(plan_of(gemm_call({0, 8, 8})).steps().empty());
}

TEST(PlanSteps, AreListedInTheOrderInWhichTheyRun) {
  Call call       = gemm_call({4096, 4096, 4096});
  call.A          = matrix_of(Element::bf16, 4096, 4096);
  call.C          = matrix_of(Element::f16, 4096, 4096);
  const auto plan = plan_of(call, {.family = "simt", .split_k = 2});
  std::vector<std::string> what;
  for (const PlanStep& step : plan.steps()) what.push_back(step.what);
  EXPECT_EQ(what, (std::vector<std::string>{"widens the left operand", "computes C", "adds the 2 slices of C",
                                            "finishes C"}));
}

}  // namespace
}  // namespace Tegula::Test
