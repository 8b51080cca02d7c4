// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "Tegula_TestCudaPlans.hpp"
#include "cuda/Tegula_CudaPlanRefusal.hpp"
#include "cuda/Tegula_CudaProducts.hpp"

/// What the planner for CUDA makes of calls of gemm_backward: their products are calls of gemm, so whatever computes
/// one computes the other, behind a pass that forms dZ; some families compute all at once. No GPU is needed.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

TEST(CudaGradients, AreProductsWithNamesAndShapes) {
  for (const Element element : all_elements) {
    const Plan plan       = plan_of(backward_call({3000, 200, 500}, element));
    const ProductPlan &dA = plan.products[0], &dB = plan.products[1];
    EXPECT_STREQ(dA.name, "dA");
    EXPECT_STREQ(dB.name, "dB^T");
    EXPECT_EQ(dA.shape, (GemmShape{3000, 500, 200}));
    EXPECT_EQ(dB.shape, (GemmShape{200, 500, 3000}));
    EXPECT_GT(dA.teams(), 0);
    EXPECT_GT(dB.teams(), 0);
    EXPECT_EQ(plan.workspace_bytes(), dA.workspace_bytes + dB.workspace_bytes);
  }
}

// dA = dZ B^T and dB^T = dZ^T A: the calls have the matrices of the whole one, transposed where that says so.
TEST(CudaGradients, AreCallsOfGemm) {
  Call call            = relu_backward_call({30, 20, 50}, Element::f64, {.padding = 3});
  call.dB              = matrix_of(Element::f64, 50, 20, by_columns);
  call.alpha           = -2;
  call.update_dB       = Update::accumulate;
  const auto [dA, dB]  = gradient_products(call, call.dC);
  const auto lie_alike = [](const CallMatrix& a, const CallMatrix& b) {
    return std::tie(a.data, a.element, a.rows, a.columns, a.row_stride, a.column_stride) ==
           std::tie(b.data, b.element, b.rows, b.columns, b.row_stride, b.column_stride);
  };
  EXPECT_TRUE(lie_alike(dA.A, call.dC) && lie_alike(dA.B, call.B.transposed()) && lie_alike(dA.C, call.dA));
  EXPECT_TRUE(lie_alike(dB.A, call.dC.transposed()) && lie_alike(dB.B, call.A));
  EXPECT_TRUE(lie_alike(dB.C, call.dB.transposed()));
  for (const Call* product : {&dA, &dB}) {
    EXPECT_FALSE(product->is_backward);
    EXPECT_EQ(product->A.columns, product->B.rows);
    EXPECT_EQ(product->alpha, -2);
    EXPECT_TRUE(product->is_built_in);
    EXPECT_EQ(product->activation.position, 0) << "act' is in dZ";
  }
  EXPECT_EQ(dA.beta, 0);
  EXPECT_EQ(dB.beta, 1);
}

TEST(CudaGradients, AreLeftOutIfTheyAreNotWanted) {
  for (const Element element : all_elements) {
    const Call both    = backward_call({3000, 200, 500}, element);
    const Plan only_dA = plan_of(without_dB(both)), only_dB = plan_of(without_dA(both));
    EXPECT_GT(only_dA.products[0].teams(), 0);
    EXPECT_EQ(only_dA.products[1].teams(), 0);
    EXPECT_EQ(only_dB.products[0].teams(), 0);
    EXPECT_GT(only_dB.products[1].teams(), 0);
    EXPECT_LT(only_dA.seconds(), plan_of(both).seconds());
    EXPECT_TRUE(plan_of(without_dA(without_dB(both))).is_empty());
  }
}

// The portable kernel would go through all rows with a few teams.
TEST(CudaGradients, AreColumnSumsByThePassAlone) {
  for (const Element element : all_elements)
    for (const GemmShape& shape : {GemmShape{10376, 328, 8}, GemmShape{8744, 8, 8}, GemmShape{300, 40, 20}}) {
      const Plan plan = plan_of(without_dA(without_dB(with_dbias(relu_backward_call(shape, element)))));
      EXPECT_GT(plan.gradient.teams(), 0) << text(plan.tile());
      EXPECT_EQ(plan.products[0].teams() + plan.products[1].teams(), 0);
    }
}

