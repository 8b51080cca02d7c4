// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races between ways, the memory that they run on, and what is found when kernels or predictions are wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <map>
#include <set>

#include "Tegula_PerfRandom.hpp"
#include "Tegula_Race.hpp"
#include "Tegula_TuneProblem.hpp"

namespace Tegula::Perf {
namespace {

using Impl::ProblemClass;

/// Ways with made-up times, on a made-up clock.
struct MadeUp {
  std::vector<double> seconds, predicted;
  double noise = 0;  ///< times are up to this part longer
  std::set<std::size_t> wrong{};
  std::map<std::size_t, int> times_measured{};
  double clock = 0;
  RandomNumbers random{1};

  double measure(std::size_t way) {
    if (wrong.count(way) > 0) throw std::runtime_error("wrong result");
    ++times_measured[way];
    const double time = seconds[way] * (1 + noise * static_cast<double>(random.below(1000)) / 1000);
    clock += time;
    return time;
  }

  RaceResult run(const RaceLimits& limits = {}) {
    return race(predicted, limits,
                {[&](std::size_t way, double) { return measure(way); },
                 [&](std::size_t way, double) { return measure(way); }, [&] { return clock; }});
  }
};

/// Forty ways whose predictions are off by up to a fifth.
MadeUp forty_ways(std::uint64_t seed) {
  MadeUp ways;
  RandomNumbers random(seed);
  for (int way = 0; way < 40; ++way) {
    ways.seconds.push_back(1e-3 * (1 + 0.05 * random.below(60)));
    ways.predicted.push_back(ways.seconds.back() * (0.8 + 0.01 * random.below(40)));
  }
  return ways;
}

std::size_t fastest_of(const MadeUp& ways) {
  return static_cast<std::size_t>(std::min_element(ways.seconds.begin(), ways.seconds.end()) - ways.seconds.begin());
}

TEST(Race, finds_the_fastest_way_through_noise) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    MadeUp ways             = forty_ways(seed);
    ways.noise              = 0.1;
    const RaceResult result = ways.run();
    EXPECT_LE(ways.seconds[result.best], 1.03 * ways.seconds[fastest_of(ways)]) << seed;
    EXPECT_LT(ways.clock, 1) << "it is to take less than a second";
  }
}

// What a wrong model predicts: the fastest way three times too slow, or a slow one three times too fast.
TEST(Race, finds_the_fastest_way_though_predictions_are_three_times_off) {
  for (const double factor : {3.0, 1 / 3.0}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      MadeUp ways                 = forty_ways(seed);
      const std::size_t fastest   = fastest_of(ways);
      const std::size_t misjudged = factor > 1 ? fastest : (fastest + 7) % 40;
      ways.predicted[misjudged]   = factor * ways.seconds[misjudged];
      EXPECT_EQ(ways.seconds[ways.run().best], ways.seconds[fastest]) << seed;
    }
  }
}

TEST(Race, measures_slow_ways_once_and_hopeless_ones_never) {
  MadeUp ways{{1e-3, 2e-3, 1.001e-3, 9e-3}, {1e-3, 1e-3, 1e-3, 4.1e-3}};
  const RaceResult result = ways.run();
  EXPECT_EQ(ways.times_measured[1], 1);
  EXPECT_EQ(ways.times_measured[3], 0);
  EXPECT_GT(ways.times_measured[2], 3);
  EXPECT_EQ(result.measured, 3);
  EXPECT_EQ(result.seconds[3], std::numeric_limits<double>::infinity());
  EXPECT_EQ(MadeUp(ways).run({.factor = 5}).measured, 4);
}

TEST(Race, keeps_the_first_way_if_another_one_is_hardly_faster) {
  EXPECT_EQ(MadeUp({{1e-3, 0.98e-3}, {1, 1}}).run().best, 0u);
  EXPECT_EQ(MadeUp({{1e-3, 0.96e-3}, {1, 1}}).run().best, 1u);
}

