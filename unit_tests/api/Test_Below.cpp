// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestBelow.hpp"
#include "Tegula_TestFamilies.hpp"

/// dZ and dbias of the layer below for every execution space, layout and scalar: sizes, transposes, activations,
/// updates, omissions.

namespace Tegula::Test {
namespace {

template <class C>
class BelowLayer : public BelowTest<C> {};

TYPED_TEST_SUITE(BelowLayer, AllCases, CaseName);

TYPED_TEST(BelowLayer, IsRightAroundTileEdges) {
  for (const char* family : chosen_and_portable) {
    for (const int m : {1, 7, 64, 133}) {
      for (const int n : {1, 31, 66}) {
        for (const int k : {1, 15, 64, 131}) {
          const GemmBackwardOptions options{.op_a        = this->random_op(),
                                            .op_b        = this->random_op(),
                                            .alpha       = this->random_() % 2 == 0 ? 1 : -0.75,
                                            .dA          = this->random_update(),
                                            .dB          = this->random_update(),
                                            .dbias       = this->random_update(),
                                            .dbias_below = this->random_update(),
                                            .plan        = {.family = family}};
          this->expect_below({m, n, k}, Tanh(), Relu(), options);
          if (this->HasFatalFailure()) return;
        }
      }
    }
  }
}

TYPED_TEST(BelowLayer, IsRightWhereAddressesAreAligned) {
  this->margin_ = TestFixture::Matrix::even_margin;
  for (const GemmShape& shape : {GemmShape{8, 8, 8}, GemmShape{64, 128, 64}, GemmShape{200, 64, 264}}) {
    for (const char* family : chosen_and_portable) {
      this->expect_below(shape, Relu(), Sigmoid(),
                         {.op_a = this->random_op(), .op_b = this->random_op(), .plan = {.family = family}});
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(BelowLayer, AppliesEveryDerivative) {
  const GemmShape shape{66, 65, 33};
  for (const char* family : chosen_and_portable) {
    const GemmBackwardOptions options{.plan = {.family = family}};
    this->expect_below(shape, Identity(), Identity(), options);
    this->expect_below(shape, Identity(), Relu(), options);
    this->expect_below(shape, GeluErf(), LeakyRelu(0.2), options);
    this->expect_below(shape, Identity(), Tanh(), options);
    this->expect_below(shape, Sigmoid(), Sigmoid(), options);
    this->expect_below(shape, Identity(), Silu(), options);
    this->expect_below(shape, Identity(), GeluTanh(), options);
    this->expect_below(shape, Identity(), GeluErf(), options);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(BelowLayer, LeavesOutWhatIsNotAskedFor) {
  for (const char* family : chosen_and_portable) {
    for (const LeftOut& left_out :
         {LeftOut{.dbias_below = true}, LeftOut{true, true, false}, LeftOut{true, true, true}})
      this->expect_below({70, 66, 90}, Sigmoid(), Tanh(), {.plan = {.family = family}}, left_out);
  }
}

TYPED_TEST(BelowLayer, OverwritesOrAccumulates) {
  const Update both[] = {Update::overwrite, Update::accumulate};
  for (const Update dA : both) {
    for (const Update dbias : both) {
      for (const Op op_a : {Op::none, Op::transpose}) {
        this->expect_below({65, 7, 130}, Identity(), Tanh(), {.op_a = op_a, .dA = dA, .dbias_below = dbias});
        this->expect_below({65, 7, 130}, Identity(), Identity(), {.op_a = op_a, .dA = dA, .dbias_below = dbias});
      }
    }
  }
}

TYPED_TEST(BelowLayer, IsRightForVeryTallVeryWideAndVeryDeep) {
  for (const char* family : chosen_and_portable) {
    for (const GemmShape& shape : {GemmShape{3001, 3, 5}, GemmShape{3, 5, 3001}, GemmShape{3, 3001, 5},
                                   GemmShape{1, 1, 1}, GemmShape{997, 1, 1}}) {
      this->expect_below(shape, Relu(), LeakyRelu(0.5), {.plan = {.family = family}});
    }
  }
}

TYPED_TEST(BelowLayer, IsRightForEverySplit) {
  for (const char* family : chosen_and_portable) {
    for (const int split : {2, 3, 1000}) {
      this->expect_below({150, 300, 70}, Relu(), Sigmoid(),
                         {.alpha = 2,
                          .dA    = Update::accumulate,
                          .dbias = Update::accumulate,
                          .plan  = {.family = family, .split_k = split}});
    }
  }
}

// Nothing is added: what dA held is multiplied, if it is kept.
TYPED_TEST(BelowLayer, MultipliesWhatIsThereWithAlphaZero) {
  for (const char* family : chosen_and_portable) {
    for (const Update dA : {Update::overwrite, Update::accumulate})
      this->expect_below({70, 66, 130}, Relu(), Tanh(), {.alpha = 0, .dA = dA, .plan = {.family = family}});
  }
}

TYPED_TEST(BelowLayer, IsRightForEmptyExtents) {
  for (const GemmShape& shape : {GemmShape{0, 5, 7}, GemmShape{5, 0, 7}, GemmShape{5, 7, 0}, GemmShape{0, 0, 7}}) {
    for (const Update update : {Update::overwrite, Update::accumulate}) {
      for (const char* family : chosen_and_portable) {
        this->expect_below(shape, Tanh(), Relu(), {.dA = update, .dbias_below = update, .plan = {.family = family}});
        this->expect_below(shape, Tanh(), Relu(), {.dA = update, .dbias_below = update, .plan = {.family = family}},
                           {true, true, false});
      }
    }
  }
}

}  // namespace
}  // namespace Tegula::Test