// Families that compute one product, each with one that it takes.
TEST(CudaGradients, AreComputedByAnyFamily) {
  struct Way {
    const char* family;
    Element element;
    GemmShape shape;  // of C = A B
    Compute compute = Compute::native;
  };
  const Way ways[] = {{"gemv", Element::f32, {8, 4096, 4096}},
                      {"gemv", Element::f64, {8, 4096, 4096}},
                      {"stream", Element::f32, {1000000, 32, 32}},
                      {"stream", Element::f64, {1000000, 16, 16}},
                      {"panel", Element::f64, {8192, 64, 8192}},
                      {"simt", Element::f32, {1000, 1000, 1000}},
                      {"mma", Element::f64, {1000, 1000, 1000}},
                      {"mma", Element::bf16, {1000, 1000, 1000}},
                      {"mma", Element::f32, {1000, 1000, 1000}, Compute::tf32},
                      {"wgmma", Element::f16, {1000, 1000, 1000}},
                      {"tf32", Element::f32, {1024, 1024, 1024}, Compute::tf32},
                      {"tf32x3", Element::f32, {1024, 1024, 1024}, Compute::fp32_split},
                      {"fp32_split", Element::f32, {1024, 1024, 1024}, Compute::fp32_split},
                      {"portable", Element::f32, {1000, 1000, 1000}}};
  for (const Way& way : ways) {
    Call call    = without_dB(backward_call(way.shape, way.element));
    call.compute = way.compute;
    for (const Call& any : {call, without_dB(relu_backward_call(way.shape, way.element))}) {
      Call asked      = any;
      asked.compute   = way.compute;
      const Plan plan = plan_of(asked, {.family = way.family});
      EXPECT_STREQ(plan.products[0].family, way.family);
      EXPECT_EQ(plan.products[1].teams(), 0);
    }
  }
}

// dB of few rows and columns is the product that gemv takes there; dA is not one, nor the other way round.
TEST(CudaGradients, AreRefusedByAFamilyThatTakesOnlyOneOfThem) {
  const Call call = backward_call({8, 4096, 4096});
  EXPECT_TRUE(is_refused("it takes this call only in part", call, {.family = "gemv"}));
  EXPECT_TRUE(takes("gemv", without_dB(call)));
}

TEST(CudaGradients, MayBeOfDifferentFamilies) {
  Plan plan               = plan_of(backward_call({8, 4096, 4096}));
  plan.products[0].family = "gemv";  // whatever was planned
  plan.products[0].tile   = {8, 64, 128};
  plan.products[1].family = "simt";
  plan.products[1].tile   = {128, 128, 16};
  EXPECT_EQ(plan.label(plan.products[0]), "Tegula::gemm_backward[gemv,input,NN,identity,8x64x128][dA]");
  EXPECT_EQ(plan.label(plan.products[1]), "Tegula::gemm_backward[simt,input,NN,identity,128x128x16][dB]");
  EXPECT_NE(plan.text().find("of the gemv family"), std::string::npos);
  EXPECT_NE(plan.text().find("of the simt family"), std::string::npos);
}

// The pass that forms dZ.

TEST(CudaGradients, NeedNoPassWhereDCIsDZ) {
  for (const Element element : all_elements) {
    const Plan plan = plan_of(backward_call({1000, 1000, 1000}, element));
    EXPECT_EQ(plan.gradient.teams(), 0);
    EXPECT_EQ(plan.gradient.seconds, 0);
  }
}

TEST(CudaGradients, FollowDZ) {
  const auto family_of = [](Element element) {
    return element == Element::f32 ? "simt" : element == Element::f64 ? "mma" : "wgmma";
  };
  for (const Element element : all_elements) {
    const Plan plan = plan_of(relu_backward_call({1000, 1000, 1000}, element), {.family = family_of(element)});
    EXPECT_TRUE(forms_dZ(plan));
    EXPECT_EQ(plan.gradient.dZ_bytes % (1000u * static_cast<unsigned>(element_bytes(element))), 0u);
    EXPECT_GT(plan.gradient.seconds, 0);
    EXPECT_FALSE(plan.gradient.sums_columns);
    EXPECT_EQ(plan.workspace_bytes(), plan.gradient_workspace() + plan.gradient.dZ_bytes);
  }
}

// Kernels for 16 bits copy runs of 16 bytes: the pass lays dC out in them once, for both products.
TEST(CudaGradients, AreOfACopyOfDCWhereItsRunsAreNotAligned) {
  for (const auto& [element, wants_runs] : {std::pair{Element::bf16, true}, {Element::f32, false}}) {
    Call call = backward_call({1000, 1000, 1000}, element);
    call.dC   = matrix_of(element, 1000, 1000, {.padding = 1});
    EXPECT_EQ(forms_dZ(plan_of(call, {.family = wants_runs ? "mma" : "simt"})), wants_runs);
  }
}

TEST(CudaGradients, ReadNothingWithoutAlpha) {
  Call call       = with_dbias(relu_backward_call({1000, 1000, 1000}));
  call.alpha      = 0;
  const Plan plan = plan_of(call, {.family = "simt"});
  EXPECT_FALSE(plan.gradient.stores_dZ);
  EXPECT_TRUE(plan.gradient.sums_columns) << "dbias is of dZ, alpha or not";
  EXPECT_EQ(plan.products[0].shape.k, 0);
}

