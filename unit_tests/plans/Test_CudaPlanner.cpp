// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/Tegula_CudaPlanRefusal.hpp"

/// What the planner for CUDA makes of calls of gemm: which kernels, behind which passes, as options ask, or why none.
/// Machines are data; no GPU is needed.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

const ProductPlan& product_of(const Plan& plan) { return plan.products[0]; }

// Any model that is worth its name takes these.
TEST(CudaPlanner, TakesLargeTilesForLargeProducts) {
  for (const Element element : all_elements) {
    const Plan plan = plan_of(gemm_call({8192, 8192, 8192}, element));
    // In float, tiles of this size are the fastest that were measured: 21.3 ms against 22.1 with 128x256.
    const int least = element == Element::f16 || element == Element::bf16 ? 128 * 128 : 64 * 128;
    EXPECT_GE(plan.tile().m * plan.tile().n, least) << plan.text();
    EXPECT_EQ(product_of(plan).split_k, 1) << plan.text();
  }
}

/// A choice that a model made, and that was measured to be slower than these.
struct FasterWay {
  GemmShape shape;
  Element element;
  Lies a, b;
  const char* family;
  std::vector<TileShape> tiles;  // any if empty
};

// Times of an H200, in microseconds.
TEST(CudaPlanner, TakesWaysThatAreKnownToBeFaster) {
  const std::vector<TileShape> wide{{64, 128, 16}, {128, 64, 16}};
  const Lies transposed = by_columns;
  for (const FasterWay& way : std::vector<FasterWay>{
           {{1024, 1024, 1024}, Element::f32, {}, transposed, "simt", {}},            // 59, portable 68.2
           {{2048, 2048, 2048}, Element::f32, {}, transposed, "simt", {}},            // 386, portable 413
           {{4096, 4096, 4096}, Element::f32, transposed, transposed, "simt", wide},  // 2895 to 3006, 64x64x32 3026
           {{8192, 8192, 8192}, Element::f32, transposed, transposed, "simt", wide},  // 23516 and 23541, 64x64x32 23773
           {{8192, 8192, 8192}, Element::f32, {}, {}, "simt", {{64, 128, 16}}},       // 22335, 64x64x32 23588
           {{1000000, 24, 24}, Element::f32, {}, {}, "stream", {}},                   // 54, simt 96
           {{1000000, 32, 32}, Element::f32, {}, {}, "stream", {}}}) {                // 77, simt 89
    Call call       = gemm_call(way.shape, way.element);
    call.A          = matrix_of(way.element, way.shape.m, way.shape.k, way.a);
    call.B          = matrix_of(way.element, way.shape.k, way.shape.n, way.b);
    const Plan plan = plan_of(call);
    EXPECT_STREQ(plan.family, way.family) << plan.text();
    const bool is_among = std::find(way.tiles.begin(), way.tiles.end(), plan.tile()) != way.tiles.end();
    EXPECT_TRUE(way.tiles.empty() || is_among) << plan.text();
  }
}

// The part of a tile that reaches beyond the result is computed for nothing.
TEST(CudaPlanner, TakesNoTileThatIsMuchLargerThanTheResult) {
  for (const Element element : all_elements) {
    EXPECT_LE(plan_of(gemm_call({65536, 64, 64}, element)).tile().n, 128);
    EXPECT_LE(plan_of(gemm_call({16, 8192, 8192}, element)).tile().m, 64);
  }
}

TEST(CudaPlanner, SplitsALongSumOfFewTiles) {
  for (const Element element : all_elements)
    EXPECT_GT(product_of(plan_of(gemm_call({32, 32, 1000000}, element))).split_k, 16);
}

// Whose teams would be spread unevenly beside what is left of the kernel in front, and for long.
TEST(CudaPlanner, LetsShortKernelsBeginEarly) {
  for (const Element element : all_elements) {
    EXPECT_TRUE(product_of(plan_of(gemm_call({100, 64, 48}, element))).begins_early);
    EXPECT_FALSE(product_of(plan_of(gemm_call({2000, 2000, 2000}, element))).begins_early);
    const Plan both = plan_of(backward_call({4000, 4000, 4000}, element));
    for (const ProductPlan& product : both.products) EXPECT_FALSE(product.begins_early) << both.text();
  }
  // The time of a kernel of both is told of one.
  const Plan at_once = plan_of(backward_call({30, 9, 7}));
  ASSERT_TRUE(at_once.is_one_kernel);
  for (const ProductPlan& product : at_once.products) EXPECT_TRUE(product.begins_early) << at_once.text();
}

