// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the training program that are not products.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "Tegula_GatherBatch.hpp"
#include "Tegula_IndexKernel.hpp"
#include "Tegula_Sgd.hpp"
#include "Tegula_SoftmaxCrossEntropy.hpp"
#include "Tegula_TestRandom.hpp"

namespace Tegula::Training {
namespace {

using Space  = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
template <class T>
using Vector = Kokkos::View<T*, Memory>;
template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Memory>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// What lies in the memory of a View without gaps, by rows.
template <class ViewType>
auto values_of(const ViewType& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<typename ViewType::non_const_value_type>(host.data(), host.data() + host.size());
}

template <class ViewType, class Value>
void fill(const ViewType& view, const std::vector<Value>& values) {
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.size(); ++i) {
    host.data()[i] = static_cast<typename ViewType::non_const_value_type>(values[i]);
  }
  Kokkos::deep_copy(view, host);
}

/// What softmax_cross_entropy makes of a batch.
template <class T, class Gradient = T>
struct Losses {
  Losses(int rows, int classes, const std::vector<double>& logits, const std::vector<int>& labels, int batch = 0) {
    const int count = (batch + 1) * rows;
    const Matrix<T> x("x", rows, classes);
    const Matrix<Gradient> dx("dx", rows, classes);
    const Kokkos::View<std::uint8_t*, Kokkos::LayoutRight, Memory> y("y", count);
    Samples<Memory, T> samples(y, rows);
    fill(x, logits);
    fill(dx, std::vector<double>(logits.size(), nan));
    fill(samples.losses, std::vector<double>(count, nan));
    fill(samples.hits, std::vector<int>(count, 7));
    fill(samples.number.numbers, std::vector<int>{batch, -5});
    fill(samples.batch_labels, labels);
    softmax_cross_entropy(Space(), x, samples, dx);
    gradient = values_of(dx);
    number   = values_of(samples.number.numbers);
    loss     = values_of(samples.losses);
    hit      = values_of(samples.hits);
    for (int place = 0; place < batch * rows; ++place) EXPECT_EQ(hit[place], 7) << "of another batch: " << place;
    loss.erase(loss.begin(), loss.begin() + batch * rows);
    hit.erase(hit.begin(), hit.begin() + batch * rows);
  }