TEST(CudaGradients, SumColumnsInThePass) {
  const Plan plan = plan_of(with_dbias(backward_call({100000, 1000, 1000}, Element::bf16)), {.family = "wgmma"});
  EXPECT_GT(plan.gradient.teams(), 0);
  EXPECT_TRUE(plan.gradient.sums_columns);
  EXPECT_FALSE(plan.gradient.stores_dZ);
  EXPECT_EQ(plan.gradient.sums_bytes, static_cast<std::size_t>(plan.gradient.parts) * 1000 * sizeof(float));
}

// Of a matrix of few words, threads take a step each, so that all of it is on its way at once; of many, a few steps.
// Its parts are whole steps, and together all rows.
TEST(CudaGradients, ShareOutThePass) {
  for (const Element element : all_elements) {
    const std::int64_t run = 16 / element_bytes(element), threads = 256;
    for (const Lies& lies : {Lies{}, by_columns}) {
      for (const std::int64_t n : {1, 7, 10, 33, 64, 200, 1000, 5000}) {
        for (const std::int64_t m : {1, 100, 1000, 4096, 70000, 1000000}) {
          const Call call          = with_dbias(backward_call({m, n, 8}, element, lies));
          const GradientPlan pass  = plan_gradient(call, h200);
          const bool along_rows    = call.dC.column_stride == 1;
          const std::int64_t step  = along_rows ? threads >> pass.shift : run << pass.shift;
          const std::int64_t steps = ceil_div(pass.part_rows, step);
          EXPECT_EQ(pass.part_rows % step, 0);
          EXPECT_GE(pass.parts * pass.part_rows, m);
          EXPECT_LT((pass.parts - 1) * pass.part_rows, m);
          EXPECT_LE(pass.parts, std::max<std::int64_t>(1, 2 * h200.multiprocessors / pass.strips));
          if (steps > 1) {
            EXPECT_GE(pass.parts, std::min<std::int64_t>(64, h200.multiprocessors / pass.strips) / 2) << m << ' ' << n;
          }
        }
      }
    }
  }
  EXPECT_EQ(plan_gradient(with_dbias(backward_call({4096, 10, 1024}, Element::bf16)), h200).parts, 32);
}

TEST(CudaGradients, MayBeOfTheBiasAlone) {
  const Call call = without_dA(without_dB(with_dbias(relu_backward_call({100000, 100, 100}))));
  const Plan plan = plan_of(call);
  EXPECT_FALSE(plan.is_empty());
  EXPECT_GT(plan.seconds(), 0);
  EXPECT_FALSE(plan.gradient.stores_dZ) << "nobody reads it";
  EXPECT_TRUE(is_refused("no kernel family named \"blas\"", call, {.family = "blas"}));
  EXPECT_TRUE(is_refused("it takes half_t or bhalf_t", call, {.family = "wgmma"}));
  EXPECT_TRUE(takes("simt", call)) << "which would compute products behind the same pass";
}

// Families that form dZ as they go need no pass.
TEST(CudaGradients, AreComputedAtOnceByTheFamiliesOfLongMatrices) {
  for (const Element element : {Element::f32, Element::f64}) {
    const Plan plan = plan_of(with_dbias(relu_backward_call({1000000, 8, 8}, element)), {.family = "tall"});
    EXPECT_EQ(plan.gradient.teams(), 0);
    EXPECT_TRUE(plan.is_one_kernel);
    EXPECT_TRUE(plan.products[1].sums_rows);
    EXPECT_STREQ(plan_of(relu_backward_call({1000000, 8, 8}, element)).family, "tall")
        << "the only one that reads once";
  }
}

// Three kernels wait for each other, and one does not.
TEST(CudaGradients, OfASmallLayerAreOneKernel) {
  Call call  = relu_backward_call({24, 1960, 8}, Element::f64);
  call.dbias = row_of(Element::f64, 1960);
  EXPECT_TRUE(plan_of(call).is_one_kernel);
}

// One launch for both: it has no gap, and one wave that is not full.
TEST(CudaGradients, ShareALaunchOfTheWgmmaFamily) {
  const Plan plan = plan_of(backward_call({2048, 2048, 2048}, Element::bf16), {.family = "wgmma"});
  EXPECT_TRUE(plan.is_one_kernel);
  EXPECT_EQ(plan.products[0].tile, plan.products[1].tile);
  EXPECT_EQ(plan.products[1].seconds, 0) << "which is part of the first one's";
  EXPECT_FALSE(plan_of(without_dA(backward_call({2048, 2048, 2048}, Element::bf16))).is_one_kernel);
}

