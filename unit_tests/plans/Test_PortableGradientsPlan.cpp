// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaPlans.hpp"

/// How the portable family plans the gradients of layers on CUDA: all in one kernel of its own. No GPU is needed.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

// The portable family is what others are compared with, so nothing of theirs is in what it computes.
TEST(PortableGradients, AreItsOwn) {
  for (const Element element : all_elements) {
    const Call all  = with_dbias(relu_backward_call({300, 300, 300}, element));
    const Plan plan = plan_of(all, {.family = "portable"}),
               bias = plan_of(without_dA(without_dB(all)), {.family = "portable"});
    EXPECT_TRUE(plan.is_one_kernel);
    EXPECT_EQ(plan.gradient.teams(), 0);
    EXPECT_TRUE(plan.products[1].sums_rows);
    EXPECT_EQ(bias.gradient.teams(), 0);
    EXPECT_GT(bias.products[1].teams(), 0);
  }
}

// Its kernels that form dZ while they read it have the smallest tile. Another tile is that of products behind a pass.
TEST(PortableGradients, HaveItsSmallestTile) {
  for (const Element element : all_elements) {
    const Call call      = relu_backward_call({3000, 3000, 3000}, element);
    const TileShape tile = {32, 32, element == Element::f64 ? 16 : 32}, larger = {64, 64, 16};
    EXPECT_EQ(plan_of(call, {.family = "portable"}).products[0].tile, tile);
    EXPECT_FALSE(forms_dZ(plan_of(call, {.family = "portable", .tile = tile})));
    const Plan plan = plan_of(call, {.family = "portable", .tile = larger});
    EXPECT_TRUE(forms_dZ(plan));
    for (const ProductPlan& product : plan.products) EXPECT_EQ(product.tile, larger);
    EXPECT_TRUE(
        is_refused("the portable family has no tile 32x32x8", call, {.family = "portable", .tile = {32, 32, 8}}));
  }
}

// Layers whose dC is large, in microseconds as they were measured on an H100. Both products read dC and what was saved:
// that was left out once, and halved the predictions.
TEST(PortableGradients, TakeAsLongAsTheyWereMeasuredTo) {
  struct Row {
    GemmShape shape;
    Element element;
    double measured;
  };
  CudaMachine h100 = h200;
  h100.rates       = Impl::cuda_rates_of_card("H100");
  for (const Row& row : {Row{{3148, 7368, 17}, Element::f64, 743},
                         {{5854, 7022, 19}, Element::f64, 1302},
                         {{7922, 1880, 20}, Element::f64, 393},
                         {{5854, 7022, 19}, Element::f32, 1025}}) {
    Call call            = relu_backward_call(row.shape, row.element);
    call.dbias           = row_of(row.element, row.shape.n);
    const double seconds = plan_of(call, {.family = "portable"}, h100).seconds();
    EXPECT_GT(seconds * 1e6, 0.8 * row.measured) << row.measured;
    EXPECT_LT(seconds * 1e6, 1.4 * row.measured) << row.measured;
  }
}

// Kernels that find out types as they go take longer, whichever operand is of another type, and so do those that find
// out the activation.
TEST(PortableGradients, TakeLongerWhereTypesAreData) {
  const PlanOptions portable{.family = "portable"};
  const Call alike   = relu_backward_call({300, 300, 300});
  const double least = plan_of(alike, portable).seconds();
  for (CallMatrix Call::*matrix : {&Call::A, &Call::B, &Call::saved}) {
    Call mixed              = alike;
    (mixed.*matrix).element = Element::bf16;
    EXPECT_GT(plan_of(mixed, portable).seconds(), 1.4 * least);
  }
  Call tanh = alike, gelu = alike;
  tanh.activation = {Impl::BuiltInActivations::position<Tanh>()};
  gelu.activation = {Impl::BuiltInActivations::position<GeluErf>()};
  EXPECT_EQ(plan_of(tanh, portable).seconds(), least);
  EXPECT_GT(plan_of(gelu, portable).seconds(), 1.4 * least);
}

}  // namespace
}  // namespace Tegula::Test
