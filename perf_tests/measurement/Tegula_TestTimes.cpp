// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of gemm drawn at random, the ways to compute them, and files of their times.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfTimes.hpp"

namespace Tegula::Perf {
namespace {

std::vector<GemmCall> many_calls() { return draw_calls("f32", Compute::native, 4000, 3); }

template <class Holds>
double share(const std::vector<GemmCall>& calls, const Holds& holds) {
  return static_cast<double>(std::count_if(calls.begin(), calls.end(), holds)) / static_cast<double>(calls.size());
}

TEST(DrawnCalls, are_the_same_from_the_same_seed_whatever_the_type) {
  const auto few = draw_calls("f64", Compute::native, 10, 7), more = draw_calls("f64", Compute::native, 20, 7);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), more.begin()));
  EXPECT_NE(few.front(), draw_calls("f64", Compute::native, 1, 8).front());
  EXPECT_EQ(text(draw_calls("bf16", Compute::native, 3, 1)[2]), "gemm bf16 TN 16 152 8");
}

TEST(DrawnCalls, stay_within_their_limits) {
  for (const GemmCall& call : many_calls()) {
    const auto [m, n, k] = call.shape;
    for (const std::int64_t side : {m, n, k}) {
      EXPECT_GE(side, 1) << text(call);
      EXPECT_LE(side, 16384) << text(call);
    }
    EXPECT_LE(2e0 * m * n * k, 5e11) << text(call);
    const auto bytes = stored_bytes(call);
    EXPECT_LE(bytes[0] + bytes[1] + bytes[2], (std::int64_t(1) << 31) + (17 << 16)) << text(call);
  }
}

TEST(DrawnCalls, are_as_often_of_each_kind_as_they_should_be) {
  const auto calls = many_calls();
  EXPECT_NEAR(share(calls, [](const GemmCall& c) { return c.shape.m % 8 == 0; }), 0.5 + 0.5 / 8, 0.03);
  const auto are_eighths = [](const GemmCall& c) { return (c.shape.m | c.shape.n | c.shape.k) % 8 == 0; };
  EXPECT_NEAR(share(calls, are_eighths), 0.25 + 0.5 / 8, 0.04);
  EXPECT_NEAR(share(calls, [](const GemmCall& c) { return c.has_layer; }), 0.5, 0.03);
  EXPECT_NEAR(share(calls, [](const GemmCall& c) { return c.beta == 1; }), 0.25, 0.03);
  EXPECT_EQ(share(calls, [](const GemmCall& c) { return c.op_a == Op::transpose; }), 0.5);
  EXPECT_EQ(share(calls, [](const GemmCall& c) { return c.op_a == c.op_b; }), 0.5);
  EXPECT_NEAR(share(calls, [](const GemmCall& c) { return text(c).find("ld") != std::string::npos; }), 0.125, 0.02);
  for (const GemmCall& call : calls) {
    const auto extents = stored_extents(call);
    for (std::size_t matrix = 0; matrix < extents.size(); ++matrix) {
      const std::int64_t columns = extents[matrix].columns;
      EXPECT_TRUE(call.leading[matrix] == columns || (call.leading[matrix] > columns && call.leading[matrix] % 2 == 1));
    }
  }
}

TEST(DrawnCalls, are_read_as_they_were_written) {
  auto calls               = many_calls();
  const auto with_rounding = draw_calls("f32", Compute::fp32_split, 20, 5);
  calls.insert(calls.end(), with_rounding.begin(), with_rounding.end());
  for (const GemmCall& call : calls) {
    std::istringstream line(text(call));
    std::vector<std::string> words;
    for (std::string word; line >> word;) words.push_back(word);
    EXPECT_EQ(gemm_call_of(words), call) << text(call);
  }
}

