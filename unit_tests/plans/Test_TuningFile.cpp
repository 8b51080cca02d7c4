// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "Tegula_RunCall.hpp"
#include "Tegula_TestCudaPlans.hpp"
#include "tuning/Tegula_RecordCalls.hpp"
#include "tuning/Tegula_TuningFile.hpp"

/// Tuning files: what is written is read, what is wrong is told with its line, and calls are told apart as plans are.

namespace Tegula::Test {
namespace {

using namespace Impl;

const GemmShape shape{192, 320, 256};

TuningEntry entry_of(const Call& call) {
  TuningEntry entry;
  entry.device        = {"NVIDIA H200", "Cuda", "", 0, 132, 140};
  entry.version       = library_version();
  entry.commit        = "0123abc";
  entry.problem       = *problem_class(call, true);
  entry.way           = {{ProductWay{"simt", {64, 128, 16}, 2}}};
  entry.seconds       = 1.25e-5;
  entry.model_seconds = 1.5e-5;
  entry.predicted     = 1e-5;
  entry.ways          = 37;
  entry.method        = "a \"clock\"";
  return entry;
}

TuningEntry host_entry() {
  TuningEntry entry = entry_of(relu_backward_call(shape));
  entry.device      = {"AMD EPYC 9B14", "OpenMP", "avx512", 2, 0, 0};
  entry.way         = {{ProductWay{"host", {64, 128, 16}, 1, 2, true, false, true, false},
                        ProductWay{"host", {8, 64, 512}, 3, 2, false, true, false, true}}};
  entry.model_way   = {.block_bytes = 49152};
  return entry;
}

/// The line that an error names, and what it says.
void expect_failure(const std::function<void()>& read, const std::string& what) {
  try {
    read();
    FAIL() << "it was read, where \"" << what << "\" was to be told";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what() << "\n, not " << what;
  }
}

TEST(TuningFile, IsReadAsItWasWritten) {
  const std::string text = tuning_text({entry_of(gemm_call(shape)), host_entry()});
  const auto entries     = tuning_entries(text, "x.json");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(tuning_text(entries), text);
  EXPECT_EQ(entries[0].device, entry_of(gemm_call(shape)).device);
  EXPECT_EQ(entries[0].problem, *problem_class(gemm_call(shape), true));
  EXPECT_EQ(entries[0].way, entry_of(gemm_call(shape)).way);
  EXPECT_TRUE(is_planners_own(entries[0].model_way));
  EXPECT_DOUBLE_EQ(entries[0].seconds, 1.25e-5);
  EXPECT_EQ(entries[0].method, "a \"clock\"");
  EXPECT_EQ(entries[1].way, host_entry().way);
  EXPECT_EQ(entries[1].model_way, host_entry().model_way);
  EXPECT_EQ(tuning_entries(tuning_text({}), "x.json").size(), 0u);
}

TEST(TuningFile, EveryWayIsReadAsItWasWritten) {
  std::vector<TunedWay> ways{{}, {.block_bytes = 1}, host_entry().way};
  ways.push_back(host_entry().way);
  ways.back().products[0] = {};
  ways.push_back(host_entry().way);
  ways.back().products[1] = {};
  for (const TunedWay& way : ways) EXPECT_EQ(tuned_way(Json::parse(json(way), "x.json")), way) << json(way);
}

/// A change of a file, and what is said of it.
struct Damage {
  std::string from, to, told;
};

TEST(TuningFile, ErrorsNameFileLineAndValue) {
  const std::string text = tuning_text({entry_of(gemm_call(shape)), host_entry()});
  for (const Damage& damage : std::vector<Damage>{
           {"\"tegula_tuning\": 1", "\"tegula_tuning\": 2", "x.json:1: tegula_tuning is 2, not from 1 to 1"},
           {"\"seconds\": 1.25e-05", "\"seconds\": -1", "x.json:2: seconds is -1, not from 1e-09"},
           {"\"seconds\": 1.25e-05", "\"seconds\": \"fast\"", "x.json:2: seconds is \"fast\", not a number"},
           {"\"seconds\": 1.25e-05", "\"seconds\": 1.25e", "x.json:2: \"1.25e"},
           {"\"seconds\": 1.25e-05", "\"second\": 1.25e-05", "x.json:2: there is no key \"second\""},
           {"\"seconds\": 1.25e-05, ", "", "x.json:2: \"seconds\" is missing"},
           {"64x128x16", "64x128", "x.json:2: tile is \"64x128\", not such as 64x128x16"},
           {"64x128x16", "64x0x16", "x.json:2: tile is \"64x0x16\""},
           {"\"split_k\": 2", "\"split_k\": 1.5", "x.json:2: split_k is 1.5, not an integer"},
           {"f32 right 16", "f33 right 16", "x.json:2: A is \"f33\", none of f16, bf16, f32, f64"},
           {"f32 right 16", "f32 right 3", "x.json:2: A is \"f32 right 3\", whose alignment is none of 2, 4, 8, 16"},
           {"\"A\": \"f32 right 16\", ", "", "x.json:2: \"A\" is missing"},
           {"\"gemm_backward\"", "\"gemm_forward\"", "x.json:3: function is \"gemm_forward\", none of gemm, "},
           {"\"relu\"", "\"relo\"", "x.json:3: activation is \"relo\", none of identity, relu"},
           {"transposed packs_left", "transposed packs", "x.json:3: kind has \"packs\""},
           {"\"m\": 192", "\"m\": 192, \"m\": 193", "x.json:2: \"m\" is there twice"},
           {"0123abc", "0123abc\n", "x.json:2: the text \"0123abc\" has no end"}}) {
    const std::size_t at = text.find(damage.from);
    ASSERT_NE(at, std::string::npos) << damage.from;
    const std::string damaged = std::string(text).replace(at, damage.from.size(), damage.to);
    expect_failure([&] { tuning_entries(damaged, "x.json"); }, damage.told);
  }
}

// A file that is cut off anywhere, as a full disk may leave it, is no file.
TEST(TuningFile, IsRefusedIfItIsCutOffAnywhere) {
  const std::string text = tuning_text({entry_of(gemm_call(shape)), host_entry()});
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_THROW(tuning_entries(text.substr(0, length), "x.json"), std::invalid_argument) << length;
  EXPECT_THROW(tuning_entries(text + "x", "x.json"), std::invalid_argument);
  const std::string deep(100000, '[');
  expect_failure([&] { Json::parse(deep, "x.json"); }, "x.json:1: values lie deeper than 32");
}

using Change = std::function<void(Call&)>;

/// With a layer below, as far as gemm_backward has one.
LayerBelow& below_of(Call& c) {
  static LayerBelow of_gemm;
  if (!c.is_backward) return of_gemm;
  if (!c.below) {
    c.below.emplace();
    c.below->saved = c.below->dbias = no_matrix(Element::f32);
  }
  return *c.below;
}

/// Each makes another problem of a call.
const std::vector<Change> changes{
    [](Call& c) { c.A = matrix_of(Element::f32, shape.m, shape.k, by_columns); },
    [](Call& c) { c.A = matrix_of(Element::f32, shape.m, shape.k, {.shift = 1}); },
    [](Call& c) { c.B = matrix_of(Element::f32, shape.k, shape.n, {.padding = 2}); },
    [](Call& c) { c.B.column_stride = 2; },
    [](Call& c) { c.A = matrix_of(Element::f32, shape.m, shape.k + 1); },
    [](Call& c) { c.A.element = Element::bf16; },
    [](Call& c) { c.activation.position = 3; },
    [](Call& c) { c.compute = Compute::tf32; },
    [](Call& c) { c.alpha = 0; },
    [](Call& c) { c.alpha = 2; },
    [](Call& c) { c.beta = 1; },
    [](Call& c) { c.beta = 2; },
    [](Call& c) { (c.is_backward ? c.dbias : c.bias) = row_of(Element::f32, shape.n); },
    [](Call& c) { (c.is_backward ? c.dA : c.Z) = c.is_backward ? no_matrix(Element::f32) : c.C; },
    [](Call& c) { c.update_dA = Update::accumulate; },
    [](Call& c) { c.update_dB = Update::accumulate; },
    [](Call& c) { c.update_dbias = Update::accumulate; },
    [](Call& c) { below_of(c); },
    [](Call& c) { below_of(c).activation.position = 7; },
    [](Call& c) { below_of(c).saved = matrix_of(Element::f32, shape.m, shape.k); },
    [](Call& c) { below_of(c).saved = matrix_of(Element::f32, shape.m, shape.k, by_columns); },
    [](Call& c) { below_of(c).dbias = row_of(Element::f32, shape.k); },
    [](Call& c) { below_of(c).update_dbias = Update::accumulate; }};

TEST(ProblemClass, TellsCallsApart) {
  std::set<std::string> written;
  std::set<PackedProblem> keys;
  std::size_t count = 0;
  for (const Call& plain : {gemm_call(shape), relu_backward_call(shape)}) {
    std::vector<Call> calls(changes.size() + 1, plain);
    for (std::size_t c = 0; c < changes.size(); ++c) changes[c](calls[c]);
    for (const Call& call : calls) {
      const ProblemClass problem = *problem_class(call, true);
      EXPECT_EQ(problem_class(Json::parse(json(problem), "x.json")), problem) << json(problem);
      written.insert(json(problem));
      keys.insert(packed(problem));
      EXPECT_EQ(packed(call, true), packed(problem)) << json(problem);
      EXPECT_EQ(packed(call, false), packed(*problem_class(call, false))) << json(problem);
      ++count;
    }
  }
  constexpr std::size_t of_gradients_only = 9;
  EXPECT_EQ(written.size(), count - of_gradients_only);
  EXPECT_EQ(keys.size(), written.size());
}

TEST(ProblemTable, FindsWhatIsThereAndNothingElse) {
  ProblemTable<std::int64_t> table;
  ProblemClass problem = *problem_class(gemm_call(shape), true);
  EXPECT_EQ(table.find(packed(problem)), nullptr);
  constexpr std::int64_t count = 1000;
  for (problem.shape.m = 0; problem.shape.m < count; ++problem.shape.m) table[problem] = problem.shape.m;
  for (problem.shape.m = 0; problem.shape.m < count; ++problem.shape.m) table[problem] += 1;
  for (problem.shape.m = 0; problem.shape.m < 2 * count; ++problem.shape.m) {
    const std::int64_t* const found = table.find(packed(problem));
    ASSERT_EQ(found != nullptr, problem.shape.m < count) << problem.shape.m;
    if (found != nullptr) {
      EXPECT_EQ(*found, problem.shape.m + 1);
    }
  }
}

TEST(ProblemClass, DoesNotSeeWhatPlansDoNotDependOn) {
  const Call plain       = gemm_call(shape);
  Call other             = plain;
  other.C                = matrix_of(Element::f32, shape.m, shape.n, {.padding = 4, .shift = 8});
  other.op_a             = Op::transpose;
  other.activation.slope = 0.5;
  EXPECT_EQ(*problem_class(other, true), *problem_class(plain, true));
  other.A = matrix_of(Element::f32, shape.m, shape.k, {.shift = 1});
  EXPECT_NE(*problem_class(other, true), *problem_class(plain, true));
  EXPECT_EQ(*problem_class(other, false), *problem_class(plain, false)) << "hosts do not ask for alignment";
}

TEST(ProblemClass, IsNoneForTypesOfAUsers) {
  Call call        = gemm_call(shape);
  call.is_built_in = false;
  EXPECT_FALSE(problem_class(call, true));
  EXPECT_FALSE(packed(call, true));
  call                  = gemm_call(shape);
  call.has_own_elements = true;
  EXPECT_FALSE(problem_class(call, true));
  EXPECT_FALSE(packed(call, true));
}

TEST(RecordedCalls, AreReadAndNoneTwice) {
  const std::string line = "{\"device\": " + json(host_entry().device) +
                           ", \"call\": " + json(*problem_class(gemm_call(shape), false)) + "}\n";
  EXPECT_EQ(recorded_calls(line + line, "x.txt").size(), 1u);
  EXPECT_EQ(recorded_calls(line, "x.txt")[0].problem, *problem_class(gemm_call(shape), false));
  EXPECT_EQ(recorded_calls(line + line.substr(0, 30), "x.txt").size(), 1u) << "its writer was killed";
  expect_failure([&] { recorded_calls(line + "nonsense\n", "x.txt"); }, "x.txt:2: \"nonsense\" is no value");
}

}  // namespace
}  // namespace Tegula::Test