  std::vector<T> loss;
  std::vector<int> hit;
  std::vector<Gradient> gradient;
  std::vector<std::int32_t> number;
};

constexpr int rows = 3, classes = 10;

std::vector<double> some_logits() {
  std::vector<double> logits(rows * classes);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = 3 * std::sin(1.7 * static_cast<double>(i));
  return logits;
}

TEST(SoftmaxCrossEntropy, gradient_agrees_with_central_differences) {
  const std::vector<int> labels{0, 4, 9};
  const Losses<double> at(rows, classes, some_logits(), labels);
  constexpr double step = 1e-5;
  for (int i = 0; i < rows * classes; ++i) {
    std::vector<double> below = some_logits(), above = below;
    below[i] -= step;
    above[i] += step;
    const int row = i / classes;
    const double change =
        Losses<double>(rows, classes, above, labels).loss[row] - Losses<double>(rows, classes, below, labels).loss[row];
    EXPECT_NEAR(at.gradient[i], change / (2 * step), 1e-9) << "logit " << i;
  }
}

TEST(SoftmaxCrossEntropy, equal_logits) {
  const Losses<double> even(rows, classes, std::vector<double>(rows * classes, 7.0), {0, 4, 9});
  for (int r = 0; r < rows; ++r) {
    EXPECT_NEAR(even.loss[r], std::log(10.0), 1e-14);
    EXPECT_EQ(even.hit[r], 0) << "a tie is no hit";
  }
}

TEST(SoftmaxCrossEntropy, hits_and_extreme_logits) {
  std::vector<double> logits(rows * classes, -1e4);
  logits[0 * classes + 3] = 1e4;
  logits[1 * classes + 3] = 1e4;
  logits[2 * classes + 3] = nan;
  const Losses<double> extreme(rows, classes, logits, {3, 5, 3});
  EXPECT_EQ(extreme.hit[0], 1);
  EXPECT_EQ(extreme.loss[0], 0);
  EXPECT_EQ(extreme.hit[1], 0);
  EXPECT_EQ(extreme.loss[1], 2e4);
  EXPECT_EQ(extreme.gradient[classes + 3], 1);
  EXPECT_EQ(extreme.gradient[classes + 5], -1);
  EXPECT_EQ(extreme.hit[2], 0);
  EXPECT_TRUE(std::isnan(extreme.loss[2]));
}

TEST(SoftmaxCrossEntropy, not_a_number_in_another_class_is_no_hit) {
  std::vector<double> logits(rows * classes, 0);
  for (int r = 0; r < rows; ++r) logits[r * classes + 4] = 5, logits[r * classes + 3 * r] = nan;
  const Losses<float> losses(rows, classes, logits, {4, 4, 4});
  for (int r = 0; r < rows; ++r) {
    EXPECT_EQ(losses.hit[r], 0) << r;
    EXPECT_TRUE(std::isnan(losses.loss[r])) << r;
  }
}

TEST(SoftmaxCrossEntropy, impossible_classes) {
  std::vector<double> logits(rows * classes, -inf);
  for (int r = 0; r < rows; ++r) logits[r * classes + 2] = 8, logits[r * classes + 7] = 8 + r;
  const Losses<float, bhalf_t> losses(rows, classes, logits, {2, 7, 7});
  for (int r = 0; r < rows; ++r) {
    EXPECT_NEAR(losses.loss[r], std::log1p(std::exp(-r)), 1e-6) << r;
    EXPECT_EQ(losses.hit[r], r > 0) << r;
    EXPECT_EQ(static_cast<float>(losses.gradient[r * classes]), 0) << r;
  }
}

/// Against sums in double, for T = the type of logits; gradients are rounded to Gradient.
template <class T, class Gradient>
void compare_with_double(int rows, int classes, double size, int batch) {
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(classes) + ", logits up to " + std::to_string(size));
  Test::Random random = Test::make_random();
  std::vector<double> logits(static_cast<std::size_t>(rows) * classes);
  std::vector<int> labels(rows);
  for (double& logit : logits) logit = static_cast<double>(static_cast<T>(Test::uniform(random, -size, size)));
  for (int& label : labels) label = static_cast<int>(random() % static_cast<unsigned>(classes));
  const Losses<T, Gradient> losses(rows, classes, logits, labels, batch);
  EXPECT_EQ(losses.number, (std::vector<std::int32_t>{batch, batch + 1}));
  // Differences of logits are rounded before exp sees them.
  const double u         = ScalarTraits<T>::unit_roundoff * (4 * size + classes + 16);
  const double u_storage = ScalarTraits<Gradient>::unit_roundoff;
  for (int row = 0; row < rows; ++row) {
    const double* x       = logits.data() + static_cast<std::size_t>(row) * classes;
    const double greatest = *std::max_element(x, x + classes);
    double sum            = 0;
    for (int c = 0; c < classes; ++c) sum += std::exp(x[c] - greatest);
    const double loss = std::log(sum) - (x[labels[row]] - greatest);
    EXPECT_NEAR(losses.loss[row], loss, u * (1 + loss)) << "row " << row;
    const auto best = static_cast<int>(std::max_element(x, x + classes) - x);
    EXPECT_EQ(losses.hit[row], best == labels[row] && std::count(x, x + classes, greatest) == 1) << "row " << row;
    for (int c = 0; c < classes; ++c) {
      const double expected = std::exp(x[c] - greatest) / sum - (c == labels[row]);
      const auto found      = static_cast<double>(static_cast<T>(losses.gradient[row * classes + c]));
      EXPECT_NEAR(found, expected, u + u_storage * std::abs(expected)) << "row " << row << ", class " << c;
    }
  }
}

TEST(SoftmaxCrossEntropy, agrees_with_double) {
  for (const int classes : {2, 3, 10, 16, 17, 31, 32, 33, 64, 100}) {
    for (const int rows : {1, 7, 8, 9, 64, 65, 131}) {
      compare_with_double<float, float>(rows, classes, 4, 0);
      compare_with_double<float, bhalf_t>(rows, classes, 4, 2);
      compare_with_double<double, double>(rows, classes, 4, 1);
    }
    compare_with_double<float, half_t>(5, classes, 1e4, 1);
    compare_with_double<double, double>(5, classes, 1e-3, 0);
  }
}

/// Parameters of the step, and what it must make of one parameter.
template <class Storage>
void compare_steps(int count) {
  using T = accumulator_t<Storage>;
  SCOPED_TRACE(std::to_string(count) + " parameters in " + ScalarTraits<Storage>::name);
  Test::Random random = Test::make_random();
  const auto draw     = [&](double size) {
    std::vector<double> values(count);
    for (double& value : values) value = static_cast<double>(static_cast<T>(Test::uniform(random, -size, size)));
    return values;
  };
  const Parameters<Memory, Storage> parameters(count);
  std::vector<double> master = draw(1), velocity = draw(2);
  fill(parameters.master, master);
  fill(parameters.velocity, velocity);
  const Vector<T> rates("rates", 3);
  const std::vector<double> some_rates{nan, 0.25, 0.125};
  fill(rates, some_rates);
  const double momentum = 0.75, scale = 0.03125, u = ScalarTraits<T>::unit_roundoff;
  for (int batch = 1; batch < 3; ++batch) {
    const std::vector<double> gradient = draw(30);
    fill(parameters.gradient, gradient);
    const BatchNumber<Memory> number;
    fill(number.numbers, std::vector<int>{-1000000, batch + 1});
    queue_kernel(Space(), "step", SgdStep(parameters, Range{0, parameters.runs}, rates, number, momentum, scale));
    const auto found_master   = values_of(parameters.master);
    const auto found_velocity = values_of(parameters.velocity);
    const auto stored         = values_of(parameters.stored);
    for (int i = 0; i < count; ++i) {
      velocity[i] = momentum * velocity[i] + scale * gradient[i];
      master[i] -= some_rates[batch] * velocity[i];
      EXPECT_NEAR(found_velocity[i], velocity[i], 12 * u) << "velocity " << i;
      EXPECT_NEAR(found_master[i], master[i], 12 * u) << "master " << i;
      EXPECT_EQ(static_cast<T>(stored[i]), static_cast<T>(static_cast<Storage>(found_master[i]))) << "stored " << i;
    }
    EXPECT_EQ(values_of(parameters.gradient)[count - 1], static_cast<T>(gradient.back())) << "gradients stay";
  }
}