// Behind a pass every team gets a multiprocessor of its own whenever it begins, where it needs a whole one.
TEST(CudaPlanner, LetsKernelsOfWholeMultiprocessorsBeginEarlyBehindPasses) {
  const GemmShape large{4000, 4000, 4000};
  const auto begin_early = [](const Plan& plan) {
    return std::array{plan.products[0].begins_early, plan.products[1].begins_early};
  };
  const Call behind = relu_backward_call(large, Element::bf16);
  for (const char* family : {"wgmma", "mma"}) {
    const Plan plan = plan_of(behind, {.family = family});
    ASSERT_GT(plan.gradient.teams(), 0);
    const bool is_alone = family == std::string("wgmma");
    EXPECT_EQ(begin_early(plan), (std::array{is_alone, is_alone && plan.is_one_kernel})) << plan.text();
  }
  // Alone, and behind copies.
  EXPECT_TRUE(begin_early(plan_of(without_dA(behind), {.family = "wgmma"}))[1]);
  EXPECT_TRUE(product_of(plan_of(gemm_call(large, Element::bf16, {.padding = 1}), {.family = "wgmma"})).begins_early);
}

// By kernels that may begin while the product ends.
TEST(CudaPlanner, SaysWhichProductsAreFollowed) {
  for (const Element element : all_elements) {
    EXPECT_FALSE(product_of(plan_of(gemm_call({3000, 3000, 300}, element), {.split_k = 1})).is_followed);
    EXPECT_TRUE(product_of(plan_of(gemm_call({3000, 3000, 300}, element), {.split_k = 3})).is_followed);
  }
  // The products of two launches: sums of columns are added behind the second one.
  const Call call = with_dbias(backward_call({3000, 3000, 3000}));
  const Plan plan = plan_of(call, {.family = "simt", .split_k = 1});
  ASSERT_GT(plan.gradient.sums_bytes, 0u);
  ASSERT_FALSE(plan.is_one_kernel);
  EXPECT_FALSE(plan.products[0].is_followed);
  EXPECT_TRUE(plan.products[1].is_followed);
  // A result of another type is finished by a pass.
  Call narrowed = gemm_call({3000, 3000, 300});
  narrowed.C    = matrix_of(Element::bf16, 3000, 3000);
  EXPECT_TRUE(product_of(plan_of(narrowed, {.split_k = 1})).is_followed);
  // The kernel of both adds them itself.
  const Plan pair =
      plan_of(with_dbias(backward_call({3000, 3000, 3000}, Element::bf16)), {.family = "wgmma", .split_k = 1});
  ASSERT_TRUE(pair.is_one_kernel);
  for (const ProductPlan& product : pair.products) EXPECT_FALSE(product.is_followed);
}

TEST(CudaPlanner, TakesTheKernelsOfTheDevice) {
  const Call half = gemm_call({4096, 4096, 4096}, Element::bf16);
  EXPECT_STREQ(plan_of(half).family, "wgmma");
  EXPECT_STREQ(plan_of(half, {}, machine_of(80, 108, 163 * KiB)).family, "mma");
  EXPECT_STREQ(plan_of(half, {}, machine_of(100, 148, 227 * KiB)).family, "mma");
  EXPECT_STREQ(plan_of(half, {}, machine_of(75, 68, 64 * KiB)).family, "portable");
  EXPECT_STREQ(plan_of(gemm_call({4096, 4096, 4096}, Element::f64)).family, "mma");
}

TEST(CudaPlanner, TakesFewerBitsOnlyIfAsked) {
  Call call = gemm_call({4096, 4096, 4096});
  EXPECT_STREQ(plan_of(call).family, "simt");
  call.compute = Compute::tf32;
  EXPECT_STREQ(plan_of(call).family, "tf32");
  EXPECT_TRUE(is_refused("fp32_split", call, {.family = "fp32_split"}));
  call.compute = Compute::fp32_split;
  EXPECT_STREQ(plan_of(call).family, "fp32_split");
  EXPECT_TRUE(is_refused("Compute::tf32", call, {.family = "tf32"}));
}

