// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradients of a network are those of its layers apart.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "Tegula_Mlp.hpp"
#include "Tegula_TestRandom.hpp"

namespace Tegula::Training {
namespace {

using Space  = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
template <class T>
using Vector = Kokkos::View<T*, Memory>;
template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Memory>;

/// Uniform numbers in [-1, 1), in a View without gaps.
template <class ViewType>
void fill(const ViewType& view, Test::Random& random) {
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < host.size(); ++i)
    host.data()[i] = static_cast<typename ViewType::non_const_value_type>(Test::uniform(random, -1, 1));
  Kokkos::deep_copy(view, host);
}

/// The same in rows with gaps between.
template <class T>
void fill_rows(const Matrix<T>& matrix, Test::Random& random) {
  const Matrix<T> dense("dense", matrix.extent(0), matrix.extent(1));
  fill(dense, random);
  Kokkos::deep_copy(Space(), matrix, dense);
}

/// The gradients of all parameters, in the order of these: every layer applies the derivative of its own activation to
/// the gradient of its own output.
template <class Storage, class T>
void differentiate_layers(const Mlp<Space, Storage>& network, std::int64_t rows, int place, const Vector<T>& gradient) {
  const std::size_t last = network.layers() - 1;
  Matrix<Storage> dC     = network.dlogits(rows);
  for (std::size_t l = last + 1; l-- > 0;) {
    const Matrix<Storage> H = network.inputs_of(l, rows, place);
    const auto W            = network.weights_of(network.parameters().stored, l);
    const auto dW           = network.weights_of(gradient, l);
    const auto db           = network.bias_of(gradient, l);
    const Matrix<Storage> dH("dH", H.extent(0), H.extent(1));
    if (l == last) {
      gemm_backward(Space(), dC, H, W, none, dH, dW, db);
    } else {
      gemm_backward(Space(), dC, H, W, Output(network.inputs_of(l + 1, rows)), dH, dW, db, Relu());
    }
    dC = dH;
  }
}

/// Two arrays of all gradients, on the host.
template <class T>
struct Gradients {
  Gradients(const Vector<T>& found_, const Vector<T>& expected_)
      : found(on_host(found_)), expected(on_host(expected_)) {}

  /// |found - expected| / |expected|, of Frobenius' norms, of rows that begin at `begin`. Sums may cancel: the norm
  /// counts as that of elements with a mean square of `least` if it is smaller.
  double distance(std::ptrdiff_t begin, std::size_t rows, std::size_t columns, std::size_t pitch,
                  double least = 0) const {
    double errors = 0, squares = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t i = static_cast<std::size_t>(begin) + row * pitch + column;
        const auto value = static_cast<double>(expected[i]), error = static_cast<double>(found[i]) - value;
        errors += error * error;
        squares += value * value;
      }
    }
    return errors == 0 ? 0 : std::sqrt(errors / std::max(squares, least * static_cast<double>(rows * columns)));
  }

  /// Of what is expected, in rows that begin at `begin`.
  double mean_square(std::ptrdiff_t begin, std::size_t rows, std::size_t columns, std::size_t pitch) const {
    double squares = 0;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        squares += std::pow(static_cast<double>(expected[static_cast<std::size_t>(begin) + row * pitch + column]), 2);
    return squares / static_cast<double>(rows * columns);
  }

 private:
  static std::vector<T> on_host(const Vector<T>& view) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return std::vector<T>(host.data(), host.data() + host.size());
  }

  std::vector<T> found, expected;
};

template <class Storage>
void compare_gradients(const std::vector<int>& widths, std::int64_t rows, int place, const std::string& family) {
  using T = accumulator_t<Storage>;
  SCOPED_TRACE(std::string(ScalarTraits<Storage>::name) + ", " + std::to_string(widths.size() - 1) + " layers, " +
               std::to_string(rows) + " rows in place " + std::to_string(place) + ", family \"" + family + '"');
  Test::Random random = Test::make_random();
  Training::Random of_weights(random());
  Mlp<Space, Storage> network(Space(), widths, rows + 3, rows, family, of_weights);
  network.reserve_workspace({rows, rows + 3}, {rows});
  const auto& parameters = network.parameters();
  for (std::size_t l = 0; l < network.layers(); ++l) fill(network.bias_of(parameters.master, l), random);
  fill_rows(network.inputs(rows, place), random);
  Kokkos::deep_copy(Space(), network.inputs(rows, 1 - place), static_cast<Storage>(std::nanf("")));
  fill_rows(network.dlogits(rows), random);
  const Vector<T> of_layers("of_layers", parameters.gradient.extent(0));
  Kokkos::deep_copy(Space(), parameters.gradient, std::numeric_limits<T>::quiet_NaN());
  Kokkos::deep_copy(Space(), of_layers, std::numeric_limits<T>::quiet_NaN());

  network.forward(rows, place);
  int calls = 0;
  network.backward(
      rows, [&] { ++calls; }, place);
  differentiate_layers(network, rows, place, of_layers);
  EXPECT_EQ(calls, 1) << "before the first layer";
  const Gradients<T> gradients(parameters.gradient, of_layers);
  // Either way dZ may be off by a rounding to its type, and sums are formed in another order.
  const double tolerance =
      sizeof(Storage) == 2 ? 4 * ScalarTraits<Storage>::unit_roundoff : 64 * ScalarTraits<T>::unit_roundoff;
  for (std::size_t l = 0; l < network.layers(); ++l) {
    const auto dW              = network.weights_of(of_layers, l);
    const auto db              = network.bias_of(of_layers, l);
    const std::ptrdiff_t begin = dW.data() - of_layers.data();
    EXPECT_LE(gradients.distance(begin, dW.extent(0), dW.extent(1), dW.stride(0)), tolerance) << "dW of layer " << l;
    const double usual = gradients.mean_square(begin, dW.extent(0), dW.extent(1), dW.stride(0));
    EXPECT_LE(gradients.distance(db.data() - of_layers.data(), 1, db.extent(0), 0, usual), tolerance)
        << "db of layer " << l;
  }
}

TEST(Mlp, gradients_are_those_of_layers_apart) {
  for (const char* family : {"", "portable"}) {
    for (const std::vector<int>& widths : {std::vector{37, 10}, {37, 29, 10}, {50, 33, 64, 41, 7}, {9, 1, 3}}) {
      for (const std::int64_t rows : {1, 5, 64, 131}) {
        for (const int place : {0, 1}) compare_gradients<float>(widths, rows, place, family);
        for (const int place : {0, 1}) compare_gradients<double>(widths, rows, place, family);
        for (const int place : {0, 1}) compare_gradients<half_t>(widths, rows, place, family);
        for (const int place : {0, 1}) compare_gradients<bhalf_t>(widths, rows, place, family);
      }
    }
  }
}

}  // namespace
}  // namespace Tegula::Training
