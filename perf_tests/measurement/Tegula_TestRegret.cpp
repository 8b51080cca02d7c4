// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What choices of a planner cost, by measured times.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "Tegula_PerfPredictions.hpp"
#include "Tegula_PerfRegret.hpp"
#include "Tegula_PerfTunedChoices.hpp"
#include "Tegula_PerfWithout.hpp"
#include "Tegula_PerfWorth.hpp"
#include "tuning/Tegula_TuningFile.hpp"

namespace Tegula::Perf {
namespace {

const Way small_tile{"mma", {64, 64, 64}, 1};

std::vector<CallTimes> times_in(const std::string& text) {
  std::istringstream lines(text);
  return read_times(lines);
}

TEST(Regret, is_that_of_the_measured_way) {
  const auto times = times_in("gemm bf16 NN 8 8 8 fit | wgmma 128x128x64 1:5 4:20 16:5 | mma 64x64x64 1:4 2:8~");
  EXPECT_EQ(microseconds_of(times[0], {"wgmma", {128, 128, 64}, 4}), 20);
  EXPECT_EQ(microseconds_of(times[0], {"mma", {64, 64, 64}, 2}), 8);
  EXPECT_EQ(best_way(times[0]).way, small_tile);
}

TEST(Regret, of_a_split_between_others_lies_between_theirs) {
  const auto times = times_in("gemm bf16 NN 8 8 8 fit | wgmma 128x128x64 2:5 32:80 | mma 64x64x64 1:4");
  EXPECT_NEAR(microseconds_of(times[0], {"wgmma", {128, 128, 64}, 4}).value(), 10, 1e-9);
  EXPECT_EQ(microseconds_of(times[0], {"wgmma", {128, 128, 64}, 1}), 5);
  EXPECT_EQ(microseconds_of(times[0], {"wgmma", {128, 128, 64}, 33}), 80);
  EXPECT_EQ(microseconds_of(times[0], {"wgmma", {128, 64, 64}, 1}), std::nullopt);
  EXPECT_EQ(microseconds_of(times[0], {"simt", {128, 128, 64}, 2}), std::nullopt);
}

const char* const three_calls =
    "gemm bf16 NN 8 8 8 fit | mma 64x64x64 1:4 | simt 64x128x16 1:4\n"
    "gemm bf16 NN 8 8 9 fit | mma 64x64x64 1:8 | simt 64x128x16 1:4\n"
    "gemm bf16 NN 8 8 10 fit | mma 64x64x64 1:4.4 | simt 64x128x16 1:4\n"
    "gemm bf16 NN 8 8 11 fit | simt 64x128x16 1:4\n"
    "gemm f32 NN 8 8 8 compute=tf32 held | mma 64x64x64 1:4\n";

std::vector<RegretGroup> groups_of(const std::vector<CallTimes>& times) {
  return regrets(times, [](const Impl::Call&) { return small_tile; });
}

TEST(Regret, is_summed_up_by_type_and_set) {
  const auto times  = times_in(three_calls);
  const auto groups = groups_of(times);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].type, "bf16");
  ASSERT_EQ(groups[0].unmeasured.size(), 1U);
  EXPECT_EQ(groups[0].unmeasured[0].times->call.shape.k, 11);
  EXPECT_EQ(groups[0].unmeasured[0].chosen, small_tile);
  EXPECT_NEAR(groups[0].geometric_mean(), std::cbrt(2 * 1.1), 1e-12);
  EXPECT_DOUBLE_EQ(groups[0].within(1.05), 1.0 / 3);
  EXPECT_DOUBLE_EQ(groups[0].within(1.15), 2.0 / 3);
  EXPECT_EQ(groups[0].calls.front().times->call.shape.k, 9) << "the worst first";
  EXPECT_EQ(groups[1].type, "f32 tf32");
  EXPECT_TRUE(groups[1].is_held);
  EXPECT_EQ(groups[1].geometric_mean(), 1);
}