TEST(CudaPlanner, LeavesOutFamiliesWhoseKernelsAreNotInTheBuild) {
  CudaMachine machine = h200;
  machine.is_at_hand  = true;
  for (const CudaFamily* family : cuda_families()) {
    const Call call = family->covers == Covers::gradients ? backward_call({1000, 8, 8}) : gemm_call({1000, 8, 8});
    if (family->launch == nullptr) {
      EXPECT_STREQ(Impl::refusal_of(*family, {&call, 1}, machine, {}), no_cuda_kernels) << family->name;
    }
  }
}

// Options.

TEST(CudaPlanner, ObeysOptions) {
  const Plan plan = plan_of(gemm_call({1000, 1000, 1000}, Element::bf16),
                            {.family = "mma", .tile = {128, 64, 32}, .group = 3, .split_k = 2});
  EXPECT_STREQ(plan.family, "mma");
  EXPECT_EQ(plan.tile(), (TileShape{128, 64, 32}));
  EXPECT_EQ(product_of(plan).order.group, 3);
  EXPECT_EQ(product_of(plan).split_k, 2);
  EXPECT_EQ(plan.workspace_bytes(), 2u * 1000 * 1000 * sizeof(float));
  EXPECT_NE(plan.text().find("the options ask for this tile"), std::string::npos);
}

TEST(CudaPlanner, RefusesOptionsThatNoFamilyCanMeet) {
  const Call call = gemm_call({64, 64, 64});
  EXPECT_TRUE(is_refused("plan option group is -1", call, {.group = -1}));
  EXPECT_TRUE(is_refused("plan option split_k is -2", call, {.split_k = -2}));
  EXPECT_TRUE(is_refused("the simt family has no tile 1x2x3, only", call, {.family = "simt", .tile = {1, 2, 3}}));
  EXPECT_TRUE(is_refused("no kernel family has a tile 1x2x3, only", call, {.tile = {1, 2, 3}}));
}

// The tiles that the message names are the ones that are taken.
TEST(CudaPlanner, NamesTheTilesThatThereAre) {
  for (const char* family : {"simt", "stream", "gemv", "portable"}) {
    const Call call           = gemm_call({4096, 8, 64});
    const std::string message = message_of(call, {.family = family, .tile = {1, 2, 3}});
    std::set<std::string> tiles;
    for (const FamilyProposal& p : cuda_proposals(call, h200, {.family = family})) tiles.insert(text(p.proposal.tile));
    ASSERT_FALSE(tiles.empty());
    std::string list;
    for (const std::string& tile : tiles) list += ' ' + tile;
    EXPECT_NE(message.find("only" + list), std::string::npos) << message;
  }
}

TEST(CudaPlanner, RefusesAFamilyThatThereIsNot) {
  const std::string refusal = "no kernel family named \"blas\"; there are host, ";
  for (const Call& call : {gemm_call({64, 64, 64}), gemm_call({0, 64, 64}), backward_call({64, 64, 64})})
    EXPECT_TRUE(is_refused(refusal, call, {.family = "blas"}));
}

TEST(CudaPlanner, RefusesAFamilyOfOtherTypes) {
  const auto types_of = [](const char* name) -> std::string {
    for (const CudaFamily* family : cuda_families())
      if (family->name == std::string(name)) return family->types;
    return "no such family";
  };
  const GemmShape shape{64, 64, 64};
  for (const char* family : {"simt", "tf32", "tf32x3", "fp32_split", "gemv"})
    EXPECT_TRUE(is_refused(types_of(family), gemm_call(shape, Element::bf16), {.family = family}));
  for (const char* family : {"wgmma", "simt", "tf32"})
    EXPECT_TRUE(is_refused(types_of(family), gemm_call(shape, Element::f64), {.family = family}));
  for (const char* family : {"wgmma", "panel"})
    EXPECT_TRUE(is_refused(types_of(family), gemm_call(shape), {.family = family}));
  EXPECT_TRUE(is_refused(types_of("tall"), gemm_call(shape), {.family = "tall"}));
}

// Each family is named once, whether it has one row or two.
TEST(CudaPlanner, TellsTheReasonsOfAllFamilies) {
  Call call          = gemm_call({64, 64, 64});
  call.is_built_in   = false;  // without passes
  const auto reasons = cuda_refusals(call, h200, {});
  std::set<std::string> names;
  for (const auto& [name, reason] : reasons) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_NE(reason, nullptr) << name;
    EXPECT_TRUE(is_refused(std::string("\n  family ") + name + ": " + reason, call));
  }
  for (const CudaFamily* family : cuda_families()) EXPECT_EQ(names.count(family->name), 1u);
}

