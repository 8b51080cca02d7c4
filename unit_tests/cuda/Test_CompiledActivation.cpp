// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCompiledActivations.hpp"
#include "Tegula_TestCudaFamily.hpp"
#include "cuda/mma/Tegula_MmaConfig.hpp"
#include "cuda/simt/Tegula_SimtConfig.hpp"
#include "cuda/wgmma/Tegula_WgmmaConfig.hpp"

/// The kernels that tegula_add_activation compiles give what the portable family gives with the same activation,
/// whatever the shape, the layouts, the transposes, the epilogue, the tile and the split, and no pass finishes their
/// results. Needs a GPU of compute capability 8.0 or newer, for wgmma a Hopper GPU, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

// Tiles of a family that there is scratch for.
template <class Configs>
std::vector<TileShape> tiles_of() {
  std::vector<TileShape> tiles;
  for (const Impl::ConfigChoice& choice : Impl::choices_of(Configs()))
    if (choice.scratch_bytes <= cuda_team_scratch()) tiles.push_back(choice.tile);
  return tiles;
}

struct Edges {
  static std::vector<std::int64_t> edges() { return {8, 16, 32, 56, 64, 72, 120, 128, 136, 192, 256, 264}; }
};
template <class Input>
struct Mma : Edges {
  static constexpr const char* name = "mma";
  static auto tiles() { return tiles_of<Impl::MmaConfigsOf<Impl::bits_t<Input>>>(); }
};
struct Wgmma : Edges {
  static constexpr const char* name = "wgmma";
  static auto tiles() { return tiles_of<Impl::WgmmaConfigs>(); }
  static bool stores_once(const TileShape& tile) { return !Impl::overlaps(tile); }
};
struct Simt : Edges {
  static constexpr const char* name = "simt";
  static auto tiles() { return tiles_of<Impl::SimtConfigs>(); }
};

template <class FamilyFacts, class Input, class Output = Input>
struct FamilyTypes : CudaTypes<Input, Output> {
  using Family = FamilyFacts;
};

struct FamilyTypesName {
  template <class T>
  static std::string GetName(int) {
    return std::string(T::Family::name) + '_' + CudaTypesName::GetName<T>(0);
  }
};

template <class T>
class CompiledActivation : public CudaFamily<T, typename T::Family> {
 protected:
  using Input  = typename T::Input;
  using Output = typename T::Output;

  // Whether a call is planned without a pass for the activation. With results of 16 bits that are not aligned, storing
  // float and a pass may be predicted to be faster.
  bool needs_no_pass(const CudaGemmTrial<Input, Output>& trial, const CompiledBend& activation) {
    const Plan plan =
        make_plan(Space(), trial.A.view(), trial.B.view(), trial.C.view(), Epilogue(activation), trial.options);
    EXPECT_STREQ(plan.family, T::Family::name);
    EXPECT_TRUE(sizeof(Output) == 2 || !plan.products[0].passes.finishes) << plan.text();
    return !plan.products[0].passes.finishes;
  }
};

using AllTypes = testing::Types<FamilyTypes<Mma<bhalf_t>, bhalf_t>, FamilyTypes<Mma<half_t>, half_t, float>,
                                FamilyTypes<Mma<double>, double>, FamilyTypes<Simt, float>,
                                FamilyTypes<Wgmma, bhalf_t, float>, FamilyTypes<Wgmma, half_t>>;
TYPED_TEST_SUITE(CompiledActivation, AllTypes, FamilyTypesName);

TYPED_TEST(CompiledActivation, IsWhatThePortableFamilyComputes) {
  constexpr int trials = 300;
  int compiled         = 0;
  this->gemm_is_what_the_portable_family_computes(trials, [&](const auto& trial) {
    const CompiledBend activation(0.11 * static_cast<double>(trial.number % 9) - 0.4);
    compiled += this->needs_no_pass(trial, activation) ? 1 : 0;
    trial.run(activation);
  });
  EXPECT_GT(compiled, trials / 2);
}

/// Without options: a square product of dense rows.
template <class Input>
Plan plan_of(std::int64_t m, std::int64_t n, std::int64_t k) {
  const Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", m, k), B("B", k, n), C("C", m, n);
  return make_plan(Space(), A, B, C, Epilogue(CompiledBend(0.5)));
}

TEST(CompiledActivationPlan, NeedsNoPassWhereItsKernelsAreTheFastest) {
  needs_family("mma");
  EXPECT_FALSE(plan_of<bhalf_t>(1024, 1024, 1024).products[0].passes.finishes);
  EXPECT_FALSE(plan_of<half_t>(512, 512, 512).products[0].passes.finishes);
  EXPECT_FALSE(plan_of<float>(1024, 1024, 1024).products[0].passes.finishes);
  EXPECT_FALSE(plan_of<double>(1024, 1024, 1024).products[0].passes.finishes);
}

TEST(CompiledActivationPlan, KeepsThePassWhereAnotherFamilyIsTheFastest) {
  needs_family("stream");
  const Plan plan = plan_of<float>(1000000, 7, 7);
  EXPECT_STREQ(plan.family, "stream");
  EXPECT_TRUE(plan.products[0].passes.finishes);
}

/// max |C - act(A A)| of an activation that is compiled for double alone, by a family that has kernels of it.
template <class Input>
double error_of_double_compiled(const char* family, bool finishes) {
  constexpr int n = 128;
  const Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", n, n), C("C", n, n);
  const auto a = Kokkos::create_mirror_view(A);
  for (int i = 0; i < n; ++i) a(i, (i * 5 + 3) % n) = static_cast<Input>((i % 7 - 3) * 0.5);
  Kokkos::deep_copy(A, a);
  const Epilogue epilogue(DoubleCompiledBend(0.25));
  const GemmOptions options{.plan = {.family = family}};
  EXPECT_EQ(make_plan(Space(), A, A, C, epilogue, options).products[0].passes.finishes, finishes);
  gemm(Space(), A, A, C, epilogue, options);
  const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
  double error = 0;
  for (int i = 0; i < n; ++i) {
    const int p = (i * 5 + 3) % n, j = (p * 5 + 3) % n;
    error = std::max(error, std::abs(static_cast<double>(c(i, j)) -
                                     DoubleCompiledBend(0.25)(static_cast<double>(a(i, p) * a(p, j)))));
  }
  return error;
}

TEST(CompiledActivationPlan, IsFinishedByAPassInTypesThatItIsNotCompiledFor) {
  needs_family("mma");
  EXPECT_LE(error_of_double_compiled<float>("simt", true), 1e-6);
  EXPECT_LE(error_of_double_compiled<double>("mma", false), 1e-15);
}

}  // namespace
}  // namespace Tegula::Test
