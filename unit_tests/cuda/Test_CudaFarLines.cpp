// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestFarLines.hpp"

/// Matrices whose rows lie so far apart that no tensor map can describe them: families that fetch by TMA copy such an
/// operand first. Where a call throws, nothing has been written: all that can fail is made ready before the first
/// kernel. And results whose rows an index of 32 bits cannot tell apart.

namespace Tegula::Test {
namespace {

template <class T>
struct Way {
  using Element = T;
  const char* family;
  Compute compute;
};

template <class T>
void gradients_are_right_or_untouched(const Way<T>& way) {
  needs_family(way.family);
  if (testing::Test::IsSkipped()) return;
  using Space              = Kokkos::Cuda;
  using Matrix             = Kokkos::View<T**, Kokkos::LayoutRight, Space>;
  constexpr std::int64_t m = 2, n = 64, k = 256, pitch = (std::int64_t(1) << 40) / sizeof(T);
  const FarLines lines(std::size_t(pitch) * sizeof(T));
  const Kokkos::View<T**, Kokkos::LayoutStride, Space> A(static_cast<T*>(lines.data()),
                                                         Kokkos::LayoutStride(m, pitch, k, 1));
  const Matrix B("B", k, n), dC("dC", m, n), dA("dA", m, k), dB("dB", k, n);
  const Kokkos::View<T*, Space> dbias("dbias", n);
  Kokkos::deep_copy(A, T(0.5f));
  Kokkos::deep_copy(B, T(0.25f));
  Kokkos::deep_copy(dC, T(2.0f));
  const T poison(-7.0f);
  for (const Matrix& result : {dA, dB}) Kokkos::deep_copy(result, poison);
  Kokkos::deep_copy(dbias, poison);

  bool threw = false;
  try {
    gemm_backward(Space(), dC, A, B, none, dA, dB, dbias, Identity(),
                  {.compute = way.compute, .plan = {.family = way.family}});
  } catch (const std::exception& error) {
    threw = true;
    ADD_FAILURE() << error.what();
  }
  Kokkos::fence();
  const auto all_are = [&](const auto& view, float value) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    for (std::size_t e = 0; e < host.span(); ++e)
      if (static_cast<float>(host.data()[e]) != value) return false;
    return true;
  };
  EXPECT_TRUE(all_are(dA, threw ? -7 : n * 2 * 0.25f)) << way.family;
  EXPECT_TRUE(all_are(dB, threw ? -7 : m * 2 * 0.5f)) << way.family;
  EXPECT_TRUE(all_are(dbias, threw ? -7 : m * 2)) << way.family;
}

/// C = A B, where the rows of C lie so far apart that in 32 bits they are the same one.
template <class T>
void a_product_is_right(const Way<T>& way, std::int64_t n = 16) {
  needs_family(way.family);
  if (testing::Test::IsSkipped()) return;
  using Space              = Kokkos::Cuda;
  using Matrix             = Kokkos::View<T**, Kokkos::LayoutRight, Space>;
  constexpr std::int64_t m = 40, k = 64, pitch = std::int64_t(1) << 32;
  const FarLines lines(std::size_t(pitch) * sizeof(T), m);
  const Kokkos::View<T**, Kokkos::LayoutStride, Space> C(static_cast<T*>(lines.data()),
                                                         Kokkos::LayoutStride(m, pitch, n, 1));
  const Matrix A("A", m, k), B("B", k, n), near("near", m, n);
  Kokkos::deep_copy(A, T(0.5f));
  Kokkos::deep_copy(B, T(0.25f));
  Kokkos::deep_copy(C, T(-7.0f));
  gemm(Space(), A, B, C, {}, {.compute = way.compute, .plan = {.family = way.family}});
  Kokkos::deep_copy(near, C);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), near);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      ASSERT_EQ(static_cast<float>(host(i, j)), k * 0.5f * 0.25f) << way.family << " at " << i << ", " << j;
}

TEST(CudaFarResults, Wgmma) { a_product_is_right(Way<bhalf_t>{"wgmma", Compute::native}); }
TEST(CudaFarResults, Mma) { a_product_is_right(Way<bhalf_t>{"mma", Compute::native}); }
TEST(CudaFarResults, MmaOfDouble) { a_product_is_right(Way<double>{"mma", Compute::native}); }
TEST(CudaFarResults, MmaOfFloat) { a_product_is_right(Way<float>{"mma", Compute::tf32}); }
TEST(CudaFarResults, Simt) { a_product_is_right(Way<float>{"simt", Compute::native}); }
TEST(CudaFarResults, Tf32) { a_product_is_right(Way<float>{"tf32", Compute::tf32}); }
TEST(CudaFarResults, Tf32x3) { a_product_is_right(Way<float>{"tf32x3", Compute::fp32_split}); }
TEST(CudaFarResults, Fp32Split) { a_product_is_right(Way<float>{"fp32_split", Compute::fp32_split}); }
TEST(CudaFarResults, Gemv) { a_product_is_right(Way<float>{"gemv", Compute::native}, 8); }
TEST(CudaFarResults, GemvOfDouble) { a_product_is_right(Way<double>{"gemv", Compute::native}, 8); }
TEST(CudaFarResults, Panel) { a_product_is_right(Way<double>{"panel", Compute::native}); }
// Whose long side is that of the columns, then.
TEST(CudaFarResults, Stream) { a_product_is_right(Way<bhalf_t>{"stream", Compute::native}, 64); }
TEST(CudaFarResults, Portable) { a_product_is_right(Way<double>{"portable", Compute::native}); }

TEST(CudaFarLines, Wgmma) { gradients_are_right_or_untouched(Way<bhalf_t>{"wgmma", Compute::native}); }
TEST(CudaFarLines, Mma) { gradients_are_right_or_untouched(Way<bhalf_t>{"mma", Compute::native}); }
TEST(CudaFarLines, Tf32) { gradients_are_right_or_untouched(Way<float>{"tf32", Compute::tf32}); }
TEST(CudaFarLines, Tf32x3) { gradients_are_right_or_untouched(Way<float>{"tf32x3", Compute::fp32_split}); }
TEST(CudaFarLines, Fp32Split) { gradients_are_right_or_untouched(Way<float>{"fp32_split", Compute::fp32_split}); }
TEST(CudaFarLines, MmaOfDouble) { gradients_are_right_or_untouched(Way<double>{"mma", Compute::native}); }
TEST(CudaFarLines, MmaOfFloat) { gradients_are_right_or_untouched(Way<float>{"mma", Compute::tf32}); }
TEST(CudaFarLines, Portable) { gradients_are_right_or_untouched(Way<double>{"portable", Compute::native}); }

}  // namespace
}  // namespace Tegula::Test
