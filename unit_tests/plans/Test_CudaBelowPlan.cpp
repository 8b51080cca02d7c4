// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/Tegula_CudaProducts.hpp"

/// What the planner for CUDA makes of calls of gemm_backward with a layer below. No GPU is needed.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr GemmShape shape{3000, 200, 500};  // of C = A B

/// With Silu below, which reads what was saved and has no kernels that multiply by its derivative unless all do.
Call with_silu_below(Call call, bool wants_dbias = true) {
  LayerBelow& below        = call.below.emplace();
  below.activation         = {BuiltInActivations::position<Silu>()};
  below.has_constant_slope = false;
  below.activation_name    = "silu";
  below.saved              = call.A;
  below.dbias              = wants_dbias ? row_of(call.dA.element, call.dA.columns) : no_matrix(call.dA.element);
  return call;
}

// A tile that stores some results twice does not multiply them by act' of what lies where they go.
TEST(CudaBelow, IsNotMultipliedByWhereResultsAreStoredTwice) {
  Call call                   = with_silu_below(relu_backward_call({2048, 2048, 2048}, Element::bf16));
  call.below->activation      = {BuiltInActivations::position<Relu>()};
  call.below->activation_name = "relu";
  const auto is_fused_by      = [&](const TileShape& tile) {
    return plan_of(call, {.family = "wgmma", .tile = tile}).products[0].forms_dZ_below;
  };
  EXPECT_TRUE(is_fused_by({256, 192, 64}));
  EXPECT_FALSE(is_fused_by({256, 144, 64}));
}

TEST(CudaBelow, IsAPassBehindTheProductsInThePlaceOfDA) {
  for (const Element element : all_elements) {
    const Call call  = relu_backward_call(shape, element);
    const Plan plain = plan_of(call), plan = plan_of(with_silu_below(call));
    if (plan.products[0].forms_dZ_below) continue;  // the kernels of dA do it
    EXPECT_GT(plan.below.teams(), 0);
    EXPECT_TRUE(plan.below.stores_dZ && plan.below.is_in_place && plan.below.sums_columns);
    EXPECT_EQ(plan.below.dZ_bytes, 0u);
    EXPECT_GT(plan.seconds(), plain.seconds());
    const auto steps = plan.steps();
    ASSERT_GT(steps.size(), plain.steps().size());
    std::size_t last = steps.size() - 1;
    if (plan.below.sums_bytes > 0) {
      EXPECT_EQ(steps[last].label, plan.label() + "[dbias below]");
      EXPECT_GT(steps[last].seconds, 0);
      EXPECT_EQ(plan.workspace_bytes(), plan.below_workspace() + plan.below.sums_bytes);
      --last;
    }
    EXPECT_EQ(steps[last].label, plan.label() + "[dZ below]");
    EXPECT_EQ(steps[last].what, "forms dZ and dbias of the layer below");
    EXPECT_GT(steps[last].seconds, 0);
    EXPECT_EQ(plan.below_workspace() % 128, 0u);
    EXPECT_NE(plan.text().find("dZ and dbias of the layer below last, by a kernel of"), std::string::npos);
  }
}

/// With Tanh below, whose derivative kernels form of what it returned.
Call with_tanh_below(Call call, bool wants_dbias = true) {
  call                   = with_silu_below(std::move(call), wants_dbias);
  call.below->activation = {BuiltInActivations::position<Tanh>()};
  return call;
}

// wgmma leaves sums of 64 rows each, which a kernel adds; other families leave the sums to a pass.
TEST(CudaBelow, IsFormedBehindTheMultiplication) {
  const GemmShape large{4096, 1024, 1024};
  for (const Element element : {Element::f16, Element::bf16}) {
    const Plan plan = plan_of(with_tanh_below(relu_backward_call(large, element)), {.family = "wgmma", .split_k = 1});
    EXPECT_TRUE(plan.products[0].forms_dZ_below);
    EXPECT_EQ(plan.below.teams(), 0);
    EXPECT_EQ(plan.below.parts, large.m / rows_of_sums);
    EXPECT_EQ(plan.below.sums_bytes, static_cast<std::size_t>(large.m / rows_of_sums * large.k) * sizeof(float));
    EXPECT_EQ(plan.steps().back().label, plan.label() + "[dbias below]");
  }
}

