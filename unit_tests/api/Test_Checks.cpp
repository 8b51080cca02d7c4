// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula_FamilyRefusal.hpp>
#include <array>
#include <string>

#include "Tegula_TestMatrix.hpp"
#include "Tegula_TestTypes.hpp"

/// Wrong arguments throw std::invalid_argument with a message that says which, before anything is written.

namespace Tegula::Test {
namespace {

#if TEGULA_HAS_WGMMA
constexpr bool kernels_are_built = true;
#else
constexpr bool kernels_are_built = false;
#endif

template <class C>
class Checks : public testing::Test {
 protected:
  using Space  = typename C::Space;
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, typename Space::memory_space>;
  using Vector = Kokkos::View<double*, typename Space::memory_space>;

  // The call must throw a message that has all the parts, and leave the canary alone.
  template <class Call>
  void expect_error(const std::vector<std::string>& parts, const Call& call) {
    Kokkos::deep_copy(canary_, 42.0);
    try {
      call();
      FAIL() << "no exception";
    } catch (const std::invalid_argument& error) {
      for (const std::string& part : parts) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
            << '"' << part << "\" is not in: " << error.what();
      }
    }
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), canary_);
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      for (std::size_t j = 0; j < host.extent(1); ++j) ASSERT_EQ(host(i, j), 42.0);
    }
  }

  Space exec_;
  Matrix A_{"A", 15, 12}, B_{"B", 12, 9}, canary_{"canary", 15, 9};
};

TYPED_TEST_SUITE(Checks, SpaceCases, CaseName);

TYPED_TEST(Checks, NamesTheCallEveryArgumentAndItsExtents) {
  typename TestFixture::Matrix B("wrong", 13, 9);
  this->expect_error(
      {"Tegula::gemm:", "op(A) is 15x12", "op(B) is 13x9", "C is 15x9", "A = \"A\": f64 15x12, strides 12 1",
       "B = \"wrong\": f64 13x9, strides 9 1", "C = \"canary\": f64 15x9"},
      [&] { gemm(this->exec_, this->A_, B, this->canary_); });
}

TYPED_TEST(Checks, SeesExtentsThroughTransposes) {
  this->expect_error({"op(A) is 12x15", "op(B) is 12x9"},
                     [&] { gemm(this->exec_, this->A_, this->B_, this->canary_, {}, {.op_a = Op::transpose}); });
  this->expect_error({"op(A) is 15x12", "op(B) is 9x12"},
                     [&] { gemm(this->exec_, this->A_, this->B_, this->canary_, {}, {.op_b = Op::transpose}); });
}

TYPED_TEST(Checks, RefusesAWrongResult) {
  typename TestFixture::Matrix rows("rows", 14, 9), columns("columns", 15, 8);
  this->expect_error({"C is 14x9"}, [&] { gemm(this->exec_, this->A_, this->B_, rows); });
  this->expect_error({"C is 15x8"}, [&] { gemm(this->exec_, this->A_, this->B_, columns); });
}

TYPED_TEST(Checks, RefusesAWrongEpilogue) {
  typename TestFixture::Vector bias("short", 8);
  typename TestFixture::Matrix Z("Z", 9, 15);
  this->expect_error({"the bias has 8 entries for 9 columns", "bias = \"short\": f64 8, stride 1"},
                     [&] { gemm(this->exec_, this->A_, this->B_, this->canary_, Epilogue(Identity(), bias)); });
  this->expect_error({"the pre-activation is 9x15, C is 15x9"},
                     [&] { gemm(this->exec_, this->A_, this->B_, this->canary_, Epilogue(Identity(), none, Z)); });
}

TYPED_TEST(Checks, RefusesOverlap) {
  typename TestFixture::Matrix square("square", 9, 9);
  this->expect_error({"A and C overlap"}, [&] { gemm(this->exec_, square, square, square); });
  this->expect_error({"C and pre-activation overlap"}, [&] {
    gemm(this->exec_, this->A_, this->B_, this->canary_, Epilogue(Identity(), none, this->canary_));
  });
  const auto bias = Kokkos::subview(this->canary_, 3, Kokkos::ALL());
  this->expect_error({"C and bias overlap"},
                     [&] { gemm(this->exec_, this->A_, this->B_, this->canary_, Epilogue(Identity(), bias)); });
}

