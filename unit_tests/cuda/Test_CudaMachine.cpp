// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula.hpp>
#include <fstream>

#include "Tegula_UseMachine.hpp"
#include "cuda/Tegula_CudaMachine.hpp"
#include "cuda/Tegula_CudaRecord.hpp"

/// Calls on a GPU of NVIDIA are planned by the record that is in use. Needs compute capability 8.0 or newer, and is
/// skipped elsewhere.

namespace Tegula::Test {
namespace {

using Impl::CudaRates;

class CudaMachineOfTheDevice : public testing::Test {
 protected:
  using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::Cuda>;

  void SetUp() override {
    use_machine("");
    if (exec_.cuda_device_prop().major < 8) GTEST_SKIP() << "needs a GPU of compute capability 8.0 or newer";
  }
  void TearDown() override { use_machine(""); }

  int capability() const { return 10 * exec_.cuda_device_prop().major + exec_.cuda_device_prop().minor; }
  const CudaRates& library() const { return *Impl::cuda_machine(exec_).rates; }

  /// A file with the library's record, but for its name and its capability.
  std::string file_of(int capability) const {
    CudaRates rates        = library();
    rates.name             = "mine";
    rates.capability       = capability;
    rates.kernel           = 1e-4;
    const std::string file = testing::TempDir() + "tegula_cuda_machine.txt";
    std::ofstream(file) << Impl::text(rates);
    return file;
  }

  const Kokkos::Cuda exec_;
  const Matrix A_{"A", 64, 64}, C_{"C", 64, 64};
};

TEST_F(CudaMachineOfTheDevice, IsTheLibrarysRecordForItsName) {
  EXPECT_EQ(&library(), &Impl::cuda_rates(capability(), exec_.cuda_device_prop().name));
  EXPECT_STREQ(make_plan(exec_, A_, A_, C_).machine, library().name.c_str());
}

TEST_F(CudaMachineOfTheDevice, IsTheRecordThatIsAskedFor) {
  gemm(exec_, A_, A_, C_);  // is planned, and remembered
  use_machine(file_of(capability()));
  const Plan plan = make_plan(exec_, A_, A_, C_);
  EXPECT_STREQ(plan.machine, "mine");
  EXPECT_GT(plan.seconds(), 1e-4);
  gemm(exec_, A_, A_, C_);
  gemm(exec_, plan, A_, A_, C_);
  exec_.fence();
}

TEST_F(CudaMachineOfTheDevice, IsNoRecordOfAnotherArchitecture) {
  use_machine(file_of(capability() == 80 ? 86 : 80));
  Kokkos::deep_copy(C_, 7.0f);
  EXPECT_THROW(gemm(exec_, A_, A_, C_), std::invalid_argument);
  const auto C = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C_);
  EXPECT_EQ(C(0, 0), 7);
}

}  // namespace
}  // namespace Tegula::Test