TEST(CudaPlanner, TellsWhereTeamsHaveTooLittleScratch) {
  const CudaMachine tiny = machine_of(90, 132, 512);
  EXPECT_TRUE(is_refused("family portable: a team has too little scratch", gemm_call({64, 64, 64}), {}, tiny));
  EXPECT_TRUE(is_refused("too little scratch", gemm_call({64, 64, 64}, Element::bf16), {.family = "wgmma"}, tiny));
}

TEST(CudaPlanner, RefusesExtentsBeyond32Bits) {
  const Call call = gemm_call({std::int64_t(1) << 31, 8, 8});
  EXPECT_TRUE(is_refused("an extent is too large to be counted in 32 bits", call, {.family = "simt"}));
  EXPECT_STREQ(plan_of(call).family, "portable");
}

// Nothing to compute.

TEST(CudaPlanner, PlansNothingForAnEmptyResult) {
  for (const Element element : all_elements) {
    for (const GemmShape& shape : {GemmShape{0, 64, 64}, {64, 0, 64}, {0, 0, 0}}) {
      const Plan plan = plan_of(gemm_call(shape, element));
      EXPECT_TRUE(plan.is_empty());
      EXPECT_EQ(plan.workspace_bytes(), 0u);
      EXPECT_EQ(plan.seconds(), 0);
      EXPECT_NE(plan.text().find("nothing to compute"), std::string::npos);
    }
  }
}

// Operands are not read then: nothing is copied, widened or split.
TEST(CudaPlanner, ComputesTheEpilogueOfAnEmptySum) {
  for (const Element element : all_elements) {
    Call without_k = gemm_call({300, 200, 0}, element), without_alpha = gemm_call({301, 203, 77}, element);
    without_alpha.alpha = 0;
    Call mixed          = without_alpha;
    mixed.B             = matrix_of(element == Element::f64 ? Element::f32 : Element::f64, 77, 203);
    for (const Call& call : {without_k, without_alpha, mixed}) {
      const Plan plan = plan_of(call);
      EXPECT_GT(plan.teams(), 0);
      EXPECT_EQ(product_of(plan).split_k, 1);
      EXPECT_EQ(product_of(plan).shape.k, 0);
      EXPECT_EQ(product_of(plan).passes.left_bytes + product_of(plan).passes.right_bytes, 0u);
      EXPECT_EQ(product_of(plan).left_copy_bytes + product_of(plan).right_copy_bytes, 0u);
    }
  }
}

// Passes.

/// A functor of the caller, with passes that were compiled with it.
void own(Call& call) {
  call.is_built_in   = false;
  call.passes.finish = [](const void*, const KernelLabel&, const FinishCall&, const void*, const CallableRef&) {};
}

TEST(CudaPasses, WidenWhatIsNarrower) {
  const GemmShape shape{4096, 4096, 4096};
  Call call = gemm_call(shape);
  call.A    = matrix_of(Element::bf16, shape.m, shape.k);
  Plan plan = plan_of(call);
  EXPECT_STREQ(plan.family, "simt");
  EXPECT_EQ(product_of(plan).passes.left_bytes, 4096u * 4096 * 4);
  EXPECT_EQ(product_of(plan).passes.right_bytes, 0u);
  EXPECT_FALSE(product_of(plan).passes.finishes);
  EXPECT_GE(plan.workspace_bytes(), product_of(plan).passes.bytes());
  EXPECT_NE(plan.text().find("widens the left operand"), std::string::npos);

  call.B = matrix_of(Element::f16, shape.k, shape.n, by_columns);
  plan   = plan_of(call);
  EXPECT_STREQ(plan.family, "simt");
  EXPECT_GT(product_of(plan).passes.right_bytes, 0u);
  call.compute = Compute::tf32;
  EXPECT_STREQ(plan_of(call).family, "tf32");
}

