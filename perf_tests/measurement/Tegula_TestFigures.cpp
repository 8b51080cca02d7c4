// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is made of measured times, and shapes drawn at random.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "Tegula_PerfJson.hpp"
#include "Tegula_PerfPaths.hpp"
#include "Tegula_PerfRow.hpp"
#include "Tegula_PerfShapes.hpp"
#include "Tegula_PerfStatistics.hpp"

namespace Tegula::Perf {
namespace {

TEST(Statistics, quantile_is_interpolated_between_its_neighbours) {
  const std::vector<double> values{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 4);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.9), 7);
}

TEST(Statistics, quartiles_enclose_the_middle_half) {
  const auto [q25, median, q75] = quartiles({5, 1, 4, 2, 3});
  EXPECT_DOUBLE_EQ(q25, 2);
  EXPECT_DOUBLE_EQ(median, 3);
  EXPECT_DOUBLE_EQ(q75, 4);
}

TEST(Statistics, distribution_of_ratios) {
  const Distribution found = distribution({{"a", 2}, {"b", 0.5}, {"c", 1}, {"d", 8}, {"e", 0.25}});
  EXPECT_DOUBLE_EQ(found.geometric_mean, std::pow(2.0, 1.0 / 5));
  EXPECT_DOUBLE_EQ(found.percentile_10, 0.35);
  EXPECT_DOUBLE_EQ(found.percentile_50, 1);
  EXPECT_EQ(found.worst.shape, "e");
  EXPECT_DOUBLE_EQ(found.worst.ratio, 0.25);
}

Row row_of(const std::string& shape, const std::string& type, std::optional<double> ratio) {
  Row row;
  row.shape      = shape;
  row.type       = type;
  row.spec.peers = {"other"};
  if (ratio) {
    SideFigures side;
    side.name         = "other";
    side.ratio        = Quartiles{*ratio, *ratio, *ratio};
    row.figures.sides = {side};
  }
  return row;
}

TEST(Rows, say_which_type_results_have) {
  CaseSpec spec{};
  spec.type = "double";
  EXPECT_EQ(new_row(spec, Load::none).type, "f64");
  spec.type                  = "bhalf";
  const std::string operands = new_row(spec, Load::none).type;
  spec.result                = "float";
  EXPECT_EQ(new_row(spec, Load::none).type, operands + ">f32");
}

TEST(Distributions, rows_without_a_ratio_are_counted_but_not_used) {
  const auto found = distributions({row_of("a", "f32", 0.5), row_of("b", "f32", std::nullopt), row_of("c", "f32", 2.0),
                                    row_of("a", "f64", std::nullopt)});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].type, "f32");
  EXPECT_EQ(found[0].peer, "other");
  EXPECT_EQ(found[0].count, 2U);
  EXPECT_EQ(found[0].excluded, 1U);
  EXPECT_DOUBLE_EQ(found[0].of_ratios.geometric_mean, 1);
  EXPECT_EQ(found[0].of_ratios.worst.shape, "a");
  EXPECT_EQ(found[1].count, 0U);
  EXPECT_EQ(found[1].excluded, 1U);
}

constexpr int many = 2000;

TEST(RandomShapes, first_ones_of_seed_1_are_known) {  // on every machine
  const auto shapes = random_shapes(3, 1);
  EXPECT_EQ(shapes[0].name, "random-0001-244x1390x12366");
  EXPECT_EQ(shapes[1].name, "random-0002-72x72x1640");
  EXPECT_EQ(shapes[2].name, "random-0003-4983x160x16");
}

TEST(RandomShapes, a_longer_list_begins_with_the_shorter_one) {
  const auto few = random_shapes(10, 7), more = random_shapes(20, 7), others = random_shapes(10, 8);
  for (std::size_t s = 0; s < few.size(); ++s) EXPECT_EQ(few[s].name, more[s].name);
  EXPECT_NE(few.front().name, others.front().name);
}

