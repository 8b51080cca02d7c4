// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the training program that are not products.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "Tegula_Sgd.hpp"
#include "Tegula_SoftmaxCrossEntropy.hpp"

namespace Tegula::Training {
namespace {

using Space   = Kokkos::DefaultExecutionSpace;
using Vector  = Kokkos::View<double*, Space::memory_space>;
using Matrix  = Kokkos::View<double**, Kokkos::LayoutRight, Space::memory_space>;
using Indices = Kokkos::View<int*, Space::memory_space>;

template <class ViewType>
using OnHost = decltype(Kokkos::create_mirror_view(std::declval<const ViewType&>()));

constexpr int rows = 3, classes = 10;

/// What softmax_cross_entropy makes of logits, on the host. Row r of the batch is sample rows - 1 - r.
struct Outcome {
  explicit Outcome(const std::vector<double>& logits, const std::vector<int>& labels) {
    const Matrix x("x", rows, classes), dx("dx", rows, classes);
    const Vector losses("losses", rows);
    const Indices y("y", rows), samples("samples", rows), hits("hits", rows);
    const auto host_x       = Kokkos::create_mirror_view(x);
    const auto host_y       = Kokkos::create_mirror_view(y);
    const auto host_samples = Kokkos::create_mirror_view(samples);
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < classes; ++c) host_x(r, c) = logits[r * classes + c];
      host_samples(r)         = rows - 1 - r;
      host_y(host_samples(r)) = labels[r];
    }
    Kokkos::deep_copy(x, host_x);
    Kokkos::deep_copy(y, host_y);
    Kokkos::deep_copy(samples, host_samples);
    softmax_cross_entropy(Space(), x, y, samples, losses, hits, dx);
    loss     = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), losses);
    hit      = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), hits);
    gradient = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dx);
  }

  OnHost<Vector> loss;
  OnHost<Indices> hit;
  OnHost<Matrix> gradient;
};

std::vector<double> some_logits() {
  std::vector<double> logits(rows * classes);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = 3 * std::sin(1.7 * static_cast<double>(i));
  return logits;
}

TEST(SoftmaxCrossEntropy, gradient_agrees_with_central_differences) {
  const std::vector<int> labels{0, 4, 9};
  const Outcome at(some_logits(), labels);
  constexpr double step = 1e-5;
  for (int i = 0; i < rows * classes; ++i) {
    std::vector<double> below = some_logits(), above = below;
    below[i] -= step;
    above[i] += step;
    const int row       = i / classes;
    const double change = Outcome(above, labels).loss(row) - Outcome(below, labels).loss(row);
    EXPECT_NEAR(at.gradient(row, i % classes), change / (2 * step), 1e-9) << "logit " << i;
  }
}

TEST(SoftmaxCrossEntropy, equal_logits) {
  const Outcome even(std::vector<double>(rows * classes, 7.0), {0, 4, 9});
  for (int r = 0; r < rows; ++r) {
    EXPECT_NEAR(even.loss(r), std::log(10.0), 1e-14);
    EXPECT_EQ(even.hit(r), 0) << "a tie is no hit";
  }
}

TEST(SoftmaxCrossEntropy, hits_and_extreme_logits) {
  std::vector<double> logits(rows * classes, -1e4);
  logits[0 * classes + 3] = 1e4;
  logits[1 * classes + 3] = 1e4;
  logits[2 * classes + 3] = std::numeric_limits<double>::quiet_NaN();
  const Outcome extreme(logits, {3, 5, 3});
  EXPECT_EQ(extreme.hit(0), 1);
  EXPECT_EQ(extreme.loss(0), 0);
  EXPECT_EQ(extreme.hit(1), 0);
  EXPECT_EQ(extreme.loss(1), 2e4);
  EXPECT_EQ(extreme.gradient(1, 3), 1);
  EXPECT_EQ(extreme.gradient(1, 5), -1);
  EXPECT_EQ(extreme.hit(2), 0);
  EXPECT_TRUE(std::isnan(extreme.loss(2)));
}

TEST(Sgd, two_steps) {
  const Parameters<Space::memory_space, double> parameters(1);
  Kokkos::deep_copy(parameters.master, 1.0);
  Kokkos::deep_copy(parameters.gradient, 8.0);
  sgd_step(Space(), parameters, 0.5, 0.25, 0.125);
  sgd_step(Space(), parameters, 0.5, 0.25, 0.125);
  const auto master = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), parameters.master);
  EXPECT_EQ(master(0), 1.0 - 0.5 * 1.0 - 0.5 * 1.25);
  EXPECT_EQ(parameters.stored.data(), parameters.master.data()) << "of one type, masters are what is stored";
}

}  // namespace
}  // namespace Tegula::Training

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
