// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fstream>
#include <optional>
#include <set>

#include "Tegula_TestCudaPlans.hpp"
#include "Tegula_Tuning.hpp"
#include "cuda/Tegula_CudaTunedWays.hpp"
#include "tuning/Tegula_UseTuning.hpp"

/// The ways to compute a call on CUDA that tuning measures, and the plans that files ask for.

namespace Tegula::Test {
namespace {

using Impl::TunedWay;

const GemmShape shape{1000, 320, 256};

/// Calls that passes, copies and gradients are for, too.
std::vector<Call> calls() {
  std::vector<Call> calls{gemm_call(shape),
                          gemm_call(shape, Element::bf16),
                          gemm_call(shape, Element::f64),
                          gemm_call({8000, 8, 8}, Element::f64),
                          relu_backward_call(shape),
                          relu_backward_call(shape, Element::bf16),
                          relu_backward_call({8000, 8, 8}),
                          gemm_call(shape, Element::bf16, {.padding = 1})};
  calls.push_back(gemm_call(shape, Element::bf16));
  calls.back().B = matrix_of(Element::f32, shape.k, shape.n);
  calls.push_back(relu_backward_call(shape));
  calls.back().dA = no_matrix(Element::f32);
  return calls;
}

TEST(CudaTunedWays, MakeThePlansThatWereMeasured) {
  for (const Call& call : calls()) {
    const auto candidates = Impl::cuda_candidates(call, h200);
    const Plan own        = plan_of(call);
    EXPECT_GT(candidates.size(), 5u) << own.text();
    EXPECT_EQ(candidates[0].plan.seconds(), own.seconds()) << "the planner's own is the first";
    std::set<std::string> ways;
    for (const auto& [way, plan] : candidates) {
      EXPECT_TRUE(ways.insert(json(way)).second) << json(way);
      EXPECT_GE(plan.seconds(), 0.999 * own.seconds()) << json(way) << '\n' << plan.text() << own.text();
      if (Impl::is_planners_own(way)) continue;
      EXPECT_EQ(plan_cuda_way(call, h200, way, Impl::ArgumentList(call.name)).steps().size(), plan.steps().size());
      EXPECT_EQ(Impl::tuned_way(Impl::Json::parse(json(way), "x")), way);
    }
  }
}

TEST(CudaTunedWays, HaveEveryFamilyThatTakesTheCall) {
  std::set<std::string> families;
  for (const auto& candidate : Impl::cuda_candidates(gemm_call(shape), h200))
    families.insert(candidate.plan.products[0].family);
  for (const char* family : {"simt", "direct", "portable"}) EXPECT_EQ(families.count(family), 1u) << family;
}

// Predicted times of neighbouring cuts hardly differ, measured ones may.
TEST(CudaTunedWays, HaveCutsBetweenThoseThatThePlannerLooksAt) {
  std::set<std::int64_t> splits;
  for (const auto& [way, plan] : Impl::cuda_candidates(gemm_call({193, 1, 11938}), h200))
    if (way.products[0].family == "gemv" && way.products[0].tile == TileShape{64, 8, 128})
      splits.insert(way.products[0].split_k);
  for (const std::int64_t split : {1, 2, 3, 4, 6, 8, 12, 16, 24}) EXPECT_EQ(splits.count(split), 1u) << split;
}

TEST(CudaTunedWays, OfHostsAndOtherCallsAreRefused) {
  const auto plan_of_way = [](const TunedWay& way) {
    return plan_cuda_way(gemm_call(shape), h200, way, Impl::ArgumentList("gemm"));
  };
  EXPECT_NO_THROW(plan_of_way({{Impl::ProductWay{.family = "simt", .tile = {64, 128, 16}}}}));
  EXPECT_STREQ(plan_of_way({{Impl::ProductWay{.family = "simt", .tile = {64, 128, 16}}}}).reason,
               "it was measured to be the fastest");
  EXPECT_THROW(plan_of_way({{Impl::ProductWay{.family = "simt", .tile = {3, 3, 3}}}}), std::invalid_argument);
  EXPECT_THROW(plan_of_way({{Impl::ProductWay{.family = "mma", .tile = {64, 128, 16}}}}), std::invalid_argument);
  EXPECT_THROW(plan_of_way({{Impl::ProductWay{.family = "host", .tile = {64, 128, 16}, .threads = 1}}}),
               std::invalid_argument);
  EXPECT_THROW(plan_of_way({.block_bytes = 4096}), std::invalid_argument);
}

// What the planner calls when a file is in use; a way that cannot be is told of, and not taken.
TEST(CudaTunedWays, AreTakenFromTheFileInUse) {
  const Call call = gemm_call(shape);
  const Impl::PlanningDevice card{"NVIDIA H200", "Cuda", "", 0, 132, 140};
  const auto plan_with = [&](const TunedWay& way) {
    Impl::TuningEntry entry;
    entry.device  = tuning_device(card);
    entry.version = Impl::library_version();
    entry.problem = *Impl::problem_class(call, true);
    entry.way     = way;
    entry.seconds = entry.model_seconds = 1e-6;
    entry.ways                          = 1;
    const std::string file              = testing::TempDir() + "tegula_cuda_tuning.json";
    std::ofstream(file) << Impl::tuning_text({entry});
    use_tuning(file);
    const Plan plan = plan_as_tuned(
        call, {}, card, [&] { return plan_of(call); },
        [&](const TunedWay& asked) {
          return std::optional<Plan>(plan_cuda_way(call, h200, asked, Impl::ArgumentList("gemm")));
        });
    use_tuning("");
    return plan;
  };
  const auto candidates = Impl::cuda_candidates(call, h200);
  for (std::size_t c = 1; c < candidates.size(); ++c)
    EXPECT_EQ(plan_with(candidates[c].way).label(), candidates[c].plan.label());
  const Plan impossible = plan_with({{Impl::ProductWay{.family = "simt", .tile = {3, 3, 3}}}});
  EXPECT_EQ(impossible.label(), plan_of(call).label());
  EXPECT_NE(std::string(impossible.tuning).find(", but not possible: Tegula::gemm: "), std::string::npos)
      << impossible.tuning;
}

}  // namespace
}  // namespace Tegula::Test