TEST(NamedCalls, have_the_epilogue_that_their_words_say) {
  const auto call_of = [](const std::string& epilogue) {
    std::istringstream line("gemm bf16 NN 8 16 24 " + epilogue);
    std::vector<std::string> words;
    for (std::string word; line >> word;) words.push_back(word);
    const GemmCall call = gemm_call_of(words);
    EXPECT_EQ(text(call), "gemm bf16 NN 8 16 24 " + epilogue);
    return planned_call(call);
  };
  const Impl::Call layer = call_of("beta=1 bias gelu_tanh Z");
  EXPECT_TRUE(Impl::is_activation<GeluTanh>(layer.activation));
  EXPECT_STREQ(layer.activation_name, "gelu_tanh");
  EXPECT_FALSE(layer.has_constant_slope);
  EXPECT_NE(layer.bias.data, nullptr);
  EXPECT_NE(layer.Z.data, nullptr);
  EXPECT_NE(layer.Z.data, layer.C.data);
  EXPECT_EQ(layer.Z.row_stride, 16);
  EXPECT_EQ(call_of("bias silu").Z.data, nullptr);
  EXPECT_THROW(call_of("Z"), std::invalid_argument) << "of no layer";
}

/// The call of a line.
GemmCall read_call(const std::string& text) {
  std::istringstream line(text);
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  return gemm_call_of(words);
}

TEST(NamedCalls, have_results_in_float) {
  const std::string written = "gemm bf16>f32 NT 8 16 24 beta=1 bias silu Z";
  const GemmCall call       = read_call(written);
  EXPECT_EQ(text(call), written);
  EXPECT_EQ(kind_of(call), "bf16>f32");
  EXPECT_EQ(stored_bytes(call), (std::array<std::int64_t, 3>{2 * 8 * 24, 2 * 24 * 16, 4 * 8 * 16}));
  const Impl::Call planned = planned_call(call);
  for (const Impl::CallMatrix& operand : {planned.A, planned.B}) EXPECT_EQ(operand.element, Impl::Element::bf16);
  for (const Impl::CallMatrix& result : {planned.C, planned.Z, planned.bias}) {
    EXPECT_EQ(result.element, Impl::Element::f32);
    EXPECT_EQ(result.element_bytes, 4U);
  }
  EXPECT_EQ(planned.accumulator, Impl::Element::f32);
}

TEST(PlannedCalls, lie_as_they_are_stored) {
  const GemmCall call{"f64", Compute::native, Op::transpose, Op::none, {5, 6, 7}, {9, 6, 6}, 1, true};
  const Impl::Call plain = planned_call(call);
  EXPECT_EQ(plain.shape(), call.shape);
  EXPECT_EQ(plain.A.row_stride, 1);
  EXPECT_EQ(plain.A.column_stride, 9);
  EXPECT_EQ(plain.B.row_stride, 6);
  EXPECT_EQ(plain.bias.columns, 6);
  EXPECT_EQ(plain.C.element_bytes, 8U);
  EXPECT_EQ(plain.Z.data, nullptr);
}

TEST(Times, are_of_the_card_that_the_heading_names) {
  const auto card_in = [](const std::string& text) {
    std::istringstream lines(text);
    return card_of(lines);
  };
  const std::string what = "# Microseconds of large (aligned) products\n# Tegula 0.1.0, seed 1\n";
  EXPECT_EQ(card_in(what + "# NVIDIA H100 PCIe (114 multiprocessors of at most 1755 MHz, L2 50 MiB), driver 580\n"),
            (Card{"NVIDIA H100 PCIe", 114}));
  EXPECT_EQ(card_in(what + "gemm f32 NN 8 8 8 fit | simt 64x128x16 1:4\n"), std::nullopt);
  EXPECT_EQ(card_of(std::vector<std::string>{}), (Card{"NVIDIA H200", 132}));
}

TEST(Machines, are_devices_of_their_records) {
  const Impl::CudaMachine a40 = machine_of(*Impl::cuda_rates_of_card("NVIDIA A40"));
  EXPECT_EQ(a40.rates->capability, 86);
  EXPECT_EQ(a40.multiprocessors, 84);
  EXPECT_EQ(a40.portable.units, 84);
  EXPECT_EQ(a40.major, 8);
  EXPECT_EQ(a40.scratch_max, 99U * 1024);
  const GemmCall call{"bf16", Compute::native, Op::none, Op::none, {4096, 4096, 4096}, {4096, 4096, 4096}};
  EXPECT_EQ(chosen_way(planned_call(call), a40).family, "mma");
  EXPECT_EQ(chosen_way(planned_call(call), h200()).family, "wgmma");
}

