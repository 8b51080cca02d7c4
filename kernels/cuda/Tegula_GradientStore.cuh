// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GRADIENT_STORE_CUH
#define TEGULA_GRADIENT_STORE_CUH

#include "Tegula_CudaElement.cuh"
#include "Tegula_GradientResult.hpp"

namespace Tegula::Impl {

/// An element that is done, or what is added to one.
template <class Sum>
__device__ inline void finish(const AnyMatrix& matrix, std::int64_t i, std::int64_t j, Sum value, bool adds) {
  store(matrix, i, j, adds ? value + load<Sum>(matrix, i, j) : value);
}

/// Puts sums where they belong. A part is a number of a slice.
template <class Sum>
class GradientStore {
 public:
  __device__ GradientStore(const GradientResult<Sum>& result, int part)
      : r_(result), slice_(result.slices + part * result.slice_size()) {}

  /// Calls sums(put), put(line, at, sum) being what stores a sum: one code for slices, which are short work, and one
  /// for results.
  template <class Sums>
  __device__ void sums(const Sums& sums) const {
    if (r_.slices != nullptr) {
      sums([&](std::int32_t line, std::int32_t at, Sum value) { slice_[std::int64_t(line) * r_.depth + at] = value; });
    } else {
      sums([&](std::int32_t line, std::int32_t at, Sum value) {
        finish(r_.result, line, at, r_.alpha * value, r_.adds);
      });
    }
  }

  /// The sum of a line of dZ.
  __device__ void line_sum(std::int32_t line, Sum value) const {
    if (r_.slices != nullptr) {
      slice_[std::int64_t(r_.lines) * r_.depth + line] = value;
    } else {
      finish(r_.sums, 0, line, value, r_.adds_sums);
    }
  }

 private:
  const GradientResult<Sum>& r_;
  Sum* slice_;
};

}  // namespace Tegula::Impl

#endif
