// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "cuda/Tegula_StreamedProducts.hpp"

/// Which products of gemm_backward run on kernels of the skinny and the gemv family, for machines given as data.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

constexpr CudaMachine h200{132, 219 * 1024};

// Rows are contiguous everywhere.
template <class T>
Call call_of(const GemmShape& shape) {
  alignas(16) static T data[4]{};
  const auto matrix = [&](std::int64_t rows, std::int64_t columns) {
    return call_matrix(MatrixRef<T>{data, rows, columns, columns, 1});
  };
  Call call;
  call.name            = "gemm_backward";
  call.is_backward     = true;
  call.input_name      = sizeof(T) == 4 ? "f32" : "f64";
  call.activation_name = "identity";
  call.dC              = matrix(shape.m, shape.n);
  call.A               = matrix(shape.m, shape.k);
  call.B               = matrix(shape.k, shape.n);
  call.dA              = matrix(shape.m, shape.k);
  call.dB              = matrix(shape.k, shape.n);
  return call;
}

template <class T>
Plan plan_of(const Call& call, const PlanOptions& options = {}) {
  Plan plan = uncut_plan("simt", "Cuda", call);
  plan_streamed_products<T>(call, plan, h200, options, ArgumentList(plan.call));
  return plan;
}

TEST(StreamedPlan, TakesALongGradientOfAThinMatrix) {
  const Plan plan = plan_of<float>(call_of<float>({1000000, 32, 32}));
  EXPECT_TRUE(plan.products[0].is_streamed());
  EXPECT_EQ(plan.products[0].tile, (TileShape{32, 32, 16}));
  EXPECT_EQ(plan.products[0].holding_teams, 5 * 132);
  EXPECT_FALSE(plan.products[1].is_streamed()) << "whose sums are long";
  EXPECT_EQ(plan.products[1].teams(), 0) << "which the family is still to cut";
  EXPECT_NE(plan.text().find("of the skinny family, which streams the long operand"), std::string::npos);
}

TEST(StreamedPlan, TakesAGradientOfFewRowsOrColumns) {
  const Plan rows    = plan_of<float>(call_of<float>({8, 4096, 4096})),
             columns = plan_of<double>(call_of<double>({8192, 8, 8192}));
  EXPECT_TRUE(rows.products[0].is_streamed());
  EXPECT_EQ(rows.products[0].tile, (TileShape{8, 64, 128}));
  EXPECT_EQ(rows.products[0].workspace_bytes, 2u * 8 * 4096 * sizeof(float));
  EXPECT_EQ(rows.products[0].holding_teams, 0);
  EXPECT_FALSE(rows.products[1].is_streamed()) << "whose sums have few products";
  EXPECT_FALSE(columns.products[0].is_streamed());
  EXPECT_TRUE(columns.products[1].is_streamed());
  EXPECT_EQ(columns.products[1].tile, (TileShape{8, 64, 64}));
}

TEST(StreamedPlan, LabelsNameTheFamilyAndTheTileOfEachProduct) {
  Plan plan             = plan_of<float>(call_of<float>({8, 4096, 4096}));
  plan.products[1].tile = {128, 128, 16};  // as the family may cut it
  EXPECT_EQ(plan.label(plan.products[0]), "Tegula::gemm_backward[gemv,f32,NN,identity,8x64x128]");
  EXPECT_EQ(plan.label(plan.products[1]), "Tegula::gemm_backward[simt,f32,NN,identity,128x128x16]");
}

TEST(StreamedPlan, TakesNothingElse) {
  Call call = call_of<float>({1000000, 32, 32});
  for (const PlanOptions& options : {PlanOptions{.family = "simt"}, {.tile = {32, 32, 16}}, {.split_k = 1}})
    EXPECT_FALSE(plan_of<float>(call, options).products[0].is_streamed());
  call.dA = {};
  EXPECT_FALSE(plan_of<float>(call).products[0].is_streamed()) << "which is not wanted";
  const Plan cube = plan_of<float>(call_of<float>({1024, 1024, 1024}));
  EXPECT_FALSE(cube.products[0].is_streamed() || cube.products[1].is_streamed());
}

}  // namespace
}  // namespace Tegula::Test
