// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestGradientCalls.hpp"

/// dA, dB and dbias for every execution space, layout and scalar: sizes, transposes, activations, updates, omissions.

namespace Tegula::Test {
namespace {

template <class C>
class GemmBackward : public GradientTest<C> {};

TYPED_TEST_SUITE(GemmBackward, AllCases, CaseName);

TYPED_TEST(GemmBackward, IsRightAroundEveryTileEdge) {
  for (const auto& choice : this->tiles) {
    const TileShape& tile = choice.tile;
    for (const int m : {1, tile.k - 1, tile.m, tile.m + 1, 2 * tile.m + 7}) {
      for (const int n : {1, tile.n - 1, tile.n, tile.n + 1}) {
        for (const int k : {1, tile.k - 1, tile.n, tile.n + 1, 2 * tile.n + 3}) {
          const GemmBackwardOptions options{.op_a  = this->random_op(),
                                            .op_b  = this->random_op(),
                                            .alpha = uniform(this->random_, -2, 2),
                                            .dA    = this->random_update(),
                                            .dB    = this->random_update(),
                                            .dbias = this->random_update(),
                                            .plan  = {.family = "portable", .tile = tile}};
          this->expect_gradients({m, n, k}, Relu(), options);
          if (this->HasFatalFailure()) return;
        }
      }
    }
  }
}

TYPED_TEST(GemmBackward, IsRightWhereAddressesAreAligned) {
  this->margin_ = TestFixture::Matrix::even_margin;
  for (const auto& choice : this->tiles) {
    const TileShape& tile = choice.tile;
    for (const GemmShape& shape : {GemmShape{8, 8, 8}, GemmShape{tile.m, tile.m, tile.n},
                                   GemmShape{2 * tile.m + 8, tile.n + 8, 2 * tile.n + 8}}) {
      this->expect_gradients(
          shape, Tanh(),
          {.op_a = this->random_op(), .op_b = this->random_op(), .plan = {.family = "portable", .tile = tile}});
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(GemmBackward, IsRightForEveryTranspose) {
  for (const Op op_a : {Op::none, Op::transpose}) {
    for (const Op op_b : {Op::none, Op::transpose}) {
      this->expect_gradients({70, 67, 75}, Tanh(), {.op_a = op_a, .op_b = op_b, .alpha = 0.5});
    }
  }
}

TYPED_TEST(GemmBackward, AppliesEveryDerivative) {
  const GemmShape shape{66, 65, 33};
  for (const char* family : chosen_and_portable) {
    const GemmBackwardOptions options{.plan = {.family = family}};
    this->expect_gradients(shape, Identity(), options);
    this->expect_gradients(shape, Relu(), options);
    this->expect_gradients(shape, LeakyRelu(0.2), options);
    this->expect_gradients(shape, Tanh(), options);
    this->expect_gradients(shape, Sigmoid(), options);
    this->expect_gradients(shape, Silu(), options);
    this->expect_gradients(shape, GeluTanh(), options);
    this->expect_gradients(shape, GeluErf(), options);
  }
}

// Near a root, act' is a difference that cancels: dZ keeps few correct digits, and its error is one of dC. For large
// arguments act' is 1, and nothing cancels.
TYPED_TEST(GemmBackward, MeetsItsBoundAtRootsOfTheDerivativeAndFarOut) {
  const GemmShape shape{66, 65, 33};
  const double few_digits = 64 * ScalarTraits<accumulator_t<typename TestFixture::Scalar>>::unit_roundoff;
  this->saved_within_     = few_digits;
  this->saved_near_       = -1.2784645427610738;
  this->expect_gradients(shape, Silu(), {});
  this->saved_near_ = -0.7524614220710162;
  this->expect_gradients(shape, GeluTanh(), {});
  this->saved_near_ = -0.7517915246935645;
  this->expect_gradients(shape, GeluErf(), {});
  this->saved_near_   = 0;
  this->saved_within_ = 40;
  this->expect_gradients(shape, Silu(), {});
  this->saved_within_ = 10;
  this->expect_gradients(shape, GeluTanh(), {});
  this->expect_gradients(shape, GeluErf(), {});
}

TYPED_TEST(GemmBackward, LeavesOutWhatIsNotAskedFor) {
  for (int subset = 0; subset < 8; ++subset) {
    const Wanted wanted{(subset & 1) != 0, (subset & 2) != 0, (subset & 4) != 0};
    for (const int split_k : {1, 3})
      this->expect_gradients({70, 66, 300}, Sigmoid(), {.dB = Update::accumulate, .plan = {.split_k = split_k}}, wanted,
                             WantedGradients());
  }
}

TYPED_TEST(GemmBackward, OverwritesOrAccumulatesEachGradient) {
  const Update both[] = {Update::overwrite, Update::accumulate};
  for (const Update dA : both) {
    for (const Update dB : both) {
      for (const Update dbias : both) {
        this->expect_gradients({65, 7, 130}, Identity(), {.dA = dA, .dB = dB, .dbias = dbias});
      }
    }
  }
}

TYPED_TEST(GemmBackward, IsRightForVeryTallVeryWideAndVeryDeep) {
  for (const GemmShape& shape : {GemmShape{3001, 3, 5}, GemmShape{3, 3001, 5}, GemmShape{3, 5, 3001},
                                 GemmShape{1, 1, 1}, GemmShape{997, 1, 1}}) {
    this->expect_gradients(shape, Relu(), {});
  }
}

// The portable family splits both products of gemm_backward, on a host as on a device.
TYPED_TEST(GemmBackward, IsRightForEverySplit) {
  for (const char* family : chosen_and_portable) {
    for (const int split : {2, 3, 1000}) {
      this->expect_gradients({300, 200, 70}, Relu(),
                             {.alpha = 2,
                              .dA    = Update::accumulate,
                              .dbias = Update::accumulate,
                              .plan  = {.family = family, .split_k = split}});
    }
  }
}

// Zero is added: what a gradient held stays, whatever the operands are.
TYPED_TEST(GemmBackward, AddsNothingWithAlphaZero) {
  for (const char* family : chosen_and_portable) {
    for (const int split : {1, 3}) {
      this->expect_gradients({70, 66, 130}, Relu(),
                             {.alpha = 0,
                              .dA    = Update::accumulate,
                              .dB    = Update::accumulate,
                              .dbias = Update::accumulate,
                              .plan  = {.family = family, .split_k = split}});
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
