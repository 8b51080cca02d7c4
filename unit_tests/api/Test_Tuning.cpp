// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula.hpp>
#include <cstdlib>
#include <fstream>

#include "host/Tegula_HostFamily.hpp"
#include "host/Tegula_HostPlan.hpp"
#include "tuning/Tegula_PlanningDevice.hpp"
#include "tuning/Tegula_RecordCalls.hpp"

/// What a tuning file does to calls on a host, and what calls leave in a recorded file.

namespace Tegula::Test {
namespace {

using namespace Impl;
using Space  = Kokkos::DefaultHostExecutionSpace;
using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Vector = Kokkos::View<float*, Kokkos::HostSpace>;

/// An activation of a user's.
struct Own {
  static constexpr Saved saved      = Saved::nothing;
  static constexpr const char* name = "own";

  template <class T>
  KOKKOS_FUNCTION T operator()(T z) const {
    return z + z;
  }
};

/// What a layer of this size does.
struct Layer {
  Matrix A, B, C, dC, dA, dB;
  Vector bias;

  Layer(int m, int n, int k)
      : A("A", m, k), B("B", k, n), C("C", m, n), dC("dC", m, n), dA("dA", m, k), dB("dB", k, n), bias("bias", n) {
    const auto fill = [](const auto& view) {
      for (std::size_t i = 0; i < view.span(); ++i) view.data()[i] = 0.01f * static_cast<float>((37 * i) % 101) - 0.5f;
    };
    for (const Matrix& matrix : {A, B, C, dC}) fill(matrix);
    fill(bias);
  }

  auto epilogue() const { return Epilogue(Relu(), bias); }
  CheckedCall forward_call() const { return checked_gemm<Space>(A, B, C, epilogue(), {}); }
  CheckedCall backward_call() const {
    return checked_gemm_backward<Space>(dC, A, B, Output(C), dA, dB, bias, Relu(), {});
  }
  Plan forward(const GemmOptions& options = {}) const { return make_plan(Space(), A, B, C, epilogue(), options); }
  Plan backward() const { return make_plan(Space(), dC, A, B, Output(C), dA, dB, bias, Relu()); }
};

HostSpace host_space() {
  return {Space::name(), Space().concurrency(),
          static_cast<std::size_t>(Kokkos::TeamPolicy<Space>::scratch_size_max(1))};
}

TuningEntry entry_of(const Call& call, const TunedWay& way) {
  TuningEntry entry;
  entry.device        = tuning_device(planning_device(Space()));
  entry.version       = library_version();
  entry.problem       = *problem_class(call, false);
  entry.way           = way;
  entry.seconds       = 1e-6;
  entry.model_seconds = 2e-6;
  entry.ways          = 2;
  return entry;
}

class Tuning : public testing::Test {
 protected:
  void TearDown() override {
    use_tuning("");
    record_calls("");
  }

  static std::string file(const std::string& name) { return testing::TempDir() + "tegula_" + name; }

  /// Uses a file of this text; returns what std::cerr was told.
  static std::string use(const std::string& text) {
    std::ofstream(file("tuning.json")) << text;
    testing::internal::CaptureStderr();
    use_tuning(file("tuning.json"));
    return testing::internal::GetCapturedStderr();
  }
  static std::string use(const std::vector<TuningEntry>& entries) { return use(tuning_text(entries)); }