// A tall batch: dA has tiles enough; the few tiles of dB are split.
TEST(CudaGradients, AreCutAsTheirShapesNeed) {
  for (const Element element : all_elements) {
    const Plan plan = plan_of(backward_call({65536, 128, 128}, element));
    EXPECT_EQ(plan.products[0].split_k, 1) << plan.text();
    EXPECT_GT(plan.products[1].split_k, 4) << plan.text();
    EXPECT_GT(plan.products[1].workspace_bytes, 0u);
  }
}

// No family that takes the whole call would have taken less time. Without dbias, whose last sums nobody counts.
TEST(CudaGradients, TakeTheLeastTime) {
  for (const Element element : all_elements) {
    for (const GemmShape& shape : {GemmShape{1000, 1000, 1000}, {100000, 8, 8}, {300, 7, 4096}, {8, 4096, 4096}}) {
      for (const Call& call : {backward_call(shape, element), relu_backward_call(shape, element)}) {
        const double least = plan_of(call).seconds();
        EXPECT_GT(least, 0);
        for (const FamilyRefusal& family : cuda_refusals(call, h200, {})) {
          if (!takes(family.name, call)) continue;
          EXPECT_LE(least, plan_of(call, {.family = family.name}).seconds() * (1 + 1e-12)) << family.name << '\n'
                                                                                           << plan_of(call).text();
        }
      }
    }
  }
}

// On a device with few units for double, too.
TEST(CudaGradients, TakeTheTimeOfMemoryAndOfArithmetic) {
  const CudaMachine a40 = machine_of(86, 84, 91 * KiB);
  const double m = 1000000, n = 32;
  for (const auto& [machine, tile] : {std::pair{h200, TileShape{64, 32, 32}}, {a40, {64, 32, 32}}}) {
    const double units = machine.rates->mma_double * machine.multiprocessors * machine.rates->clock;
    const Call call    = relu_backward_call({1000000, 32, 32}, Element::f64);
    for (const PlanOptions& options : {PlanOptions{}, {.family = "tall", .tile = tile}, {.family = "portable"}}) {
      const double seconds = plan_of(call, options, machine).seconds();
      EXPECT_GE(seconds, 8 * 4 * m * n / machine.rates->memory);
      EXPECT_GE(seconds, 2 * m * n * n / units);
    }
  }
}

// Passes of a product.

TEST(CudaGradients, OfMixedTypesAreProductsWithPasses) {
  Call call = backward_call({2048, 2048, 2048}, Element::bf16);
  call.A    = matrix_of(Element::f32, 2048, 2048);
  call.dA   = matrix_of(Element::f16, 2048, 2048);
  for (const Call& any : {call, with_dbias(call)}) {
    const Plan plan       = plan_of(any);
    const ProductPlan &dA = plan.products[0], &dB = plan.products[1];
    EXPECT_STREQ(dA.family, "wgmma") << "dC and B are bf16";
    EXPECT_TRUE(dA.passes.finishes);
    EXPECT_EQ(dA.passes.left_bytes + dA.passes.right_bytes, 0u);
    EXPECT_STREQ(dB.family, "simt") << "dC is widened for A";
    EXPECT_EQ(dB.passes.left_bytes, 2048u * 2048 * 4);
    EXPECT_EQ(dB.passes.right_bytes, 0u);
    EXPECT_EQ(plan.workspace_bytes(), plan.passes_workspace(1) + dB.passes.bytes());
    EXPECT_FALSE(plan.is_one_kernel);
  }
}

TEST(CudaGradients, OfAnActivationOfTheCallerFollowItsPass) {
  for (const Element element : all_elements) {
    Call call        = relu_backward_call({2048, 2048, 2048}, element);
    const Plan ours  = plan_of(call);
    call.is_built_in = false;
    EXPECT_TRUE(is_refused("it takes", call)) << "without a pass";
    call.passes.form_dZ = [](const void*, const KernelLabel&, const Call&, const GradientPlan&, char*,
                             const CallableRef&) {};
    const Plan plan     = plan_of(call);
    EXPECT_TRUE(forms_dZ(plan));
    for (const std::size_t p : {0u, 1u}) {
      EXPECT_STREQ(plan.products[p].family, ours.products[p].family);
      EXPECT_EQ(plan.products[p].tile, ours.products[p].tile);
    }
  }
}

TEST(CudaGradients, OfAnEmptyBatchAreEmptySums) {
  const Plan plan = plan_of(backward_call({0, 64, 32}));
  EXPECT_EQ(plan.products[0].teams(), 0);
  EXPECT_EQ(plan.products[1].shape, (GemmShape{64, 32, 0}));
  EXPECT_GT(plan.products[1].teams(), 0) << "which is set to zero";
}

}  // namespace
}  // namespace Tegula::Test