GemmCall cube(const std::string& type, std::int64_t side) {
  return {type, Compute::native, Op::none, Op::none, {side, side, side}, {side, side, side}};
}

// Those that cut all tiles alike.
std::map<std::string, int> ways_by_family(const GemmCall& call) {
  std::map<std::string, int> numbers;
  for (const Way& way : ways_of(planned_call(call), h200()))
    if (way.whole_waves == 0) ++numbers[way.family];
  return numbers;
}

TEST(Ways, are_of_all_families_and_tiles) {  // a large product is not cut
  using Numbers = std::map<std::string, int>;
  EXPECT_EQ(ways_by_family(cube("bf16", 4096)), (Numbers{{"wgmma", 19}, {"mma", 7}, {"portable", 3}, {"direct", 8}}));
  EXPECT_EQ(ways_by_family(cube("f32", 4096)), (Numbers{{"simt", 11}, {"portable", 3}, {"direct", 8}}));
  EXPECT_EQ(ways_by_family(cube("f64", 4096)), (Numbers{{"mma", 14}, {"portable", 3}, {"direct", 8}}));
  GemmCall call = cube("f32", 4096);
  call.compute  = Compute::fp32_split;
  EXPECT_EQ(ways_by_family(call),
            (Numbers{{"fp32_split", 3}, {"tf32x3", 2}, {"simt", 11}, {"portable", 3}, {"direct", 8}}));
  call.compute = Compute::tf32;
  EXPECT_EQ(ways_by_family(call), (Numbers{{"tf32", 4}, {"mma", 10}, {"simt", 11}, {"portable", 3}, {"direct", 8}}));
}

TEST(Ways, to_float_are_those_of_16_bits) {
  GemmCall call          = cube("bf16", 4096);
  const auto as_operands = ways_by_family(call);
  call.result            = "f32";
  EXPECT_EQ(ways_by_family(call), as_operands);
}

TEST(Ways, cut_the_inner_dimension) {
  GemmCall call = cube("bf16", 16384);
  call.shape    = {256, 256, 16384};
  call.leading  = {16384, 256, 256};
  std::set<std::int64_t> splits;
  for (const Way& way : ways_of(planned_call(call), h200()))
    if (way.tile == TileShape{128, 256, 64} && way.family == "wgmma") splits.insert(way.split_k);
  // Of 256 steps, which cannot be shared out by 48 or 96. Two tiles in 64 or 128 parts make one and two full waves.
  for (const std::int64_t split : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 43, 64, 86, 128})
    EXPECT_EQ(splits.count(split), 1U) << split;
}

// 17 x 9 tiles on 132 multiprocessors: 27 of them are behind whole rows that fill the first wave.
TEST(Ways, cut_the_rest_of_waves) {
  std::set<std::string> cuts;
  for (const Way& way : ways_of(planned_call(cube("bf16", 2056)), h200()))
    if (way.tile == TileShape{128, 256, 64} && way.whole_waves > 0) cuts.insert(cut_text(way));
  EXPECT_EQ(cuts.count("1+4"), 1U);
  EXPECT_EQ(cuts.count("1+1") + cuts.count("2+4"), 0U);
}

TEST(Ways, lie_along_the_long_side) {
  GemmCall call = cube("f32", 8);
  for (const GemmShape& shape : {GemmShape{100000, 8, 16}, GemmShape{8, 100000, 16}}) {
    call.shape      = shape;
    call.leading    = {16, shape.n, shape.n};
    const auto ways = ways_by_family(call);
    EXPECT_EQ(ways.count("stream"), 1U);
    EXPECT_EQ(ways.count("gemv"), 1U);
  }
}