  /// A plan while std::cerr is caught.
  static std::string warning_of_planning(const Layer& layer) {
    testing::internal::CaptureStderr();
    layer.forward();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(Tuning, EveryWayOfAHostIsWhatItWasMeasuredAs) {
  for (const Layer& layer : {Layer(70, 66, 90), Layer(3, 200, 700), Layer(300, 5, 40)}) {
    for (const CheckedCall& checked : {layer.forward_call(), layer.backward_call()}) {
      const auto candidates = host_candidates(checked.call, host_space());
      EXPECT_GE(candidates.size(), 3u);
      const Plan own = plan_call(Space(), checked, {});
      EXPECT_TRUE(are_alike(candidates[0].plan, own)) << "the planner's own is the first";
      EXPECT_NEAR(candidates[0].plan.seconds(), own.seconds(), 0.3 * own.seconds());
      for (const auto& [way, plan] : candidates) {
        EXPECT_EQ(use({entry_of(checked.call, way)}), "");
        const Plan tuned = plan_call(Space(), checked, {});
        EXPECT_TRUE(are_alike(tuned, plan)) << text(way);
        EXPECT_EQ(tuned.seconds(), plan.seconds()) << text(way);
        if (way.block_bytes == 0) {
          EXPECT_EQ(way_of(tuned), way);
        }
      }
      use_tuning("");
      EXPECT_EQ(plan_call(Space(), checked, {}).text(), own.text());
    }
  }
}

/// A way that is not the planner's own, and how often it was found to sum in another order.
TunedWay another_way(const CheckedCall& checked) {
  for (const auto& [way, plan] : host_candidates(checked.call, host_space()))
    if (!are_alike(plan, plan_call(Space(), checked, {})) && plan.tile() != plan_call(Space(), checked, {}).tile())
      return way;
  return {};
}

TEST_F(Tuning, CallsWithAnEntryTakeItsWay) {
  const Layer layer(70, 66, 90), other(71, 66, 90);
  const Plan own = layer.forward(), others = other.forward();
  const TunedWay way = another_way(layer.forward_call());
  ASSERT_FALSE(is_planners_own(way));
  EXPECT_EQ(use({entry_of(layer.forward_call().call, way)}), "");
  const Plan tuned = layer.forward();
  EXPECT_EQ(way_of(tuned), way);
  EXPECT_NE(tuned.text().find("tuning: entry of " + file("tuning.json") + ": 1 us measured, the planner's own 2 us\n"),
            std::string::npos)
      << tuned.text();
  EXPECT_NE(tuned.text().find("chosen because it was measured to be the fastest"), std::string::npos) << tuned.text();
  const Plan without = other.forward();
  EXPECT_TRUE(are_alike(without, others));
  EXPECT_NE(without.text().find("has no entry for this call: as predicted"), std::string::npos) << without.text();
  EXPECT_TRUE(are_alike(layer.backward(), layer.backward()));
  use_tuning("");
  EXPECT_EQ(layer.forward().text(), own.text());
}

// Few rows times a matrix whose inner dimension is contiguous: sums by vectors along it, and those by register tiles,
// are added up in another order, which the last bits tell.
TEST_F(Tuning, CallsThatRunTakeItToo) {
  const Layer layer(4, 200, 700);
  const Matrix W("W", 200, 700);
  for (std::size_t i = 0; i < W.span(); ++i) W.data()[i] = 0.01f * static_cast<float>((53 * i) % 97) - 0.4f;
  const GemmOptions options{.op_b = Op::transpose};
  const auto checked = checked_gemm<Space>(layer.A, W, layer.C, Epilogue<>(), options);
  const auto results = [&] { return std::vector<float>(layer.C.data(), layer.C.data() + layer.C.size()); };
  const auto bits    = [&] {
    gemm(Space(), layer.A, W, layer.C, Epilogue<>(), options);
    return results();
  };
  const auto own = bits();
  TunedWay way;
  for (const auto& candidate : host_candidates(checked.call, host_space())) {
    Plan plan        = candidate.plan;
    plan.planned_for = make_plan(Space(), layer.A, W, layer.C, Epilogue<>(), options).planned_for;
    gemm(Space(), plan, layer.A, W, layer.C, Epilogue<>(), options);
    if (results() != own) way = candidate.way;
  }
  ASSERT_FALSE(is_planners_own(way)) << "no way has other bits than the planner's own";
  use({entry_of(checked.call, way)});
  const auto tuned = bits();
  EXPECT_NE(tuned, own);
  EXPECT_EQ(bits(), tuned);
  use({entry_of(checked.call, way)});
  EXPECT_EQ(bits(), tuned);
  use_tuning("");
  EXPECT_EQ(bits(), own) << "plans are forgotten with the file";
}

TEST_F(Tuning, OptionsOfTheCallerWin) {
  const Layer layer(70, 66, 90);
  use({entry_of(layer.forward_call().call, another_way(layer.forward_call()))});
  const Plan plan = layer.forward({.plan = {.tile = {24, 48, 32}}});
  EXPECT_EQ(plan.tile(), (TileShape{24, 48, 32}));
  EXPECT_NE(plan.text().find("tuning: none, since options.plan says what to take"), std::string::npos) << plan.text();
}

TEST_F(Tuning, AWayThatIsNotPossibleIsNotTaken) {
  const Layer layer(70, 66, 90);
  const Plan own     = layer.forward();
  const TunedWay way = way_of(own);
  std::vector<TunedWay> ways{{.block_bytes = 4096}, way, way, way, way};
  ways[1].products[0].family  = "wgmma";
  ways[2].products[0].threads = 4096;
  // B's inner dimension is not contiguous, and A has too many rows.
  ways[3].products[0].inner = ways[3].products[0].packs_left = true;
  ways[3].products[0].packs_right = ways[3].products[0].transposed = false;
  ways[4].products[1]                                              = way.products[0];
  for (const TunedWay& wrong : ways) {
    use({entry_of(layer.forward_call().call, wrong)});
    const Plan plan = layer.forward();
    EXPECT_TRUE(are_alike(plan, own)) << text(wrong);
    EXPECT_NE(plan.text().find(", but not possible: "), std::string::npos) << plan.text();
  }
}

TEST_F(Tuning, ADamagedFileIsToldOfOnceAndNotUsed) {
  const Layer layer(70, 66, 90);
  const Plan own            = layer.forward();
  const std::string text    = tuning_text({entry_of(layer.forward_call().call, another_way(layer.forward_call()))});
  const std::string warning = use(text.substr(0, text.size() - 9));
  EXPECT_EQ(
      warning.rfind(
          "Tegula: warning: Tegula::use_tuning(\"" + file("tuning.json") + "\"): " + file("tuning.json") + ":2: ", 0),
      0u)
      << warning;
  EXPECT_EQ(std::count(warning.begin(), warning.end(), '\n'), 1) << warning;
  EXPECT_EQ(warning_of_planning(layer), "");
  EXPECT_TRUE(are_alike(layer.forward(), own));
  EXPECT_NE(layer.forward().text().find("tuning: " + file("tuning.json") + " is not used: "), std::string::npos);
  testing::internal::CaptureStderr();
  use_tuning(file("absent.json"));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("absent.json\" cannot be read"), std::string::npos);
}

TEST_F(Tuning, AnOlderFileIsToldOfAndNotUsed) {
  const Layer layer(70, 66, 90);
  TuningEntry entry = entry_of(layer.forward_call().call, another_way(layer.forward_call()));
  entry.version     = "0.0.9";
  EXPECT_NE(use({entry}).find("its entries are of Tegula 0.0.9, this is " + library_version()), std::string::npos);
  EXPECT_NE(layer.forward().text().find("is not used: its entries are of Tegula 0.0.9"), std::string::npos);
  EXPECT_NE(use(std::vector<TuningEntry>{}).find("it has no entries"), std::string::npos);
}

TEST_F(Tuning, AFileOfAnotherDeviceIsToldOfOnceAndNotUsed) {
  const Layer layer(70, 66, 90);
  const Plan own    = layer.forward();
  TuningEntry entry = entry_of(layer.forward_call().call, another_way(layer.forward_call()));
  ++entry.device.threads;
  EXPECT_EQ(use({entry}), "");
  const std::string warning = warning_of_planning(layer);
  EXPECT_NE(warning.find("it has no entry for this device, "), std::string::npos) << warning;
  EXPECT_NE(warning.find(", but for " + text(entry.device)), std::string::npos) << warning;
  EXPECT_EQ(warning_of_planning(layer), "") << "once";
  EXPECT_TRUE(are_alike(layer.forward(), own));
  EXPECT_NE(layer.forward().text().find("has no entry for this device"), std::string::npos);
  // Programs on GPUs have calls on their host.
  entry.device = {"NVIDIA H200", "Cuda", "", 0, 132, 140};
  use({entry});
  EXPECT_EQ(warning_of_planning(layer), "");
}

TEST_F(Tuning, CallsAreRecordedOnce) {
  const std::string recorded = file("recorded.txt");
  std::remove(recorded.c_str());
  record_calls(recorded);
  const Layer layer(70, 66, 90);
  for (int repeat = 0; repeat < 2; ++repeat) {
    gemm(Space(), layer.A, layer.B, layer.C, layer.epilogue());
    layer.backward();
    layer.forward({.plan = {.tile = {24, 48, 32}}});
    make_plan(Space(), layer.A, layer.B, layer.C, Epilogue(Own()));
  }
  record_calls("");
  gemm(Space(), layer.A, layer.B, layer.C);
  const auto calls = recorded_calls(text_of_file(recorded), recorded);
  ASSERT_EQ(calls.size(), 2u);
  const std::string text = text_of_file(recorded);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(calls[0].problem, *problem_class(layer.forward_call().call, false));
  EXPECT_EQ(calls[1].problem, *problem_class(layer.backward_call().call, false));
  EXPECT_EQ(calls[0].device, tuning_device(planning_device(Space())));
}

TEST_F(Tuning, AFileThatCannotBeWrittenEndsRecording) {
  testing::internal::CaptureStderr();
  record_calls("/nowhere/recorded.txt");
  Layer(70, 66, 90).forward();
  Layer(71, 66, 90).forward();
  const std::string warning = testing::internal::GetCapturedStderr();
  EXPECT_EQ(warning,
            "Tegula: warning: cannot open \"/nowhere/recorded.txt\": No such file or directory; calls are recorded no "
            "further\n");
  EXPECT_FALSE(is_planning_watched);
}

// CMake runs this with both variables set; they are read once.
TEST(TuningOfEnvironment, IsReadWhenTheFirstCallIsPlanned) {
  const char* const tuning = std::getenv("TEGULA_TUNING");
  if (tuning == nullptr) GTEST_SKIP() << "TEGULA_TUNING is not set";
  const Layer layer(70, 66, 90);
  EXPECT_NE(layer.forward().text().find(std::string("tuning: ") + tuning + " is not used: "), std::string::npos);
  const char* const recorded = std::getenv("TEGULA_RECORD");
  ASSERT_NE(recorded, nullptr);
  EXPECT_GE(recorded_calls(text_of_file(recorded), recorded).size(), 1u);
}

}  // namespace
}  // namespace Tegula::Test
