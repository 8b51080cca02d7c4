// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Tegula.hpp>

#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestRandom.hpp"

/// Few slices are added by threads that have a run of elements each, where lines are whole vectors; of many slices
/// several threads share an element. All numbers are small integers, so that sums are exact, and a product has the same
/// bits however its inner dimension is cut.

namespace Tegula::Test {
namespace {

using Space = Kokkos::Cuda;

template <class T, class Layout = Kokkos::LayoutRight>
using Matrix = Kokkos::View<T**, Layout, Space>;

template <class View>
void draw(Random& random, const View& view) {
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t e = 0; e < host.span(); ++e)
    host.data()[e] = static_cast<typename View::non_const_value_type>(static_cast<int>(random() % 5) - 2);
  Kokkos::deep_copy(view, host);
}

template <class View>
std::vector<double> values_of(const View& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  std::vector<double> values(host.span());
  for (std::size_t e = 0; e < values.size(); ++e) values[e] = static_cast<double>(host.data()[e]);
  return values;
}

class CudaSlices : public testing::Test {
 protected:
  // C, and Z if there is one, of `parts` parts of the inner dimension are those of one part.
  template <class T, class Layout>
  void expect_same(const std::string& family, std::int64_t m, std::int64_t n, double beta, bool has_Z) {
    needs_family(family);
    if (IsSkipped()) return;
    const std::int64_t k = 9 * 64;
    const Matrix<T> A("A", m, k), B("B", k, n);
    const Matrix<T, Layout> before("before", m, n);
    const Kokkos::View<T*, Space> bias("bias", n);
    draw(random_, A), draw(random_, B), draw(random_, before), draw(random_, bias);
    std::vector<double> C_of_one, Z_of_one;
    for (const int parts : {1, 2, 4, 5, 9}) {
      const Matrix<T, Layout> C("C", m, n);
      const Matrix<T> Z("Z", has_Z ? m : 0, has_Z ? n : 0);
      Kokkos::deep_copy(Z, static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
      if (beta == 0)
        Kokkos::deep_copy(C, static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
      else
        Kokkos::deep_copy(C, before);
      const GemmOptions options{.alpha = 0.5, .beta = beta, .plan = {.family = family, .split_k = parts}};
      has_Z ? gemm(Space(), A, B, C, Epilogue(Relu(), bias, Z), options)
            : gemm(Space(), A, B, C, Epilogue(Relu(), bias), options);
      const auto values = values_of(C), arguments = values_of(Z);
      if (parts == 1) C_of_one = values, Z_of_one = arguments;
      EXPECT_TRUE(values == C_of_one && arguments == Z_of_one)
          << family << ' ' << m << 'x' << n << 'x' << k << " in " << parts << " parts, beta " << beta;
    }
  }

  // Lines of whole runs, of vectors but not of runs, and of neither, by rows and by columns, few and many; Z lies by
  // rows.
  template <class T>
  void expect_same(const std::string& family) {
    for (const std::int64_t length : {512, 516, 509})
      for (const std::int64_t lines : {std::int64_t(5), 2 * Space().concurrency() / length + 5}) {
        expect_same<T, Kokkos::LayoutRight>(family, lines, length, 0, false);
        expect_same<T, Kokkos::LayoutRight>(family, lines, length, 2, true);
        expect_same<T, Kokkos::LayoutLeft>(family, length, lines, 0, false);
        expect_same<T, Kokkos::LayoutLeft>(family, length, lines, 2, true);
      }
  }

  // dB, of which the transpose is computed, is that of one part, and what is added to it.
  template <class T>
  void expect_same_gradient(const std::string& family, std::int64_t n, std::int64_t k, Update update) {
    needs_family(family);
    if (IsSkipped()) return;
    const std::int64_t m = 9 * 64;
    const Matrix<T> dC("dC", m, n), A("A", m, k), B("B", k, n), before("before", k, n);
    draw(random_, dC), draw(random_, A), draw(random_, before);
    std::vector<double> dB_of_one;
    for (const int parts : {1, 2, 4, 5, 9}) {
      const Matrix<T> dB("dB", k, n);
      if (update == Update::overwrite)
        Kokkos::deep_copy(dB, static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
      else
        Kokkos::deep_copy(dB, before);
      GemmBackwardOptions options;
      options.alpha = 0.5;
      options.dB    = update;
      options.plan  = {.family = family, .split_k = parts};
      gemm_backward(Space(), dC, A, B, none, none, dB, none, Identity(), options);
      const auto values = values_of(dB);
      if (parts == 1) dB_of_one = values;
      EXPECT_TRUE(values == dB_of_one) << family << " dB " << k << 'x' << n << " of " << m << " rows in " << parts
                                       << " parts";
    }
  }

  template <class T>
  void expect_same_gradient(const std::string& family) {
    for (const std::int64_t n : {8, 112, 203})
      for (const Update update : {Update::overwrite, Update::accumulate})
        for (const std::int64_t k : {std::int64_t(33), std::int64_t(288), Space().concurrency() / n + 5})
          expect_same_gradient<T>(family, n, k, update);
  }

  Random random_ = make_random();
};

TEST_F(CudaSlices, OfFloat) { expect_same<float>("simt"); }
TEST_F(CudaSlices, OfDouble) { expect_same<double>("mma"); }
TEST_F(CudaSlices, OfGradientsOfFloat) { expect_same_gradient<float>("simt"); }
TEST_F(CudaSlices, OfGradientsOfDouble) { expect_same_gradient<double>("mma"); }
#if TEGULA_HAS_BHALF
TEST_F(CudaSlices, OfBhalfByMma) { expect_same<bhalf_t>("mma"); }
TEST_F(CudaSlices, OfBhalfByWgmma) { expect_same<bhalf_t>("wgmma"); }
TEST_F(CudaSlices, OfGradientsOfBhalf) { expect_same_gradient<bhalf_t>("wgmma"); }
#endif

}  // namespace
}  // namespace Tegula::Test
