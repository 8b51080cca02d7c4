// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "Tegula_Machine.hpp"
#include "Tegula_PlanCache.hpp"
#include "Tegula_TestCudaPlans.hpp"
#include "Tegula_UseMachine.hpp"
#include "cuda/Tegula_CudaRecord.hpp"

/// Records of GPUs as files, and which of them calls are planned by.

namespace Tegula::Test {
namespace {

using Impl::all_cuda_rates, Impl::cuda_rates, Impl::cuda_rates_in_use, Impl::CudaRates;

const CudaRates& h100() { return *Impl::cuda_rates_of_card("H100"); }

CudaRates read(const std::string& lines) {
  std::istringstream in(lines);
  Impl::RecordFile record(in, "card.txt");
  return Impl::cuda_record(record, "card.txt");
}

/// A record in which a line is another one.
std::string with_line(const std::string& key, const std::string& line) {
  std::string lines       = '\n' + Impl::text(h100());
  const std::size_t begin = lines.find('\n' + key + " =") + 1;
  return lines.replace(begin, lines.find('\n', begin) - begin, line).substr(1);
}

/// What is said of a file; empty: nothing.
std::string message_of(const std::string& lines) {
  try {
    read(lines);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void expect_equal(const CudaRates& a, const CudaRates& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.capability, b.capability);
  EXPECT_EQ(a.multiprocessors, b.multiprocessors);
  EXPECT_EQ(a.team_scratch, b.team_scratch);
  for (const auto number :
       {&CudaRates::clock, &CudaRates::wgmma_half, &CudaRates::wgmma_tf32, &CudaRates::mma_half, &CudaRates::mma_double,
        &CudaRates::fma_float, &CudaRates::fma_double, &CudaRates::memory, &CudaRates::cache, &CudaRates::kernel})
    EXPECT_NEAR(a.*number, b.*number, 1e-5 * b.*number) << a.name;  // six digits
}

TEST(CudaRecord, IsReadAsItWasWritten) {
  for (const CudaRates& rates : all_cuda_rates()) {
    const CudaRates again = read(Impl::text(rates));
    expect_equal(again, rates);
    EXPECT_EQ(again.source, "card.txt: " + rates.source);
  }
}

TEST(CudaRecord, MayHaveBlanksCommentsAndAnyOrder) {
  std::string lines = with_line("clock_hz", "");
  lines             = "# a card\r\n\n  clock_hz=1.5e9 # slow\r\n" + lines;
  EXPECT_EQ(read(lines).clock, 1.5e9);
}

struct Wrong {
  const char *key, *line, *message;
};

class CudaRecordIsRefused : public testing::TestWithParam<Wrong> {};

TEST_P(CudaRecordIsRefused, WithFileLineAndValue) {
  const auto& [key, line, message] = GetParam();
  EXPECT_EQ(message_of(with_line(key, line)), std::string("card.txt") + message);
}

INSTANTIATE_TEST_SUITE_P(
    , CudaRecordIsRefused,
    testing::Values(
        Wrong{"clock_hz", "", ": clock_hz is missing"}, Wrong{"name", "", ": name is missing"},
        Wrong{"name", "name = # none", ":2: name is empty"}, Wrong{"tegula_machine", "", ": tegula_machine is missing"},
        Wrong{"tegula_machine", "tegula_machine = 2", ":1: tegula_machine is \"2\", not 1"},
        Wrong{"clock_hz", "clock_hz 1e9", ":7: \"clock_hz 1e9\" is not \"key = value\""},
        Wrong{"clock_hz", "clock_hz = 1e9\nclock_hz = 1e9", ":8: clock_hz is there twice"},
        Wrong{"source", "source = here\nspeed = 3", ":4: there is no key \"speed\""},
        Wrong{"clock_hz", "clock_hz = 1980", ":7: clock_hz is \"1980\", not a number from 1e+08 to 1e+10"},
        Wrong{"clock_hz", "clock_hz = 1.98 GHz", ":7: clock_hz is \"1.98 GHz\", not a number from 1e+08 to 1e+10"},
        Wrong{"clock_hz", "clock_hz = nan", ":7: clock_hz is \"nan\", not a number from 1e+08 to 1e+10"},
        Wrong{"clock_hz", "clock_hz =", ":7: clock_hz is \"\", not a number from 1e+08 to 1e+10"},
        Wrong{"multiprocessors", "multiprocessors = 13.2",
              ":5: multiprocessors is \"13.2\", not a number from 1 to 4096"},
        Wrong{"mma_half", "mma_half = 0", ":10: mma_half is \"0\", not a number from 1 to 65536"},
        Wrong{"wgmma_tf32", "wgmma_tf32 = 0",
              ": wgmma_half is 2048 and wgmma_tf32 is 0, but compute capability 9.0 has these instructions"}));

TEST(CudaRecord, IsFoundByNameOrFile) {
  const auto found = [](const std::string& name) { return std::get<CudaRates>(Impl::machine_record(name)); };
  expect_equal(found("H100 PCIe"), *Impl::cuda_rates_of_card("NVIDIA H100 PCIe"));
  const std::string file = testing::TempDir() + "tegula_card.txt";
  std::ofstream(file) << with_line("name", "name = mine");
  EXPECT_EQ(found(file).name, "mine");
  EXPECT_EQ(found(file).source, file + ": data sheet, not measured");
  try {
    Impl::machine_record("H100 PCI");
    FAIL() << "it was found";
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find("\"H100 PCI\" is no file that can be read, and none of A100, A100 40GB, "), 0u) << what;
  }
}

/// Plans change as the record says: with tensor cores as fast by wgmma as they are slow, mma.sync computes the product.
TEST(CudaRecord, DecidesWhatIsPlanned) {
  const CudaRates slow = read(with_line("wgmma_half", "wgmma_half = 64"));
  CudaMachine machine  = h200;
  machine.rates        = &slow;
  const Call call      = gemm_call({4096, 4096, 4096}, Element::bf16);
  EXPECT_STREQ(plan_of(call).products[0].family, "wgmma");
  const Plan plan = plan_of(call, {}, machine);
  EXPECT_STREQ(plan.products[0].family, "mma");
  EXPECT_NE(plan.text().find(" us on an idle H100 (card.txt: data sheet, not measured)"), std::string::npos);
}

/// What TEGULA_MACHINE asked for counts until a program asks for another record.
class CudaRecordInUse : public testing::Test {
 protected:
  void TearDown() override { use_machine(""); }
};

TEST_F(CudaRecordInUse, IsTheOneThatTheProgramAsksFor) {
  use_machine("H100 PCIe");
  EXPECT_EQ(cuda_rates_in_use(90, "NVIDIA H200").name, "H100 PCIe");
  use_machine("");
  EXPECT_EQ(&cuda_rates_in_use(90, "NVIDIA H200"), &cuda_rates(90));
  EXPECT_EQ(cuda_rates_in_use(80, "NVIDIA A30").name, "A30");
}

TEST_F(CudaRecordInUse, IsOfTheArchitectureOfTheDevice) {
  use_machine("H100 PCIe");
  try {
    cuda_rates_in_use(80, "NVIDIA A30");
    FAIL() << "it was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "Tegula::use_machine(\"H100 PCIe\"): it is a record of compute capability 9.0, the device, NVIDIA A30, "
        "has 8.0");
  }
}

TEST_F(CudaRecordInUse, StaysWhereAnotherIsRefused) {
  use_machine("H100 PCIe");
  try {
    use_machine("no such file");
    FAIL() << "it was found";
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find("Tegula::use_machine(\"no such file\"): \"no such file\" is no file"), 0u) << what;
  }
  EXPECT_EQ(cuda_rates_in_use(90, "NVIDIA H200").name, "H100 PCIe");
}

TEST_F(CudaRecordInUse, LeavesNoPlanOfAnotherOne) {
  const Call call    = gemm_call({64, 64, 64});
  const auto planned = [&] {
    CudaMachine machine = h200;
    machine.rates       = &cuda_rates_in_use(90, "NVIDIA H200");
    return plan_through_cache({{"Cuda", 0, 0, true}, call, {}}, [&] { return plan_of(call, {}, machine); });
  };
  EXPECT_STREQ(planned().machine, "H200");
  use_machine("H100");
  EXPECT_STREQ(planned().machine, "H100");
}

/// ctest sets the environment, for a process of this test alone.
TEST(CudaRecordOfEnvironment, IsInUse) {
  const char* const asked = std::getenv("TEGULA_MACHINE");
  if (asked == nullptr) GTEST_SKIP() << "no TEGULA_MACHINE";
  EXPECT_EQ(cuda_rates_in_use(90, "NVIDIA H200").name, asked);
}

}  // namespace
}  // namespace Tegula::Test