TEST(Sgd, two_steps_of_any_number_of_parameters) {
  for (const int count : {1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 65, 1000, 1023, 1025, 5003}) {
    compare_steps<double>(count);
    compare_steps<float>(count);
    compare_steps<half_t>(count);
    compare_steps<bhalf_t>(count);
  }
}

TEST(Sgd, updates_a_range_alone) {
  const Parameters<Memory, float> parameters(1000);
  fill(parameters.master, std::vector<double>(1000, 1));
  fill(parameters.gradient, std::vector<double>(1000, 1));
  const Vector<float> rates("rates", 1);
  fill(rates, std::vector<double>{1});
  const BatchNumber<Memory> number;
  fill(number.numbers, std::vector<int>{0, 1});
  queue_kernel(Space(), "step", SgdStep(parameters, Range{3, 7}, rates, number, 0, 1));
  const auto master = values_of(parameters.master);
  for (int i = 0; i < 1000; ++i) {
    const int run = i / parameters.length;
    EXPECT_EQ(master[i], run >= 3 && run < 7 ? 0 : 1) << i;
  }
}

TEST(Sgd, masters_of_the_type_that_is_stored_are_what_is_stored) {
  const Parameters<Memory, double> parameters(5);
  EXPECT_EQ(parameters.stored.data(), parameters.master.data());
}

/// The next batch is number 2 of 3, and samples end in it.
template <class Storage>
void compare_inputs(int pixels, int padding) {
  using T = accumulator_t<Storage>;
  SCOPED_TRACE(std::to_string(pixels) + " pixels and " + std::to_string(padding) + " in " +
               ScalarTraits<Storage>::name);
  constexpr int rows = 5, count = 13;
  Test::Random random = Test::make_random();
  std::vector<int> grey(count * pixels), label(count), order(count);
  for (int& value : grey) value = static_cast<int>(random() % 256);
  for (int& value : label) value = static_cast<int>(random() % 200);
  for (int i = 0; i < count; ++i) order[i] = i * 5 % count;
  const typename GatherBatch<Memory, Storage>::Images images("images", count, pixels);
  const Kokkos::View<std::uint8_t*, Kokkos::LayoutRight, Memory> labels("labels", count);
  const Samples<Memory, T> samples(labels, rows);
  const int pitch = pixels + padding;
  const Matrix<Storage> padded("inputs", rows, pitch);
  const Matrix<Storage> inputs = Kokkos::subview(padded, Kokkos::ALL, std::make_pair(0, pixels));
  fill(images, grey);
  fill(labels, label);
  fill(samples.batch_labels, std::vector<int>(rows, 255));
  fill(samples.order, order);
  fill(padded, std::vector<double>(rows * pitch, nan));
  fill(samples.number.numbers, std::vector<int>{-1, 2});
  constexpr double mean = 72.5, deviation = 90.25;
  queue_kernel(Space(), "gather", GatherBatch<Memory, Storage>(images, samples, inputs, mean, deviation));
  EXPECT_EQ(values_of(samples.number.numbers), (std::vector<std::int32_t>{2, 2}));
  const auto found        = values_of(padded);
  const auto found_labels = values_of(samples.batch_labels);
  for (int row = 0; row < rows; ++row) {
    const int sample = order[std::min(2 * rows + row, count - 1)];
    EXPECT_EQ(found_labels[row], label[sample]) << row;
    for (int p = 0; p < pixels; ++p) {
      const auto centred  = static_cast<T>(grey[sample * pixels + p]) - static_cast<T>(mean);
      const auto expected = static_cast<Storage>(centred * static_cast<T>(1 / deviation));
      EXPECT_EQ(static_cast<T>(found[row * pitch + p]), static_cast<T>(expected)) << row << ", " << p;
    }
    for (int p = pixels; p < pitch; ++p) EXPECT_TRUE(std::isnan(static_cast<T>(found[row * pitch + p]))) << p;
  }
}

TEST(GatherBatch, any_number_of_pixels) {
  for (const int pixels : {1, 2, 3, 7, 8, 9, 16, 31, 32, 63, 64, 65, 784}) {
    for (const int padding : {0, 1, 2, 16}) {
      compare_inputs<double>(pixels, padding);
      compare_inputs<float>(pixels, padding);
      compare_inputs<half_t>(pixels, padding);
      compare_inputs<bhalf_t>(pixels, padding);
    }
  }
}

}  // namespace
}  // namespace Tegula::Training
