// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PROBLEM_MEMORY_HPP
#define TEGULA_PROBLEM_MEMORY_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "Tegula_PerfDevice.hpp"
#include "Tegula_PerfReference.hpp"
#include "tuning/Tegula_ProblemClass.hpp"

/// Calls of a problem class on memory of their own, whose results are known. Types are data here, as in the library, so
/// that one program runs whatever an application recorded.

namespace Tegula::Perf {

/// An element of a matrix of any type and layout, in double.
struct AnyElement {
  const void* data        = nullptr;
  Impl::Element element   = Impl::Element::f32;
  std::int64_t row_stride = 0, column_stride = 0;

  KOKKOS_FUNCTION double operator()(std::int64_t i, std::int64_t j) const {
    const std::int64_t at = i * row_stride + j * column_stride;
    switch (element) {
      case Impl::Element::f64:
        return static_cast<const double*>(data)[at];
      case Impl::Element::f16:
        return static_cast<double>(static_cast<float>(static_cast<const half_t*>(data)[at]));
      case Impl::Element::bf16:
        return static_cast<double>(static_cast<float>(static_cast<const bhalf_t*>(data)[at]));
      default:
        return static_cast<double>(static_cast<const float*>(data)[at]);
    }
  }

  AnyElement transposed() const { return {data, element, column_stride, row_stride}; }
};

/// The matrices of a call in so many sets, alike but for where they lie.
class ProblemMemory {
 public:
  /// Throws std::invalid_argument if no call is of this class. Results are known if they are to be checked.
  ProblemMemory(const Impl::ProblemClass& problem, int sets, bool is_checked = true);

  std::size_t sets() const { return calls_.size(); }
  const Impl::Call& call(std::size_t set = 0) const { return calls_[set]; }

  /// Results become NaN, or what they are added to, in the first set.
  void forget_results() const;

  /// Throws std::runtime_error, which names the first wrong element, unless sampled rows of the first set's results are
  /// those of one call on forgotten results, formed in double.
  void check_results() const;

 private:
  using Bytes = Kokkos::View<unsigned char*, ExecutionSpace>;

  /// A result, and what a call makes of it.
  struct Result {
    std::string name;
    Impl::CallMatrix matrix;
    Bytes memory, before;
    Tolerance tolerance;
    Reference expected;
  };

  /// An allocation, and the matrix of a set in it.
  struct Placed {
    Bytes memory;
    Impl::CallMatrix matrix;
  };

  Placed place(const Impl::MatrixClass& as, const Impl::Extents& extents, std::size_t which, std::size_t set) const;
  void place_below(Impl::Call& call, std::size_t set);
  void place_all(std::size_t set);
  void expect_results();
  void expect(const char* name, const Impl::CallMatrix& matrix, const Bytes& memory, bool is_added_to);
  void expect_of_gemm();
  void expect_of_backward();
  void expect_of_below(Result& dA);
  double storage_unit() const;

  Impl::ProblemClass problem_;
  std::vector<Impl::Call> calls_;
  std::vector<std::vector<Bytes>> memory_;  // of each set, by matrix_roles, then saved and dbias of the layer below
  std::vector<Result> results_;
};

/// How many sets calls in a row are to take turns with. On devices so many that none is in the caches when its turn
/// comes; on hosts as many as fit a second cache: each lies elsewhere with respect to pages, on which the time of some
/// ways depends by half, since what an application's memory has in common with one of them is chance.
int sets_of(const Impl::ProblemClass& problem, int most_sets);

}  // namespace Tegula::Perf

#endif