TEST(Worth, is_what_calls_lose_without_a_family_or_a_tile) {
  const auto times = times_in(
      "gemm bf16 NN 8 8 8 fit | mma 64x64x64 1:4 2:3 128x64x64 1:6 | simt 64x128x16 1:9\n"
      "gemm bf16 NN 8 8 9 held | mma 64x64x64 1:8 | simt 64x128x16 1:4\n"
      "gemm f32 NN 8 8 9 fit | mma 64x64x64 1:8\n");
  const auto of_all = worths(times);
  ASSERT_EQ(of_all.size(), 5U) << "nothing else computes the call of f32";
  EXPECT_EQ(of_all[0].family, "mma");
  EXPECT_EQ(of_all[0].tile, TileShape{});
  EXPECT_EQ(of_all[0].losses, (std::vector<double>{3, 1}));
  EXPECT_DOUBLE_EQ(of_all[0].geometric_mean(), std::sqrt(3));
  EXPECT_EQ(of_all[0].beyond(1.03), 1);
  EXPECT_EQ(of_all[1].tile, (TileShape{64, 64, 64}));
  EXPECT_EQ(of_all[1].losses, (std::vector<double>{2, 1})) << "another tile of its family computes it";
  EXPECT_EQ(of_all[2].losses, (std::vector<double>{1}));
  EXPECT_EQ(of_all[3].family, "simt");
  EXPECT_EQ(of_all[3].losses, (std::vector<double>{2, 1}));
  EXPECT_NE(describe(of_all).find("simt        64x128x16"), std::string::npos);
}

TEST(Regret, asks_the_planner_for_the_call_that_was_measured) {
  const auto times = times_in("gemm f64 TN 5 6 7 lda=9 beta=1 bias relu fit | mma 64x64x64 1:4");
  int asked        = 0;
  regrets(times, [&](const Impl::Call& call) {
    ++asked;
    EXPECT_EQ(call.shape(), (GemmShape{5, 6, 7}));
    EXPECT_EQ(call.A.column_stride, 9);
    EXPECT_EQ(call.A.element, Impl::Element::f64);
    EXPECT_EQ(call.beta, 1);
    EXPECT_NE(call.bias.data, nullptr);
    return small_tile;
  });
  EXPECT_EQ(asked, 1);
}