// The last layer of a network: narrow computes all gradients, and sums the columns of each of its parts of the rows.
TEST(CudaBelow, IsFormedBesideTheSumsOfFewColumns) {
  const auto plan_for = [&](const GemmShape& few) {
    const Plan plan = plan_of(with_tanh_below(with_dbias(backward_call(few, Element::bf16))));
    EXPECT_STREQ(plan.family, "narrow");
    EXPECT_TRUE(plan.is_one_kernel && plan.products[0].forms_dZ_below && plan.below.sums_columns);
    EXPECT_EQ(plan.gradient.teams(), 0);
    return plan;
  };
  for (const GemmShape& few : {GemmShape{4096, 10, 1024}, GemmShape{16384, 16, 512}}) {
    const Plan plan = plan_for(few);
    EXPECT_TRUE(plan.leaves_sums_below());
    EXPECT_EQ(plan.below.parts, plan.products[1].split_k);
    EXPECT_EQ(plan.below.sums_bytes, static_cast<std::size_t>(plan.below.parts * few.k) * sizeof(float));
  }
  const Plan alone = plan_for({128, 10, 256});  // of one part, whose sums are all
  EXPECT_EQ(alone.below.parts, 0);
  ASSERT_EQ(alone.steps().size(), 1u);
  EXPECT_EQ(alone.steps()[0].what, "computes dA, times act' of the layer below, with its dbias, and dB^T and dbias");
}

// What was saved is read once more, unless it is A and dB is wanted, for which narrow reads that.
TEST(CudaBelow, IsReadAnewByNarrowUnlessItIsA) {
  const Call same    = with_tanh_below(backward_call({65536, 10, 1024}, Element::bf16));
  Call apart         = same;
  apart.below->saved = matrix_of(Element::bf16, 65536, 1024, {.padding = 8});
  const auto seconds = [](const Call& call) { return plan_of(call, {.family = "narrow", .split_k = 32}).seconds(); };
  const double reading =
      65536.0 * 1024 * 2 / h200.rates->memory;  // of rows x depth in 16 bits, by the card that plan_of takes
  EXPECT_NEAR(seconds(apart) - seconds(same), reading, 1e-3 * reading);
  const auto without_dB = [](Call call) {
    call.dB = no_matrix(Element::bf16);
    return call;
  };
  EXPECT_EQ(seconds(without_dB(apart)), seconds(without_dB(same)));
}

TEST(CudaBelow, IsLeftToOthersByNarrow) {
  const TileShape tile{128, 16, 64};
  const auto is_fused = [&](const Call& call) {
    return plan_of(call, {.family = "narrow", .tile = tile}).products[0].forms_dZ_below;
  };
  const Call call = with_tanh_below(backward_call({4096, 10, 1024}, Element::bf16));
  EXPECT_TRUE(is_fused(call));
  Call added      = call;
  added.update_dA = Update::accumulate;
  EXPECT_FALSE(is_fused(added));
  Call across         = call;
  across.below->saved = matrix_of(Element::bf16, 4096, 1024, by_columns);
  EXPECT_FALSE(is_fused(across));
  Call other_type         = call;
  other_type.below->saved = matrix_of(Element::f32, 4096, 1024);
  EXPECT_FALSE(is_fused(other_type));
  EXPECT_FALSE(is_fused(with_tanh_below(backward_call({10, 4096, 1024}, Element::bf16))));
}

// The kernel that adds slices knows no layer below.
TEST(CudaBelow, IsLeftToAPassWhereTheRestOfWavesIsCut) {
  const Call call           = with_tanh_below(without_dB(backward_call({2056, 8192, 2056}, Element::bf16)));
  const ProductPlan product = plan_of(call, {.family = "wgmma", .whole_waves = 1}).products[0];
  EXPECT_GT(product.whole_rows, 0);
  EXPECT_FALSE(product.forms_dZ_below);
  const ProductPlan fused = plan_of(call, {.family = "wgmma", .split_k = 1}).products[0];
  EXPECT_TRUE(fused.forms_dZ_below && fused.whole_waves == 0);
}

// Behind both products at once, behind dB, or behind dA if that is all.
TEST(CudaBelow, IsAddedToRightBehindTheLastProduct) {
  const Call call = with_tanh_below(backward_call({4096, 1024, 1024}, Element::bf16));
  const PlanOptions wgmma{.family = "wgmma", .split_k = 1};
  const Plan both = plan_of(call, wgmma);
  ASSERT_TRUE(both.is_one_kernel && both.leaves_sums_below());
  for (const ProductPlan& product : both.products) EXPECT_TRUE(product.is_followed);
  const Plan alone = plan_of(without_dB(call), wgmma);
  ASSERT_TRUE(alone.leaves_sums_below());
  EXPECT_TRUE(alone.products[0].is_followed);
  EXPECT_FALSE(alone.products[1].is_followed);
  for (const ProductPlan& product : plan_of(with_tanh_below(call, false), wgmma).products)
    EXPECT_FALSE(product.is_followed);
}

