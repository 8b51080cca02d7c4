// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_STORE_HPP
#define TEGULA_HOST_STORE_HPP

#include "Tegula_HostInstructions.hpp"
#include "Tegula_HostRun.hpp"
#include "Tegula_HostVector.hpp"
#include "product/Tegula_Product.hpp"
#include "product/Tegula_Result.hpp"

/// The sums of a register tile on their way through the epilogue, a run at a time.

namespace Tegula::Impl {

/// A run of sums, in whole vectors: those past `count` are computed too, but stored nowhere.
template <class InstructionSet, class T>
struct SumRun {
  static constexpr int lanes = host_lanes<T, InstructionSet>;
  static constexpr int most  = RegisterTile<T, InstructionSet>::columns;

  T* sums;
  int count;

  /// sums[e] = change(sums[e], e), a vector at a time.
  template <class Change>
  void for_each(const Change& change) const {
    for (int first = 0; first < count; first += lanes) {
      alignas(64) T values[lanes];
      for (int lane = 0; lane < lanes; ++lane) values[lane] = change(sums[first + lane], first + lane);
      for (int lane = 0; lane < lanes; ++lane) sums[first + lane] = values[lane];
    }
  }
};

/// Z = alpha sum + beta C + bias, C = act(Z), for the run of sums that begins at (i, j). Overwrites the sums.
template <class InstructionSet, class T, class C, class Bias, class Z, class Activation>
void store_run(const EpilogueResult<T, C, Bias, Z, Activation>& result, std::int64_t i, std::int64_t j, Along along,
               const SumRun<InstructionSet, T>& run) {
  alignas(64) T other[SumRun<InstructionSet, T>::most] = {};
  if (result.alpha != T(1)) run.for_each([&](T sum, int) { return result.alpha * sum; });
  if (result.beta != T(0)) {
    read_run(result.C, i, j, along, run.count, other);
    run.for_each([&](T sum, int e) { return sum + result.beta * other[e]; });
  }
  if (result.bias.data != nullptr) {
    read_run(result.bias, i, j, along, run.count, other);
    run.for_each([&](T sum, int e) { return sum + other[e]; });
  }
  if (result.Z.data != nullptr) write_run(result.Z, i, j, along, run.count, run.sums);
  if constexpr (!std::is_same_v<Activation, Identity>)
    run.for_each([&](T sum, int) { return static_cast<T>(result.activation(sum)); });
  write_run(result.C, i, j, along, run.count, run.sums);
}

/// gradient (+)= alpha sum. Overwrites the sums.
template <class InstructionSet, class T, class Gradient, class Bias>
void store_run(const GradientResult<T, Gradient, Bias>& result, std::int64_t i, std::int64_t j, Along along,
               const SumRun<InstructionSet, T>& run) {
  if (result.alpha == T(0)) {
    run.for_each([](T, int) { return T(0); });
  } else if (result.alpha != T(1)) {
    run.for_each([&](T sum, int) { return result.alpha * sum; });
  }
  if (result.accumulate) {
    alignas(64) T before[SumRun<InstructionSet, T>::most] = {};
    read_run(result.gradient, i, j, along, run.count, before);
    run.for_each([&](T sum, int e) { return sum + before[e]; });
  }
  write_run(result.gradient, i, j, along, run.count, run.sums);
}

/// A matrix that takes sums as they are, or adds them to what it holds. Without data: the sums must be changed or
/// converted first.
template <class T>
struct PlainResult {
  MatrixRef<T> matrix;
  bool adds = false;
};

template <class T, class C, class Bias, class Z, class Activation>
PlainResult<T> plain_result(const EpilogueResult<T, C, Bias, Z, Activation>& result) {
  if constexpr (std::is_same_v<T, C> && std::is_same_v<Activation, Identity>) {
    const bool unchanged = result.alpha == T(1) && result.bias.data == nullptr && result.Z.data == nullptr;
    if (unchanged && (result.beta == T(0) || result.beta == T(1))) return {result.C, result.beta == T(1)};
  }
  return {};
}
template <class T, class Gradient, class Bias>
PlainResult<T> plain_result(const GradientResult<T, Gradient, Bias>& result) {
  if constexpr (std::is_same_v<T, Gradient>) {
    if (result.alpha == T(1)) return {result.gradient, result.accumulate};
  }
  return {};
}

/// The matrix that takes a team's sums as they are, with its rows along the direction of the vectors, or one without
/// data.
template <class T, class Product>
PlainResult<T> plain_rows(const Product& product, const TeamWork& work, Along along) {
  PlainResult<T> result{product.slice_matrix(work.split)};
  if (result.matrix.data == nullptr) result = plain_result(product.result);
  if (along == Along::column) result.matrix = result.matrix.transposed();
  return result.matrix.columns_are_contiguous() ? result : PlainResult<T>{};
}

/// Stores the register tile whose first sum is element (i, j) of the product. Its rows are runs along `along`. With
/// split-k they go to the slice of their split instead.
template <class Product, class T>
void store_tile(Instructions instructions, const Product& product, const TeamWork& work, std::int64_t i, std::int64_t j,
                Along along, int rows, int columns, T* sums, std::int64_t pitch) {
  const MatrixRef<T> slice = product.slice_matrix(work.split);
  with_instructions(instructions, [&](auto set) {
    for (int row = 0; row < rows; ++row) {
      const std::int64_t at_i = along == Along::row ? i + row : i, at_j = along == Along::row ? j : j + row;
      if (slice.data != nullptr) {
        write_run(slice, at_i, at_j, along, columns, sums + row * pitch);
      } else {
        store_run(product.result, at_i, at_j, along, SumRun<decltype(set), T>{sums + row * pitch, columns});
      }
    }
  });
}

}  // namespace Tegula::Impl

#endif