TEST(Ways, are_what_options_ask_for) {
  for (const char* type : {"bf16", "f32", "f64"}) {
    for (const GemmCall& call : draw_calls(type, Compute::native, 60, 11)) {
      const Impl::Call plain = planned_call(call);
      std::set<std::string> seen;
      for (const Way& way : ways_of(plain, h200())) EXPECT_TRUE(seen.insert(text(way)).second) << text(way);
      EXPECT_GE(seen.size(), 3U) << text(call);
      EXPECT_EQ(seen.count(text(chosen_way(plain, h200()))), 1U) << text(call);
    }
  }
}

TEST(Times, are_read_as_they_were_written) {
  const std::string written =
      "gemm bf16 NT 1000 512 33 ldc=513 beta=1 bias relu held | wgmma 128x256x64 1:12.34 2:9.8 1+6:9.5 "
      "64x64x64 1:8.123 | mma 64x64x64 3:12345~";
  std::istringstream lines("# a comment\n\n" + written + '\n');
  const auto calls = read_times(lines);
  ASSERT_EQ(calls.size(), 1U);
  const CallTimes& times = calls.front();
  EXPECT_TRUE(times.is_held);
  ASSERT_EQ(times.ways.size(), 5U);
  EXPECT_EQ(times.ways[1].way, (Way{"wgmma", {128, 256, 64}, 2}));
  EXPECT_DOUBLE_EQ(times.ways[1].microseconds, 9.8);
  EXPECT_EQ(times.ways[2].way, (Way{"wgmma", {128, 256, 64}, 6, 1}));
  EXPECT_EQ(times.ways[4].way, (Way{"mma", {64, 64, 64}, 3}));
  EXPECT_TRUE(times.ways[4].is_rough);
  EXPECT_FALSE(times.ways[3].is_rough);
  EXPECT_EQ(text(times), written);
}

TEST(Times, say_what_is_wrong_with_a_line) {
  const std::pair<const char*, const char*> wrong[] = {
      {"gemm f32 NN 1 2 3 | simt 64x128x16 1:1", "1: a call ends with \"fit\" or \"held\""},
      {"gemm f32 NN 1 2 3 fit", "1: there is no time"},
      {"gemm f32 NN 1 2 fit | simt 64x128x16 1:1", "operations, m, n and k are expected"},
      {"gemm f32 NX 1 2 3 fit | simt 64x128x16 1:1", "X is not N or T"},
      {"gemm f31 NN 1 2 3 fit | simt 64x128x16 1:1", "\"f31\" is none of"},
      {"gemm f64>f32 NN 1 2 3 fit | simt 64x128x16 1:1", "\"f64>f32\": only bf16 and f16 have"},
      {"gemm bf16>f64 NN 1 2 3 fit | simt 64x128x16 1:1", "\"bf16>f64\": only bf16 and f16 have"},
      {"gemm f32 NN 1 2 0 fit | simt 64x128x16 1:1", "\"0\": a positive integer"},
      {"gemm f32 NN 1 2 3 ldb=1 fit | simt 64x128x16 1:1", "shorter than a row"},
      {"gemm f32 NN 1 2 3 gelu fit | simt 64x128x16 1:1", "\"gelu\" is not known"},
      {"gemm f32 NN 1 2 3 fit | simt 1:1", "no tile before it"},
      {"gemm f32 NN 1 2 3 fit | simt 64x128 1:1", "\"64x128\" is no tile"},
      {"gemm f32 NN 1 2 3 fit | simt 64x128x16 1:", "\"1:\""},
      {"gemm f32 NN 1 2 3 fit | simt 64x128x16 1:-4", "\"1:-4\""},
      {"gemm f32 NN 1 2 3 fit | simt 64x128x16 1:4 1:5", "simt 64x128x16/1 is there twice"}};
  for (const auto& [line, message] : wrong) {
    std::istringstream lines(line);
    try {
      read_times(lines);
      ADD_FAILURE() << "was taken: " << line;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace Tegula::Perf
