// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_LINES_CUH
#define TEGULA_SHALLOW_LINES_CUH

#include "Tegula_ShallowArguments.hpp"
#include "Tegula_ShallowConfig.hpp"

namespace Tegula::Impl {

/// The element of an operand, and zero beyond its end.
template <class Bits>
__device__ inline Bits shallow_element(const MatrixRef<const Bits>& operand, std::int32_t line, std::int32_t last,
                                       std::int32_t at, std::int32_t depth) {
  return line < last && at < depth ? operand(line, at) : Bits(0);
}

/// The lines of the left operand that belong to a lane's rows, step after step.
template <class Bits>
class ShallowLines {
 public:
  /// From this line and this place along the depth on; the next step is `step` lines below, and `last` their end.
  __device__ ShallowLines(const ShallowArguments<Bits>& arguments, std::int32_t line, std::int32_t at, int step,
                          std::int32_t last)
      : p_(arguments),
        at_(p_.left.data + line * p_.left.row_stride + at * p_.left.column_stride),
        lines_left_(last - line),
        depth_left_(p_.depth - at),
        step_(step) {}

  /// The element so many lines below and places on, and zero beyond the end.
  __device__ Bits operator()(int lines, int on) const {
    return lines < lines_left_ && on < depth_left_ ? at_[lines * p_.left.row_stride + on * p_.left.column_stride]
                                                   : Bits(0);
  }
  __device__ void go_on() {
    at_ += step_ * p_.left.row_stride;
    lines_left_ -= step_;
  }

 private:
  const ShallowArguments<Bits>& p_;
  const Bits* at_;
  std::int32_t lines_left_, depth_left_, step_;
};

}  // namespace Tegula::Impl

#endif