TYPED_TEST(Checks, RefusesBlocksThatShareOneElement) {
  typename TestFixture::Matrix whole("whole", 20, 20);
  const auto block = [&](int row, int column) {
    return Kokkos::subview(whole, std::make_pair(row, row + 8), std::make_pair(column, column + 8));
  };
  gemm(this->exec_, block(0, 0), block(0, 0), block(8, 0));
  gemm(this->exec_, block(0, 0), block(0, 0), block(0, 8));
  gemm(this->exec_, block(0, 8), block(0, 8), block(8, 0));
  gemm(this->exec_, block(8, 8), block(8, 8), block(0, 0));
  gemm(this->exec_, block(1, 12), block(1, 12), block(2, 4));
  this->expect_error({"A and C overlap"}, [&] { gemm(this->exec_, block(0, 0), block(0, 0), block(7, 7)); });
  this->expect_error({"A and C overlap"}, [&] { gemm(this->exec_, block(7, 0), block(7, 0), block(0, 7)); });
  this->expect_error({"A and C overlap"}, [&] { gemm(this->exec_, block(5, 5), block(5, 5), block(5, 5)); });
}

// Weights and bias kept as one matrix of one row more: legal in every layout, though their addresses interleave.
template <class Space, class Layout>
void expect_weights_beside_their_bias() {
  const Kokkos::View<double**, Layout, typename Space::memory_space> W("W", 13, 9), dW("dW", 13, 9), X("X", 15, 12),
      Y("Y", 15, 9);
  const auto weights = [](const auto& matrix) { return Kokkos::subview(matrix, std::make_pair(0, 12), Kokkos::ALL()); };
  const auto bias    = [](const auto& matrix) { return Kokkos::subview(matrix, 12, Kokkos::ALL()); };
  gemm(Space(), X, weights(W), Y, Epilogue(Relu(), bias(W)));
  gemm_backward(Space(), Y, X, weights(W), Output(Y), none, weights(dW), bias(dW), Relu());
  EXPECT_THROW(gemm_backward(Space(), Y, X, weights(W), Output(Y), none, weights(dW),
                             Kokkos::subview(dW, 11, Kokkos::ALL()), Relu()),
               std::invalid_argument);
  const auto column = Kokkos::subview(Y, Kokkos::ALL(), 3);
  EXPECT_THROW(gemm(Space(), X, weights(W), Y, Epilogue(Relu(), Kokkos::subview(column, std::make_pair(0, 9)))),
               std::invalid_argument);
}

TYPED_TEST(Checks, LetWeightsLieBesideTheirBias) {
  expect_weights_beside_their_bias<typename TestFixture::Space, Kokkos::LayoutRight>();
  expect_weights_beside_their_bias<typename TestFixture::Space, Kokkos::LayoutLeft>();
}

TYPED_TEST(Checks, RefusesAResultThatOverlapsItself) {
  const typename TestFixture::Vector storage("storage", 200);
  using Strided = Kokkos::View<double**, Kokkos::LayoutStride, typename TestFixture::Space::memory_space>;
  const Strided repeated(storage.data(), Kokkos::LayoutStride(15, 0, 9, 1));
  const Strided crossing(storage.data(), Kokkos::LayoutStride(15, 8, 9, 1));
  const char* message = "two elements of the output C lie at one address";
  this->expect_error({message}, [&] { gemm(this->exec_, this->A_, this->B_, repeated); });
  this->expect_error({message}, [&] { gemm(this->exec_, this->A_, this->B_, crossing); });
}

// Parts of one array whose addresses interleave without meeting: real and imaginary parts, even and odd columns, even
// and odd rows. No stride of theirs need be 1. One element later, they do meet.
template <class Space>
void expect_interleaved_parts(std::size_t row_stride, std::size_t column_stride, std::size_t distance) {
  const Kokkos::View<double*, typename Space::memory_space> storage("storage", 4000);
  const auto part = [&](std::size_t begin) {
    return Kokkos::View<double**, Kokkos::LayoutStride, typename Space::memory_space>(
        storage.data() + begin, Kokkos::LayoutStride(9, row_stride, 9, column_stride));
  };
  const Kokkos::View<double**, typename Space::memory_space> B("B", 9, 9);
  EXPECT_NO_THROW(gemm(Space(), part(0), B, part(distance)));
  EXPECT_NO_THROW(gemm(Space(), part(distance), B, part(0)));
  EXPECT_NO_THROW(gemm(Space(), B, B, part(0), Epilogue(Relu(), none, part(distance))));
  EXPECT_NO_THROW(gemm_backward(Space(), part(0), B, B, none, part(distance), none, none));
  EXPECT_THROW(gemm(Space(), part(0), B, part(2 * distance)), std::invalid_argument);
  EXPECT_THROW(gemm(Space(), part(2 * distance), B, part(0)), std::invalid_argument);
}