TEST(Race, ends_in_time) {
  MadeUp ways = forty_ways(1);
  for (double& seconds : ways.seconds) seconds *= 100;
  ways.run();
  EXPECT_LT(ways.clock, 0.9 + 0.4);
  for (double& seconds : ways.seconds) seconds *= 100;
  ways.clock              = 0;
  ways.times_measured     = {};
  const RaceResult result = ways.run();
  EXPECT_EQ(result.measured, 2) << "the planner's own, and the one that is predicted to be the fastest";
}

TEST(Race, gives_no_figure_to_what_is_wrong) {
  MadeUp ways{{1e-3, 1e-4, 2e-3}, {1e-3, 1e-3, 1e-3}};
  ways.wrong              = {1};
  const RaceResult result = ways.run();
  EXPECT_EQ(result.best, 0u);
  EXPECT_EQ(result.seconds[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(result.failures, std::vector<std::string>{"wrong result"});
  ways.wrong = {0};
  EXPECT_THROW(ways.run(), std::runtime_error);
}

/// A problem as files have it.
ProblemClass problem_of_text(const std::string& rest) {
  std::string text = "{" + rest + '}';
  // On devices lines are aligned to something.
  if (!runs_on_host)
    for (std::size_t at = 0; (at = text.find("f32 ", at)) != std::string::npos;) {
      at = text.find_first_of("\"", at);
      text.insert(at, " 16");
    }
  return Impl::problem_class(Impl::Json::parse(text, "test"));
}

/// Calls of every kind.
std::vector<ProblemClass> problems() {
  std::vector<ProblemClass> all;
  const std::string gemm  = "\"function\": \"gemm\", \"m\": 37, \"n\": 53, \"k\": 29, ",
                    three = "\"A\": \"f32 left\", \"B\": \"f32 strided\", \"C\": \"f32 right\"";
  for (const char* rest :
       {"", ", \"alpha\": \"other\", \"beta\": \"one\"", ", \"alpha\": \"zero\", \"beta\": \"other\"",
        ", \"bias\": \"f32 vector\", \"Z\": \"f32 left\", \"activation\": \"gelu_erf\"",
        ", \"bias\": \"f32 strided\", \"activation\": \"leaky_relu\", \"beta\": \"one\"", ", \"activation\": \"tanh\""})
    all.push_back(problem_of_text(gemm + three + rest));
  const std::string backward =
      "\"function\": \"gemm_backward\", \"m\": 37, \"n\": 53, \"k\": 29, \"dC\": \"f32 left\", \"A\": \"f32 right\", "
      "\"B\": \"f32 left\"";
  for (const char* rest :
       {", \"dA\": \"f32 right\", \"dB\": \"f32 strided\", \"dbias\": \"f32 vector\"",
        ", \"dA\": \"f32 left\", \"saved\": \"f32 right\", \"activation\": \"relu\", \"alpha\": \"other\"",
        ", \"dB\": \"f32 right\", \"saved\": \"f32 strided\", \"activation\": \"silu\", \"update_dB\": \"accumulate\"",
        ", \"dbias\": \"f32 vector\", \"saved\": \"f32 right\", \"activation\": \"sigmoid\", \"update_dbias\": "
        "\"accumulate\"",
        ", \"dA\": \"f32 left\", \"dB\": \"f32 left\", \"saved\": \"f32 right\", \"activation\": \"gelu_tanh\", "
        "\"update_dA\": \"accumulate\", \"alpha\": \"zero\"",
        ", \"dA\": \"f32 right\", \"below\": \"relu\", \"saved_below\": \"f32 left\", \"dbias_below\": \"f32 vector\"",
        ", \"dA\": \"f32 left\", \"dB\": \"f32 left\", \"update_dA\": \"accumulate\", \"below\": \"gelu_tanh\", "
        "\"saved_below\": \"f32 right\", \"dbias_below\": \"f32 vector\", \"update_dbias_below\": \"accumulate\"",
        ", \"dA\": \"f32 right\", \"saved\": \"f32 right\", \"activation\": \"tanh\", \"below\": \"sigmoid\", "
        "\"saved_below\": \"f32 strided\""})
    all.push_back(problem_of_text(backward + rest));
  return all;
}

// Families ask for it: calls in double without a bias would be left to those that take any mixture.
TEST(ProblemMemory, gives_what_is_left_out_the_type_that_functions_give_it) {
  for (const auto& [name, element] : {std::pair("f64", Impl::Element::f64), std::pair("f32", Impl::Element::f32)}) {
    const std::string as = std::string(": \"") + name + " right" + (runs_on_host ? "\"" : " 16\"");
    const auto problem   = [&](const char* function, std::initializer_list<const char*> matrices) {
      std::string text = std::string("{\"function\": \"") + function + "\", \"m\": 40, \"n\": 56, \"k\": 32";
      for (const char* matrix : matrices) text += std::string(", \"") + matrix + '"' + as;
      return Impl::problem_class(Impl::Json::parse(text + '}', "test"));
    };
    const ProblemMemory gemm(problem("gemm", {"A", "B", "C"}), 1, false),
        backward(problem("gemm_backward", {"dC", "A", "B", "dA"}), 1, false);
    for (const ProblemMemory* memory : {&gemm, &backward})
      for (const Impl::MatrixRole& role : Impl::matrix_roles(memory->call().is_backward))
        EXPECT_EQ((memory->call().*role.matrix).element, element) << name << ' ' << role.key;
  }
}

/// What is said of results that some run makes.
std::string verdict_on(const ProblemMemory& memory, const RunPlan& run) {
  const auto candidates = candidates_of(memory.call());
  memory.forget_results();
  const Workspace<ExecutionSpace> workspace("workspace", candidates.at(0).plan.workspace_bytes());
  run(memory.call(), candidates[0].plan, workspace.data());
  ExecutionSpace().fence();
  try {
    memory.check_results();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ProblemMemory, knows_the_results_of_every_kind_of_call) {
  for (const ProblemClass& problem : problems()) {
    const ProblemMemory memory(problem, 2);
    EXPECT_EQ(*Impl::problem_class(memory.call(1), !runs_on_host), problem);
    EXPECT_EQ(verdict_on(memory, run_plan_of_library()), "") << json(problem);
    EXPECT_EQ(verdict_on(memory, run_plan_of_library()), "") << "once more, " << json(problem);
  }
}

/// A wrong kernel: the library's, for another call.
template <class Change>
RunPlan with(const Change& change) {
  return [=](const Impl::Call& call, const Plan& plan, char* workspace) {
    Impl::Call other = call;
    change(other);
    run_plan_of_library()(other, plan, workspace);
  };
}

TEST(ProblemMemory, tells_wrong_results) {
  for (const ProblemClass& problem : problems()) {
    const ProblemMemory memory(problem, 1);
    const auto expect_wrong = [&](const RunPlan& run, const char* what) {
      EXPECT_NE(verdict_on(memory, run).find("wrong result: "), std::string::npos) << what << ": " << json(problem);
    };
    expect_wrong([](const auto&...) {}, "nothing is written");
    const bool is_alpha_seen =
        problem.alpha != Impl::Factor::zero &&
        (!problem.is_backward || !problem.matrices[4].is_left_out() || !problem.matrices[5].is_left_out());
    if (is_alpha_seen) expect_wrong(with([](Impl::Call& c) { c.alpha *= 1.0001; }), "alpha");
    if (problem.beta != Impl::Factor::zero) expect_wrong(with([](Impl::Call& c) { c.beta *= 1.001; }), "beta");
    if (!problem.matrices[6].is_left_out())
      expect_wrong(with([](Impl::Call& c) {
                     c.update_dbias = c.update_dbias == Update::overwrite ? Update::accumulate : Update::overwrite;
                   }),
                   "dbias");
    expect_wrong(with([](Impl::Call& c) {
                   // The last row is left as it was.
                   for (Impl::CallMatrix* result : {&c.C, &c.dA, &c.dB, &c.dbias})
                     if (result->rows > 1 && result->data != nullptr)
                       result->data = static_cast<char*>(result->data) + result->element_bytes;
                   if (c.dbias.data != nullptr) c.dbias.data = static_cast<char*>(c.dbias.data) + c.dbias.element_bytes;
                   c.C.columns = std::min<std::int64_t>(c.C.columns, c.C.columns - 1 + (c.is_backward ? 1 : 0));
                 }),
                 "a shifted result");
  }
}

/// No race ends by the clock, however busy the machine is.
constexpr double unhurried = 60;

// A kernel that does nothing is the fastest of all.
TEST(TuneProblem, gives_no_figure_to_a_wrong_kernel) {
  const ProblemClass problem = problem_of({"", 70, 66, 90}, {.epilogue = "relu"});
  const ProblemMemory memory(problem, 1);
  const auto candidates = candidates_of(memory.call());
  ASSERT_GE(candidates.size(), 2u);
  const auto idle_on = [&](std::size_t wrong) {
    return [&, wrong](const Impl::Call& call, const Plan& plan, char* workspace) {
      if (&plan != &candidates[wrong].plan) run_plan_of_library()(call, plan, workspace);
    };
  };
  for (std::size_t wrong = 1; wrong < candidates.size(); ++wrong) {
    const TunedProblem tuned = tune_problem(problem, candidates, {.factor = 1e6, .seconds = unhurried}, idle_on(wrong));
    EXPECT_FALSE(tuned.entry.way == candidates[wrong].way);
    ASSERT_EQ(tuned.failures.size(), 1u);
    EXPECT_EQ(tuned.failures[0].rfind(text(candidates[wrong].way) + ": wrong result: C(", 0), 0u) << tuned.failures[0];
  }
  EXPECT_THROW(tune_problem(problem, candidates, {}, idle_on(0)), std::runtime_error);
}

/// Seconds by the clock that times are measured by: that of the processor counts threads that wait for work, too.
double now(bool has_one_thread) {
  if (has_one_thread) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Predictions that are three times too low, or too high, of kernels whose times are known.
TEST(TuneProblem, finds_misjudged_ways) {
  if (!runs_on_host) GTEST_SKIP() << "the clock of a device does not see what a host waits for";
  const ProblemClass problem = problem_of({"", 70, 66, 90}, {});
  const ProblemMemory memory(problem, 1);
  auto candidates = candidates_of(memory.call());
  ASSERT_GE(candidates.size(), 3u);
  // A kernel runs once, for its results to be right: what threads take on a busy machine is not the matter here.
  const bool has_one_thread = ExecutionSpace().concurrency() == 1;
  std::set<const Plan*> done;
  const auto run = [&](const Impl::Call& call, const Plan& plan, char* workspace) {
    if (done.insert(&plan).second) run_plan_of_library()(call, plan, workspace);
    const double end = now(has_one_thread) + (&plan == &candidates[1].plan ? 1e-3 : 2e-3);
    while (now(has_one_thread) < end) continue;
  };
  const auto predict = [&](std::size_t way, double seconds) { candidates[way].plan.products[0].seconds = seconds; };
  for (const bool is_too_high : {true, false}) {
    for (std::size_t way = 0; way < candidates.size(); ++way) predict(way, 2e-3);
    predict(1, is_too_high ? 3 * 1e-3 : 1e-3);
    if (!is_too_high) predict(2, 2e-3 / 3);
    done.clear();
    const TunedProblem tuned = tune_problem(problem, candidates, {.seconds = unhurried}, run);
    EXPECT_TRUE(tuned.entry.way == candidates[1].way) << text(tuned.entry.way);
    EXPECT_NEAR(tuned.entry.seconds / tuned.entry.model_seconds, 0.5, has_one_thread ? 0.1 : 0.3);
    EXPECT_EQ(tuned.entry.predicted, 2e-3);
  }
}

}  // namespace
}  // namespace Tegula::Perf
