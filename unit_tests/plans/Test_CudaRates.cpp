// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "Tegula_TestCudaPlans.hpp"

/// Which record plans for a device are made by.

namespace Tegula::Test {
namespace {

using Impl::all_cuda_rates, Impl::cuda_rates, Impl::cuda_rates_of_card, Impl::CudaRates;

TEST(CudaRates, AreThoseOfTheNewestArchitectureThatIsNotNewer) {
  for (const auto& [asked, capability] :
       {std::pair{90, 90}, {80, 80}, {86, 86}, {87, 86}, {89, 89}, {100, 100}, {120, 100}})
    EXPECT_EQ(cuda_rates(asked).capability, capability) << asked;
  EXPECT_EQ(cuda_rates(75).capability, 80) << "there is no older record";
}

TEST(CudaRates, AreThoseOfTheCard) {
  struct Card {
    int capability;
    const char *device, *record;
  };
  // As cudaDeviceProp::name spells them.
  for (const auto& [capability, device, record] :
       {Card{80, "NVIDIA A100-SXM4-80GB", "A100"}, Card{80, "NVIDIA A100-SXM4-40GB", "A100 40GB"},
        Card{80, "A100-PCIE-40GB", "A100 40GB"}, Card{80, "NVIDIA A100 80GB PCIe", "A100"},
        Card{80, "NVIDIA A30", "A30"}, Card{86, "NVIDIA A10", "A10"}, Card{86, "NVIDIA RTX A6000", "RTX A6000"},
        Card{89, "NVIDIA L4", "L4"}, Card{89, "NVIDIA L40S", "L40S"},
        Card{89, "NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada"}, Card{90, "NVIDIA H100 80GB HBM3", "H100"},
        Card{90, "NVIDIA H100 PCIe", "H100 PCIe"}, Card{90, "NVIDIA H100 NVL", "H100 NVL"},
        Card{90, "NVIDIA H200", "H200"}, Card{90, "NVIDIA GH200 480GB", "GH200"}, Card{100, "NVIDIA B200", "B200"}}) {
    EXPECT_EQ(cuda_rates(capability, device).name, record) << device;
    ASSERT_NE(cuda_rates_of_card(device), nullptr) << device;
    EXPECT_EQ(cuda_rates_of_card(device)->name, record) << device;
  }
}

TEST(CudaRates, AreThoseOfTheFirstCardWhereTheNameIsNew) {
  EXPECT_EQ(cuda_rates(90, "NVIDIA H300").name, "H200");
  EXPECT_EQ(cuda_rates(89, "NVIDIA H100 PCIe").name, "L40S") << "a name of another architecture";
  EXPECT_EQ(cuda_rates(86, "NVIDIA A10G").name, "A40") << "half a word";
  EXPECT_EQ(cuda_rates(80).name, "A100");
  EXPECT_EQ(cuda_rates_of_card("NVIDIA H300"), nullptr);
}

TEST(CudaRates, AreComplete) {
  std::set<std::string> names;
  int last = 0;
  for (const CudaRates& rates : all_cuda_rates()) {
    EXPECT_TRUE(names.insert(rates.name).second) << rates.name;
    EXPECT_GE(rates.capability, last) << rates.name << ": rows of an architecture lie side by side";
    last = rates.capability;
    EXPECT_EQ(&cuda_rates(rates.capability, rates.name), &rates);
    EXPECT_FALSE(rates.source.empty());
    EXPECT_EQ(rates.wgmma_half > 0, rates.capability == 90);
    EXPECT_EQ(rates.wgmma_tf32 > 0, rates.capability == 90);
    for (const double rate : {rates.clock, rates.mma_half, rates.mma_double, rates.fma_float, rates.fma_double,
                              rates.memory, rates.cache, rates.kernel})
      EXPECT_GT(rate, 0) << rates.name;
    EXPECT_LT(rates.memory, rates.cache) << rates.name;
  }
}

/// TFLOP/s of 16 bits without sparsity, as the data sheets have them.
TEST(CudaRates, AgreeWithThePeaksOfDataSheets) {
  for (const auto& [name, tflops] : {std::pair{"A100", 312.0},
                                     {"A30", 165.0},
                                     {"A40", 149.7},
                                     {"A10", 125.0},
                                     {"RTX A6000", 154.8},
                                     {"L40S", 362.0},
                                     {"L4", 121.0},
                                     {"RTX 6000 Ada", 364.2}}) {
    const CudaRates& rates = *cuda_rates_of_card(name);
    EXPECT_NEAR(2e-12 * rates.mma_half * rates.clock * rates.multiprocessors, tflops, 0.02 * tflops) << name;
  }
}

TEST(CudaRates, AreNamedByThePlan) {
  CudaMachine h100 = h200;
  h100.rates       = &cuda_rates(90, "NVIDIA H100 80GB HBM3");
  const Call call  = gemm_call({65536, 8, 4096});
  const Plan plan  = plan_of(call, {}, h100);
  EXPECT_STREQ(plan.machine, "H100");
  EXPECT_NE(plan.text().find(" us on an idle H100 (data sheet, not measured)"), std::string::npos) << plan.text();
  EXPECT_NE(plan_of(call).text().find(" us on an idle H200 (measured)"), std::string::npos);
  EXPECT_GT(plan.seconds(), 1.2 * plan_of(call).seconds()) << "memory limits this product";
}

}  // namespace
}  // namespace Tegula::Test