TEST(CudaPasses, FinishResultsOfOtherTypes) {
  const GemmShape shape{4096, 4096, 4096};
  Call call       = gemm_call(shape);
  call.C          = matrix_of(Element::bf16, shape.m, shape.n);
  const Plan plan = plan_of(call);
  EXPECT_STREQ(plan.family, "simt");
  EXPECT_TRUE(product_of(plan).passes.finishes);
  EXPECT_EQ(product_of(plan).passes.sums_bytes, 4096u * 4096 * 4);
  EXPECT_EQ(product_of(plan).passes.left_bytes, 0u);

  call   = gemm_call(shape, Element::bf16);
  call.Z = matrix_of(Element::f16, shape.m, shape.n);
  EXPECT_STREQ(plan_of(call).family, "wgmma");
  EXPECT_TRUE(product_of(plan_of(call)).passes.finishes);
}

TEST(CudaPasses, FinishAnActivationOfTheCaller) {
  for (const auto& [element, family] :
       {std::pair{Element::bf16, "wgmma"}, {Element::f32, "simt"}, {Element::f64, "mma"}}) {
    Call call = gemm_call({4096, 4096, 4096}, element);
    own(call);
    const Plan plan = plan_of(call);
    EXPECT_STREQ(plan.family, family);
    EXPECT_TRUE(product_of(plan).passes.finishes);
    EXPECT_EQ(product_of(plan).passes.sums_bytes > 0, element == Element::bf16) << "others wait in C";
    call.is_built_in = true;
    EXPECT_GT(plan.seconds(), plan_of(call).seconds()) << "the pass takes its time";
  }
}

TEST(CudaPasses, AreNotPlannedWhereKernelsDoWithoutThem) {
  for (const Element element : all_elements) {
    Call call = gemm_call({1000, 1000, 1000}, element);
    call.bias = row_of(element, 1000);
    call.Z    = call.C;
    EXPECT_FALSE(product_of(plan_of(call)).passes.any());
  }
  Call half = gemm_call({1000, 1000, 1000}, Element::f16);
  half.bias = row_of(Element::bf16, 1000);
  half.C    = matrix_of(Element::f32, 1000, 1000);
  EXPECT_FALSE(product_of(plan_of(half)).passes.any());
}

// Whichever is predicted to be faster: the portable family takes any types as they are.
TEST(CudaPasses, AreTakenOnlyIfTheyPay) {
  for (const std::int64_t n : {1, 64, 300, 4096}) {
    Call call                = gemm_call({n, n, n});
    call.A                   = matrix_of(Element::bf16, n, n);
    const double as_they_are = plan_of(call, {.family = "portable"}).seconds();
    EXPECT_LE(plan_of(call).seconds(), as_they_are) << n;
  }
}

// The types of a call decide who takes it, not its numbers.
TEST(CudaPasses, AreOfTheSameFamilyWithoutAlpha) {
  Call halves = gemm_call({512, 512, 512}, Element::bf16), mixed = gemm_call({512, 512, 512});
  halves.C = matrix_of(Element::f16, 512, 512);
  mixed.A  = matrix_of(Element::f16, 512, 512);
  for (const double alpha : {1, 0}) {
    halves.alpha = mixed.alpha = alpha;
    EXPECT_TRUE(takes("mma", halves) && takes("wgmma", halves)) << alpha;
    EXPECT_TRUE(takes("simt", mixed)) << alpha;
  }
}

TEST(CudaPasses, BelongToTheFamilyThatIsAskedFor) {
  Call call = gemm_call({512, 512, 512});
  call.A    = matrix_of(Element::f16, 512, 512);
  EXPECT_GT(product_of(plan_of(call, {.family = "simt"})).passes.left_bytes, 0u);
  EXPECT_TRUE(is_refused("it takes half_t or bhalf_t times the same", call, {.family = "wgmma"}));
  own(call);
  EXPECT_TRUE(product_of(plan_of(call, {.family = "simt"})).passes.finishes);
}

// Behind all that kernels have there, aligned as they want operands.
TEST(CudaPasses, HaveTheirOwnPlaceInTheWorkspace) {
  Call call = gemm_call({100, 100, 100000});
  call.A    = matrix_of(Element::bf16, 100, 100000);
  own(call);
  const Plan plan = plan_of(call, {.family = "simt", .split_k = 3});
  EXPECT_GE(plan.passes_workspace(0), product_of(plan).workspace_bytes);
  EXPECT_EQ(plan.passes_workspace(0) % 128, 0u);
  EXPECT_EQ(plan.workspace_bytes(), plan.passes_workspace(0) + product_of(plan).passes.bytes());
}

}  // namespace
}  // namespace Tegula::Test