/// A file that is gone with the test.
class TuningText {
 public:
  explicit TuningText(const std::vector<Impl::TuningEntry>& entries)
      : name_(testing::TempDir() + "tegula_tuned_choices_" + std::to_string(::getpid()) + ".json") {
    std::ofstream(name_) << Impl::tuning_text(entries);
  }
  ~TuningText() { std::remove(name_.c_str()); }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

TEST(TunedChoices, are_those_of_the_card_and_of_calls_that_the_file_has) {
  const auto times = times_in(
      "gemm f64 TN 5 6 7 bias relu held | mma 64x64x64 1:4\n"
      "gemm bf16 NN 8 8 8 held | mma 64x64x64 1:4\n"
      "gemm bf16 NN 8 8 9 held | mma 64x64x64 1:4\n");
  const auto entry = [&](std::size_t number, const Impl::TunedWay& way, const char* name) {
    Impl::TuningEntry entry;
    entry.device  = {name, "Cuda", "", 0, 132, 140};
    entry.version = Impl::library_version();
    entry.problem = Impl::problem_class(planned_call(times[number].call), true).value();
    entry.way     = way;
    entry.seconds = entry.model_seconds = entry.predicted = 1e-6;
    entry.ways                                            = 1;
    return entry;
  };
  const Impl::TunedWay split{{{{"mma", {64, 64, 64}, 3}}}};
  const TuningText file({entry(0, split, "NVIDIA H200"), entry(1, {}, "NVIDIA H200"), entry(2, split, "another")});
  const TunedChoices tuned(file.name(), {"NVIDIA H200", 132});
  const auto way_of = [&](std::size_t number) { return tuned.way(planned_call(times[number].call), h200()); };
  EXPECT_EQ(way_of(0), (Way{"mma", {64, 64, 64}, 3}));
  EXPECT_EQ(way_of(1), chosen_way(planned_call(times[1].call), h200()));
  EXPECT_EQ(way_of(2), std::nullopt);
  EXPECT_EQ(tuned.known_of(times).size(), 2U);
  EXPECT_THROW(TunedChoices(file.name(), {"NVIDIA H200", 114}), std::invalid_argument);
  EXPECT_THROW(TunedChoices(file.name() + ".not", {"NVIDIA H200", 132}), std::invalid_argument);
}

TEST(Regret, is_held_to_limits) {
  const auto times  = times_in(three_calls);
  const auto groups = groups_of(times);
  const auto found  = [&](const std::string& lines) {
    std::istringstream text("type,set,geometric_mean,within_1_05,within_1_15,unmeasured\n" + lines);
    return violations(groups, read_limits(text));
  };
  const std::string tf32 = "f32 tf32,held,1,1,1,0\n";
  EXPECT_EQ(found("bf16,fit,1.4,0.33,0.66,1\n" + tf32), std::vector<std::string>{});
  EXPECT_EQ(found("bf16,fit,1.4,0.33,0.66,0\n" + tf32),
            std::vector<std::string>{"bf16 fit: 1 choices were not measured, the limit is 0"});
  EXPECT_EQ(found("bf16,fit,1.2,0.4,0.7,1\n" + tf32),
            (std::vector<std::string>{"bf16 fit: the geometric mean is 1.3006, the limit is 1.2000",
                                      "bf16 fit: the share within 1.05 is 0.3333, the limit is 0.4000",
                                      "bf16 fit: the share within 1.15 is 0.6667, the limit is 0.7000"}));
  EXPECT_EQ(found("bf16,fit,1.4,0.33,0.66,1\nf64,fit,1,1,1,0\n"),
            (std::vector<std::string>{"f32 tf32 held has no limit", "f64 fit has a limit and no times"}));
}

TEST(Regret, keeps_to_limits_of_its_own) {
  const auto times = times_in(
      "gemm f32 NN 8 8 8 fit | mma 64x64x64 1:4.4 | simt 64x128x16 1:4\n"
      "gemm f32 NN 8 8 9 fit | mma 64x64x64 1:4\n"
      "gemm f32 NN 8 8 10 fit | mma 64x64x64 1:4.7 | simt 64x128x16 1:4\n"
      "gemm f32 NN 8 8 11 fit | simt 64x128x16 1:4\n");
  const auto groups = groups_of(times);
  std::istringstream limits(limits_of(groups));
  EXPECT_EQ(limits.str(), "type,set,geometric_mean,within_1_05,within_1_15,unmeasured\nf32,fit,1.090,0.333,0.666,1\n");
  EXPECT_EQ(violations(groups, read_limits(limits)), std::vector<std::string>{});
}

TEST(Regret, limits_that_are_wrong_are_told_with_their_line) {
  for (const auto& [lines, message] :
       {std::pair("bf16,fit,1,1,1\n", "1: the heading"),
        std::pair("type,set,geometric_mean,within_1_05,within_1_15,unmeasured\n\nbf16,all,1,1,1,0\n",
                  "3: \"all\" is neither"),
        std::pair("type,set,geometric_mean,within_1_05,within_1_15,unmeasured\nbf16,fit,1,1\n", "2: \"\" is no number"),
        std::pair("type,set,geometric_mean,within_1_05,within_1_15,unmeasured\nbf16,fit,1,1,1x,0\n",
                  "2: \"1x\" is no number")}) {
    std::istringstream text(lines);
    try {
      read_limits(text);
      ADD_FAILURE() << "was taken: " << lines;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

TEST(Regret, is_described_with_the_worst_calls) {
  const auto times       = times_in(three_calls);
  const std::string text = describe(groups_of(times), 1);
  EXPECT_NE(text.find("bf16             fit        3           1     1.3006        0.333        0.667    2.00\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("worst of bf16 fit\n 2.00  gemm bf16 NN 8 8 9: mma 64x64x64/1 8 us, best simt 64x128x16/1 4 us\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("1.10  "), std::string::npos);
  EXPECT_NE(
      describe(groups_of(times), 0)
          .find("unmeasured of bf16 fit\n       gemm bf16 NN 8 8 11: mma 64x64x64/1, best simt 64x128x16/1 4 us\n"),
      std::string::npos)
      << "however many are asked for";
}

TEST(Predictions, are_of_ways_that_were_measured_well) {
  const auto times = times_in("gemm f32 NT 8 9 10 held | simt 64x128x16 1:4 2:5 4:90~ | portable 64x64x16 1:8 2:9\n");
  const auto all   = predictions(times, [](const Impl::Call& call, const Way& way) -> std::optional<double> {
    EXPECT_EQ(call.shape(), (GemmShape{8, 9, 10}));
    if (way.family == "portable" && way.split_k == 2) return std::nullopt;
    return way.split_k * 4e-6;
  });
  ASSERT_EQ(all.size(), 3U);
  EXPECT_NEAR(all[0].ratio(), 1, 1e-12);
  EXPECT_NEAR(all[1].ratio(), 1.6, 1e-12);
  EXPECT_EQ(csv(all),
            "type,compute,ops,m,n,k,set,family,tile,split_k,microseconds,predicted\n"
            "f32,native,NT,8,9,10,held,simt,64x128x16,1,4,4\n"
            "f32,native,NT,8,9,10,held,simt,64x128x16,2,5,8\n"
            "f32,native,NT,8,9,10,held,portable,64x64x16,1,8,4\n");
  EXPECT_EQ(describe_gone(times, all), "measured, but no longer there: portable 64x64x16 (1)\n");
}

TEST(Predictions, are_summed_up_where_they_matter) {  // the logarithms of 2 and 8 are 4's but for those of 2
  const auto times = times_in("gemm f32 NT 8 9 10 held | simt 64x128x16 1:2 2:1 | portable 64x64x16 1:2.1\n");
  const auto all = predictions(times, [](const Impl::Call&, const Way& way) { return way.split_k == 1 ? 4e-6 : 8e-6; });
  const std::string text = describe(all, 2);
  EXPECT_NE(text.find("f32      simt        64x128x16         2              4.000   2.000\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("portable"), std::string::npos);
  EXPECT_EQ(describe_gone(times, all), "");
}

// The planner takes simt's first tile in the first call and mma in the second one.
TEST(Without, is_what_calls_lose_without_several_tiles_at_once) {
  const auto times = times_in(
      "gemm f32 NN 8 8 8 fit | simt 64x128x16 1:4 32x32x32 1:5 | portable 64x64x16 1:8\n"
      "gemm f32 NN 8 8 9 fit | simt 128x64x16 1:6 | mma 64x64x64 1:3\n"
      "gemm f32 NN 8 8 10 fit | simt 64x128x16 1:6\n");
  const auto all    = predictions(times, [](const Impl::Call&, const Way& way) {
    return way.family == "portable" ? 7e-6 : way.tile.m == 32 ? 9e-6 : way.family == "mma" ? 2e-6 : 3e-6;
  });
  const auto losses = losses_without({"simt:64x128x16", "mma"}, all);
  ASSERT_EQ(losses.at("f32").size(), 1U) << "nothing is left of the others";
  EXPECT_DOUBLE_EQ(losses.at("f32")[0].best, 1.25);
  EXPECT_DOUBLE_EQ(losses.at("f32")[0].planned, 2) << "portable is predicted to be faster than the best that is left";
  const std::string text = describe(losses_without({"mma"}, all), 1);
  EXPECT_NE(text.find("f32                   3      1.2599            1    2.00         1.2599            1    2.00\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nbest, planned\n 2.00  2.00  gemm f32 NN 8 8 9\n"), std::string::npos) << text;
  EXPECT_THROW(losses_without({"simt:1x1x1"}, all), std::invalid_argument);
}

}  // namespace
}  // namespace Tegula::Perf