TEST(RandomShapes, stay_within_their_limits) {
  for (const Shape& shape : random_shapes(20 * many, 3)) {  // so many that some come near
    const auto [name, m, n, k] = shape;
    for (const std::int64_t side : {m, n, k}) {
      EXPECT_GE(side, 1) << name;
      EXPECT_LE(side, 16384) << name;
    }
    EXPECT_LE(2e0 * m * n * k, 2e11) << name;
    EXPECT_LE(8e0 * (m * k + k * n + m * n), 2e9) << name;
  }
}

TEST(RandomShapes, every_second_one_is_of_multiples_of_8) {
  int others        = 0;
  const auto shapes = random_shapes(many, 4);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const auto [name, m, n, k] = shapes[s];
    const bool multiples       = m % 8 == 0 && n % 8 == 0 && k % 8 == 0;
    EXPECT_TRUE(s % 2 == 0 || multiples) << name;
    if (!multiples) ++others;
  }
  EXPECT_GT(others, many / 2 * 9 / 10);
}

// Half of the sides are below 2^7 but for the large products that are drawn again.
TEST(RandomShapes, sides_have_uniform_logarithms) {
  int small = 0, sides = 0;
  for (const Shape& shape : random_shapes(many, 5)) {
    for (const std::int64_t side : {shape.m, shape.n, shape.k}) {
      ++sides;
      small += side < 128 ? 1 : 0;
    }
  }
  EXPECT_GT(small, sides * 0.5);
  EXPECT_LT(small, sides * 0.6);
}

Plan plan_of_two_products() {
  Plan plan;
  plan.call   = "gemm_backward";
  plan.family = "simt", plan.scalar = "f32", plan.activation = "relu";
  for (ProductPlan& product : plan.products) {
    product.shape = {8, 64, 128};
    product.tile  = {8, 64, 128};
    product.order = {1, 1, 1};
  }
  return plan;
}

// Families that compute both products at once name none of them, or plan one kernel.
TEST(Paths, products_in_one_launch_have_one_label) {
  const std::vector<std::string> one{"Tegula::gemm_backward[simt,f32,NN,relu,8x64x128]"};
  Plan plan = plan_of_two_products();
  EXPECT_EQ(planned_labels(plan), one);
  plan.products[0].family = plan.products[1].family = "simt";
  plan.products[1].tile                             = {64, 128, 16};
  plan.is_one_kernel                                = true;
  EXPECT_EQ(planned_labels(plan), one);
}

TEST(Paths, products_of_their_own_launches_have_their_own_labels) {
  Plan plan               = plan_of_two_products();
  plan.products[0].family = plan.products[1].family = "simt";
  EXPECT_EQ(planned_labels(plan), std::vector<std::string>{"Tegula::gemm_backward[simt,f32,NN,relu,8x64x128]"});
  plan.products[0].family = "gemv";
  plan.products[1].tile   = {64, 128, 16};
  EXPECT_EQ(planned_labels(plan), (std::vector<std::string>{"Tegula::gemm_backward[gemv,f32,NN,relu,8x64x128]",
                                                            "Tegula::gemm_backward[simt,f32,NN,relu,64x128x16]"}));
}

TEST(Json, text_is_quoted) { EXPECT_EQ(json(std::string("a\"b\\c\nd")), "\"a\\\"b\\\\c\\u000ad\""); }

TEST(Json, numbers_are_read_back_as_they_were) {
  EXPECT_EQ(std::stod(json(0.1)), 0.1);
  EXPECT_EQ(json(137438953472.0), "137438953472");
  EXPECT_EQ(json(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(json(true), "true");
}

TEST(Json, objects_and_arrays) {
  JsonObject object;
  object.add("a", 1).add("b", "c");
  EXPECT_EQ(object.line(), "{\"a\": 1, \"b\": \"c\"}");
  EXPECT_EQ(object.text(1), "{\n  \"a\": 1,\n  \"b\": \"c\"\n }");
  EXPECT_EQ(json_array({}, 1), "[]");
}

}  // namespace
}  // namespace Tegula::Perf