// TMA fetches what was saved to where dZ is stored from: one type, and aligned. dZ takes the place of what is there.
TEST(CudaBelow, IsFormedByWgmmaWhereTmaFetchesWhatWasSaved) {
  const auto is_fused = [](const Call& call) {
    return plan_of(call, {.family = "wgmma", .split_k = 1}).products[0].forms_dZ_below;
  };
  const GemmShape large{4096, 1024, 1024};
  const Call call = with_tanh_below(relu_backward_call(large, Element::bf16));
  EXPECT_TRUE(is_fused(call));
  Call columns         = call;
  columns.below->saved = matrix_of(Element::bf16, large.m, large.k, by_columns);
  EXPECT_TRUE(is_fused(columns));
  Call odd         = call;
  odd.below->saved = matrix_of(Element::bf16, large.m, large.k, {.padding = 1});
  EXPECT_FALSE(is_fused(odd));
  Call other_type         = call;
  other_type.below->saved = matrix_of(Element::f32, large.m, large.k);
  EXPECT_FALSE(is_fused(other_type));
  Call odd_dZ = call;
  odd_dZ.dA   = matrix_of(Element::bf16, large.m, large.k, {.padding = 1});
  EXPECT_FALSE(is_fused(odd_dZ));
  Call added      = call;
  added.update_dA = Update::accumulate;
  EXPECT_FALSE(is_fused(added));
}

// Each of these does without something.
TEST(CudaBelow, IsAsMuchAsIsAskedFor) {
  const Call call = relu_backward_call(shape);
  const Plan dZ   = plan_of(with_silu_below(call, false));
  EXPECT_FALSE(dZ.below.sums_columns);
  EXPECT_EQ(dZ.below.sums_bytes, 0u);
  Call identity                      = with_silu_below(call);
  identity.below->activation         = {};
  identity.below->has_constant_slope = true;
  const Plan dbias                   = plan_of(identity);
  EXPECT_FALSE(dbias.below.stores_dZ);
  EXPECT_TRUE(dbias.below.sums_columns);
  EXPECT_LT(dbias.seconds(), plan_of(with_silu_below(call)).seconds());
  identity.below->dbias = no_matrix(Element::f32);
  EXPECT_EQ(plan_of(identity).below.parts, 0);
  EXPECT_EQ(plan_of(identity).text(), plan_of(call).text());
}

TEST(CudaBelow, IsOfTheElementsOfDA) {
  Call call     = with_silu_below(relu_backward_call(shape, Element::bf16));
  call.dA       = matrix_of(Element::f32, shape.m, shape.k);
  const Call of = call_of_pass_below(call, false);
  EXPECT_EQ(of.dC.data, call.dA.data);
  EXPECT_EQ(input_of(of), Element::f32);
  EXPECT_GT(plan_of(call).below.teams() + plan_of(call).products[0].forms_dZ_below, 0);
}

// An empty dA has no pass, but zeros for dbias.
TEST(CudaBelow, IsOfEmptyMatrices) {
  const Plan no_rows = plan_of(with_silu_below(relu_backward_call({0, 20, 30})));
  EXPECT_TRUE(no_rows.below.sums_columns);
  EXPECT_EQ(no_rows.below.parts, 1);
  EXPECT_EQ(no_rows.below.sums_bytes, 0u);
  EXPECT_EQ(plan_of(with_silu_below(relu_backward_call({30, 20, 0}))).below.teams(), 0);
}

// A kernel of all gradients needs a product, or forms dbias anyway, as those of direct do; else dbias is a pass.
TEST(CudaBelow, IsPlannedAroundNoProduct) {
  for (const Element element : all_elements) {
    for (const char* family : {"", "portable"}) {
      Call empty      = with_tanh_below(relu_backward_call({5, 7, 0}, element));
      empty.dbias     = row_of(element, 7);
      const Plan plan = plan_of(empty, {.family = family});
      if (plan.is_one_kernel) {
        EXPECT_GT(plan.products[0].teams() + plan.products[1].teams(), 0);
      } else {
        EXPECT_TRUE(plan.gradient.sums_columns);
      }
    }
  }
}

// Whatever family is asked for: what its kernels do not do, the pass does.
TEST(CudaBelow, RefusesNoFamily) {
  for (const char* family : {"simt", "portable", "direct", "outer"}) {
    const GemmShape small{300, 30, 30};
    EXPECT_EQ(takes(family, with_silu_below(relu_backward_call(small))), takes(family, relu_backward_call(small)))
        << family;
  }
  EXPECT_TRUE(
      is_refused("fp32_split", with_silu_below(relu_backward_call(shape, Element::f64)), {.family = "fp32_split"}));
}

}  // namespace
}  // namespace Tegula::Test
