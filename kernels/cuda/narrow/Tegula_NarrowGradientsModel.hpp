// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_GRADIENTS_MODEL_HPP
#define TEGULA_NARROW_GRADIENTS_MODEL_HPP

/// What the planner reckons with for all gradients by the narrow family.

namespace Tegula::Impl {

/// Cycles are of a multiprocessor.
struct NarrowGradientsModel {
  double start, more_start;  // of a team before its first step and behind its last; more for every 8 columns
  double step, more_split, more_elements;  // of a step, at least: until what was asked for is there; more where lines
                                           // of what is large are not whole words, or rows of dC not even pairs
  double issued, split;                    // of a team's step: what it issues; more where lines are not whole words
  double groups, elements;                 // more for every 8 columns; of rows of dC that are read one by one
  double memory;                           // of the bandwidth
  double slices;                           // of a kernel's time: the kernel that adds slices
  double slice_bytes;                      // of the bandwidth of memory: their bytes, which are most often in the cache
  double times, split_times;               // of all that: see below; the same where lines are not whole words
};

/// Fitted to measured times on an H200 of 13 layers with 1 to 32 columns, each cut into up to eight numbers of parts,
/// from which they differ by 7 %; the cut that is predicted to be best takes 1.004 of the time of the best one.
/// `memory` was then set by hand from 0.58 to 0.62, since an H100 would have left 1544 x 8 x 6320 to others. Other ways
/// to compute such layers are predicted to take 0.6 to 1.0 of what they do, so that their plans would be taken too
/// often: hence `times`, by hand as well. So is `split_times`, which was 0.87, too: by it the planner takes 1.039 of
/// the time of the better of this kernel and all others in 84 drawn layers of up to 32 rows or columns, where it had
/// taken 1.079.
inline constexpr NarrowGradientsModel narrow_gradients_model{223, 1721, 3913, 3103, 632,  1100, 1500,
                                                             10,  424,  0.62, 4.2,  0.18, 0.87, 1.3};

}  // namespace Tegula::Impl

#endif
