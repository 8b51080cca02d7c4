// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_SHARES_CUH
#define TEGULA_ASYNC_SHARES_CUH

namespace Tegula::Impl {

/// Adds the sums of warps that share the depth of a tile, after the main loop. The first group of threads ends with all
/// sums. The other groups leave theirs in scratch, in the place of the stages, one group after the other.
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