TYPED_TEST(Checks, LetInterleavedPartsOfOneArrayBe) {
  using Space = typename TestFixture::Space;
  expect_interleaved_parts<Space>(2 * 13, 2, 1);       // real and imaginary parts by rows
  expect_interleaved_parts<Space>(2, 2 * 13, 1);       // by columns
  expect_interleaved_parts<Space>(26 + 1, 2, 1);       // even and odd columns, by rows of an odd length
  expect_interleaved_parts<Space>(1, 2 * 26, 26);      // by columns
  expect_interleaved_parts<Space>(2 * 26, 1, 26);      // even and odd rows, by rows
  expect_interleaved_parts<Space>(2, 26 + 1, 1);       // by columns of an odd length
  expect_interleaved_parts<Space>(2 * 3 * 26, 3, 78);  // even and odd rows of every third column
}

TYPED_TEST(Checks, LetAResultBeAnyElementsOfItsOwn) {
  const typename TestFixture::Vector storage("storage", 6);
  const Kokkos::View<double**, Kokkos::LayoutStride, typename TestFixture::Space::memory_space> crosswise(
      storage.data(), Kokkos::LayoutStride(2, 2, 2, 3));
  const typename TestFixture::Matrix A("A", 2, 2);
  EXPECT_NO_THROW(gemm(this->exec_, A, A, crosswise));
}

TYPED_TEST(Checks, RefusesExtentsWithoutData) {
  const Kokkos::View<double**, Kokkos::LayoutRight, typename TestFixture::Space::memory_space,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      nothing(static_cast<double*>(nullptr), 12, 9);
  this->expect_error({"B has extents but no data"}, [&] { gemm(this->exec_, this->A_, nothing, this->canary_); });
}

TYPED_TEST(Checks, RefusesPlansThatCannotBeHad) {
  const auto with = [&](const PlanOptions& plan) {
    return [this, plan] { gemm(this->exec_, this->A_, this->B_, this->canary_, {}, {.plan = plan}); };
  };
  this->expect_error({"no kernel family named \"fast\"; there are host, ", ", wgmma, ", ", portable\n"},
                     with({.family = "fast"}));
  this->expect_error({"no kernel family named \"" + std::string(300, 'x') + "\"; there are"},
                     with({.family = std::string(300, 'x')}));
  this->expect_error({"the portable family has no tile 1x2x3, only"}, with({.family = "portable", .tile = {1, 2, 3}}));
  this->expect_error({"plan option group is -1"}, with({.family = "portable", .group = -1}));
  this->expect_error({"plan option split_k is -2"}, with({.family = "portable", .split_k = -2}));
}

// gemv takes eight rows or columns of double, fp32_split floats.
TYPED_TEST(Checks, SayWhyAFamilyDoesNotTakeACall) {
  const typename TestFixture::Matrix A("A", 17, 12), B("B", 12, 17), C("C", 17, 17);
  const auto expect_reason = [&](const std::string& family, const char* on_cuda) {
    const std::string space  = TestFixture::Space::name();
    const std::string reason = !kernels_are_built ? "its kernels are not in this build"
                               : space == "Cuda"  ? on_cuda
                                                  : ", on Cuda\n";
    this->expect_error({"no kernel family named \"" + family + "\" takes this call on " + space + ": ", reason},
                       [&] { gemm(this->exec_, A, B, C, {}, {.plan = {.family = family}}); });
  };
  expect_reason("gemv", "both m and n are larger than 8");
  expect_reason("fp32_split", "it takes float throughout");
}

TYPED_TEST(Checks, ListEveryFamilysReasonWhereNoneIsNamed) {
  const std::array refusals{Impl::FamilyRefusal{"one", "it is old"}, Impl::FamilyRefusal{"two", "it is new"}};
  try {
    Impl::fail_without_family(Impl::ArgumentList("gemm"), "", "Somewhere", refusals);
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "Tegula::gemm: no kernel family takes this call on Somewhere\n  family one: it is old\n"
                 "  family two: it is new");
  }
}

