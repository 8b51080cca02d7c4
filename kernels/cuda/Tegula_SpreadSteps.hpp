// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SPREAD_STEPS_HPP
#define TEGULA_SPREAD_STEPS_HPP

#include <cstdint>

#include "Tegula_DeviceMacros.hpp"

namespace Tegula::Impl {

/// Steps from `begin` to `end`, in the order in which they are fetched: from one of them to the last, and then those
/// before it.
///
/// An operand of a few contiguous lines has a step in a few lines of the cache. Teams that begin together all ask the
/// same slices of it, while others have nothing to do. Where steps are spread, as many work items as there are
/// beginnings, one after the other by number, begin at as many places: by wgmma 8192 x 8 x 8192 takes 39 us in place of
/// 44, 16384 x 32 x 2048 18.9 in place of 19.6 (H200). With 64 lines products take up to 1.04 times as long, since
/// neighbours no longer read the same lines of the other operand at once.
class SpreadSteps {
 public:
  static constexpr std::uint32_t beginnings = 16;

  TEGULA_HOST_DEVICE SpreadSteps(std::int32_t begin, std::int32_t end, std::uint32_t number, bool are_spread)
      : begin_(begin), end_(end), left_(end - begin) {
    const auto count = static_cast<std::uint32_t>(left_);
    step_            = begin_ + (are_spread ? static_cast<std::int32_t>(number % beginnings * count / beginnings) : 0);
  }

  TEGULA_HOST_DEVICE bool are_over() const { return left_ == 0; }
  TEGULA_HOST_DEVICE std::int32_t step() const { return step_; }
  TEGULA_HOST_DEVICE void next() {
    --left_;
    if (++step_ == end_) step_ = begin_;
  }

 private:
  std::int32_t begin_, end_, left_, step_;
};

}  // namespace Tegula::Impl

#endif
