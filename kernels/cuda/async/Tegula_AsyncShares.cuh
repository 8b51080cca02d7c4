// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_SHARES_CUH
#define TEGULA_ASYNC_SHARES_CUH

namespace Tegula::Impl {

/// Adds the sums of warps that share the depth of a tile, behind the main loop: those of the first share of threads
/// become the sums of all. The other shares leave theirs in scratch, where stages were, one share after the other.
template <class Config, class Sums>
__device__ inline void add_shares(char* scratch, int thread, Sums& sums) {
  using Sum           = typename Config::sum;
  constexpr int count = int(sizeof(Sums) / sizeof(Sum));
  static_assert(count * Config::sharers * int(sizeof(Sum)) <= Config::bias_at, "sums fit where stages were");
  Sum* const left_there = reinterpret_cast<Sum*>(scratch) + thread % Config::sharers;
  Sum* const own        = reinterpret_cast<Sum*>(&sums);
  for (int share = Config::warps_k - 1; share > 0; --share) {
    __syncthreads();
    if (thread / Config::sharers == share)
#pragma unroll
      for (int s = 0; s < count; ++s) left_there[s * Config::sharers] = own[s];
    __syncthreads();
    if (thread < Config::sharers)
#pragma unroll
      for (int s = 0; s < count; ++s) own[s] += left_there[s * Config::sharers];
  }
}

}  // namespace Tegula::Impl

#endif