TYPED_TEST(Checks, KnowAFamilyWhoseNameWasKeptByTheOptionsAlone) {
  std::string name = "portable";
  const GemmOptions options{.plan = {.family = name}};
  name = "a family of another name";
  EXPECT_EQ(options.plan.family, "portable");
}

TYPED_TEST(Checks, RefusesAWorkspaceThatIsTooSmallOrOverlaps) {
  typename TestFixture::Matrix A("A", 15, 1000), B("B", 1000, 9);
  const GemmOptions options{.plan = {.family = "portable", .split_k = 2}};
  const std::size_t bytes = workspace_bytes(this->exec_, A, B, this->canary_, {}, options);
  ASSERT_EQ(bytes, 2 * 15 * 9 * sizeof(double) + 16) << "two slices of sums, rounded up to 64 bytes";
  Kokkos::View<char*, typename TestFixture::Space::memory_space> small("small", bytes - 1), large("large", bytes + 64);
  this->expect_error(
      {"the workspace has " + std::to_string(bytes - 1) + " bytes, the plan needs " + std::to_string(bytes),
       "workspace = \"small\": byte"},
      [&] { gemm(this->exec_, A, B, this->canary_, {}, options, small); });
  this->expect_error({"the workspace is not aligned"}, [&] {
    gemm(this->exec_, A, B, this->canary_, {}, options,
         Kokkos::subview(large, std::make_pair(std::size_t(1), bytes + 64)));
  });
  const Kokkos::View<char*, typename TestFixture::Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> a_bytes(
      reinterpret_cast<char*>(A.data()), bytes);
  this->expect_error({"A and workspace overlap"},
                     [&] { gemm(this->exec_, A, B, this->canary_, {}, options, a_bytes); });
}

TYPED_TEST(Checks, CoverTheGradients) {
  typename TestFixture::Matrix dA("dA", 15, 12), dB("dB", 12, 9), wrong("wrong", 5, 5);
  typename TestFixture::Vector dbias("dbias", 9), shorter("shorter", 7);
  const auto& dC = this->canary_;
  const Output saved(this->canary_), small(wrong);
  this->expect_error({"Tegula::gemm_backward:", "op(A) is 15x12, op(B) is 12x9, dC is 5x5"},
                     [&] { gemm_backward(this->exec_, wrong, this->A_, this->B_, small, dA, dB, dbias, Relu()); });
  this->expect_error({"saved is 5x5, dC is 15x9"},
                     [&] { gemm_backward(this->exec_, dC, this->A_, this->B_, small, dA, dB, dbias, Relu()); });
  // A derivative that takes nothing goes with any of them, and what it is given is an argument like any other.
  this->expect_error({"saved is 5x5, dC is 15x9", "saved = \"wrong\": f64 5x5, strides 5 1"}, [&] {
    gemm_backward(this->exec_, dC, this->A_, this->B_, PreActivation(wrong), dA, dB, dbias, Identity());
  });
  const Output part(Kokkos::subview(dA, Kokkos::ALL(), std::make_pair(0, 9)));
  this->expect_error({"saved and dA overlap"},
                     [&] { gemm_backward(this->exec_, dC, this->A_, this->B_, part, dA, dB, dbias, Identity()); });
  this->expect_error({"op(dA) is 5x5, op(A) is 15x12"},
                     [&] { gemm_backward(this->exec_, dC, this->A_, this->B_, saved, wrong, dB, dbias, Relu()); });
  this->expect_error({"op(dB) is 5x5, op(B) is 12x9"},
                     [&] { gemm_backward(this->exec_, dC, this->A_, this->B_, saved, dA, wrong, dbias, Relu()); });
  this->expect_error({"dbias has 7 entries for 9 columns"},
                     [&] { gemm_backward(this->exec_, dC, this->A_, this->B_, saved, dA, dB, shorter, Relu()); });
  this->expect_error({"A and dA overlap"},
                     [&] { gemm_backward(this->exec_, dC, this->A_, this->B_, saved, this->A_, dB, dbias, Relu()); });
}

#ifdef KOKKOS_ENABLE_CUDA
TEST(Cuda_Checks, RefuseMemoryThatTheDeviceCannotReach) {
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> A("on the host", 4, 4);
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace> B("B", 4, 4), C("C", 4, 4);
  EXPECT_THROW(gemm(Kokkos::Cuda(), A, B, C), std::invalid_argument);
}
#endif

}  // namespace
}  // namespace Tegula::Test
