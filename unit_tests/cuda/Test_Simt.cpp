// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaFamily.hpp"

/// The simt family gives what the portable family gives, whatever the shape, the layouts, the transposes, the epilogue,
/// the tile and the split: all are drawn. Needs a GPU of compute capability 8.0 or newer, and is skipped elsewhere.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

struct SimtFacts {
  static constexpr const char* name = "simt";

  // Tiles that there is scratch for.
  static std::vector<TileShape> tiles() {
    const std::vector<TileShape> always{{64, 128, 16}, {128, 64, 16}, {32, 32, 32}, {64, 64, 8},
                                        {64, 32, 8},   {32, 64, 16},  {128, 32, 16}},
        all{{64, 128, 16}, {128, 64, 16}, {64, 64, 32},  {32, 64, 64}, {32, 32, 32}, {64, 64, 8},
            {64, 32, 8},   {32, 64, 16},  {128, 32, 16}, {8, 128, 64}, {128, 8, 64}};
    return cuda_team_scratch() < 160 * 1024 ? always : all;
  }
  // Multiples of the widths of tiles, of their steps along k, and of what a thread copies.
  static std::vector<std::int64_t> edges() { return {4, 8, 16, 32, 48, 64, 72, 96, 128, 136, 192, 256, 264}; }
};

template <class T>
class Simt : public CudaFamily<T, SimtFacts> {};

using SimtTypes = testing::Types<CudaTypes<float, float>>;
TYPED_TEST_SUITE(Simt, SimtTypes, CudaTypesName);

TYPED_TEST(Simt, GemmIsWhatThePortableFamilyComputes) { this->gemm_is_what_the_portable_family_computes(800); }
TYPED_TEST(Simt, GemmBackwardIsWhatThePortableFamilyComputes) {
  this->gemm_backward_is_what_the_portable_family_computes(800);
}
TYPED_TEST(Simt, PropagatesNanThroughRelu) { this->nan_propagates_through_relu(); }
TYPED_TEST(Simt, TakesALineThatIsRepeated) { this->a_line_may_be_repeated(); }
TYPED_TEST(Simt, LeavesTheBiasWhereThereIsNothingToSum) { this->a_sum_of_nothing_is_the_bias(); }
TYPED_TEST(Simt, RefusesATileThatItDoesNotHave) { this->a_tile_that_there_is_not_is_refused(); }

// Large calls in single precision take this family by default on such a device.
TYPED_TEST(Simt, IsTheFamilyForFloat) {
  const Kokkos::View<float**, Kokkos::LayoutRight, Space> A("A", 2048, 2048), C("C", 2048, 2048);
  EXPECT_STREQ(make_plan(Space(), A, A, C).family, "simt");
}

}  // namespace
}  // namespace Tegula::Test
