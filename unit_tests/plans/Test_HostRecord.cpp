// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "Tegula_RecordFile.hpp"
#include "host/Tegula_HostRates.hpp"

/// The records that the host's planner predicts times by, and the sets of instructions that they are of.

namespace Tegula::Test {
namespace {

using namespace Impl;

/// A file with the record of this host's instructions, or of others.
std::string record_file(Instructions instructions) {
  HostRates rates        = host_rates(instructions);
  rates.name             = "mine";
  rates.call             = 1e-4;
  const std::string file = testing::TempDir() + "tegula_host.txt";
  std::ofstream(file) << text(rates);
  return file;
}

class HostRecord : public testing::Test {
 protected:
  void TearDown() override { use_machine(""); }

  static Plan plan() {
    const Kokkos::View<float**, Kokkos::HostSpace> A("A", 9, 9), C("C", 9, 9);
    return make_plan(Kokkos::DefaultHostExecutionSpace(), A, A, C);
  }
};

TEST_F(HostRecord, IsReadAsItWasWritten) {
  for (const Instructions set : {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    for (const bool in_halves : {false, true}) {
      const HostRates& written = host_rates(set, in_halves);
      std::istringstream lines(text(written));
      RecordFile record(lines, "host.txt");
      const HostRates rates = host_record(record, "host.txt");
      EXPECT_EQ(rates.instructions, set);
      EXPECT_EQ(rates.name, written.name);
      EXPECT_EQ(rates.source, "host.txt: " + written.source);
      for (const auto number :
           {&HostRates::cycles, &HostRates::cache, &HostRates::memory, &HostRates::all_memory, &HostRates::call,
            &HostRates::fork, &HostRates::launch, &HostRates::near, &HostRates::cache_rate})
        EXPECT_NEAR(rates.*number, written.*number, 1e-5 * written.*number);
    }
  }
}

// Two multiply-adds of 512 bits in a cycle, or one: there are records of both, and one is of this processor.
TEST_F(HostRecord, KnowsProcessorsThatHalveTheirVectors) {
  const Instructions set = Instructions::avx512;
  EXPECT_GT(host_rates(set, false).cycles, 1.5 * host_rates(set, true).cycles);
  EXPECT_EQ(&host_rates(set), &host_rates(set, halves_512_bits()));
  for (const Instructions others : {Instructions::baseline, Instructions::avx2})
    EXPECT_EQ(&host_rates(others, false), &host_rates(others, true));
}

TEST_F(HostRecord, IsInUseWhereItIsAskedFor) {
  const Plan before      = plan();
  const std::string file = record_file(host_instructions());
  use_machine(file);
  EXPECT_STREQ(plan().machine, "mine");
  EXPECT_EQ(plan().machine_source, file + ": " + host_rates(host_instructions()).source);
  EXPECT_NEAR(plan().seconds() - before.seconds(), 1e-4 - host_rates(host_instructions()).call, 1e-9);
  use_machine("H100");
  EXPECT_EQ(plan().seconds(), before.seconds()) << "this is of a GPU";
}

TEST_F(HostRecord, IsRefusedWithOtherInstructions) {
  const Instructions others =
      host_instructions() == Instructions::baseline ? Instructions::avx2 : Instructions::baseline;
  use_machine(record_file(others));
  try {
    plan();
    FAIL() << "it was taken";
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(std::string("tegula_host.txt\"): it is a record of a host with ") + name(others) +
                        ", this one uses " + name(host_instructions())),
              std::string::npos)
        << what;
  }
}

TEST(HostInstructions, AreThoseOfTheProcessor) {
  EXPECT_TRUE(has(Instructions::baseline));
  EXPECT_TRUE(has(host_instructions()));
  for (const auto set : {Instructions::avx2, Instructions::avx512}) {
    if (!has(set)) {
      EXPECT_THROW(use(set), std::invalid_argument);
    }
  }
}

// CMake runs this with the variable set and without.
TEST(HostInstructions, AreThoseThatTheEnvironmentAsksFor) {
  const char* const wanted = std::getenv("TEGULA_INSTRUCTIONS");
  if (wanted == nullptr) GTEST_SKIP() << "TEGULA_INSTRUCTIONS is not set";
  EXPECT_STREQ(name(host_instructions()), wanted);
}

}  // namespace
}  // namespace Tegula::Test
