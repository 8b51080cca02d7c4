// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SLICE_SHARES_HPP
#define TEGULA_SLICE_SHARES_HPP

#include <cstdint>

namespace Tegula::Impl {

/// log2 of the threads that share the slices of each of so many elements, on a device that runs so many at once. A
/// thread that has few of them has all of these on their way at a time.
inline int slice_shares_log2(std::int64_t elements, std::int64_t splits, std::int64_t at_once) {
  constexpr int most_log2 = 5, fewest_slices = 4;  // of an element; of a thread
  int log2 = 0;
  while (log2 < most_log2 && (fewest_slices << log2) < splits && elements << log2 < at_once) ++log2;
  return log2;
}

}  // namespace Tegula::Impl

#endif
