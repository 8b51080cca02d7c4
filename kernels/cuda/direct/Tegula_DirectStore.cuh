// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_STORE_CUH
#define TEGULA_DIRECT_STORE_CUH

#include "../Tegula_CudaElement.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxCluster.cuh"
#include "Tegula_DirectArguments.hpp"

namespace Tegula::Impl {

/// Adds what the warps of a team, and the teams of a cluster, have of the sums of a tile, always in the same order, and
/// stores C and Z. Threads take elements in turns in the order in which they lie in C.
template <class Config, class Bits>
class DirectStore {
  using Sum = sum_t<Bits>;

 public:
  /// The tile begins at `row` and `column`. What a thread adds to its first sum is asked for here.
  __device__ DirectStore(const DirectArguments<Bits>& arguments, std::int32_t row, std::int32_t column, int rank,
                         int thread)
      : p_(arguments),
        row_(row),
        column_(column),
        tile_m_(Config::tile_m * (direct_warps >> arguments.depth_warps)),
        first_(rank * direct_threads + thread),
        first_added_(first_ < tile_m_ * Config::tile_n ? added(place(first_)) : Sum(0)) {}

  /// Stores the sums in scratch: a part for each warp.
  __device__ void store(Sum* sums, int thread) const {
    const int parts = 1 << p_.depth_warps, stride = direct_warps / parts * Config::warp_sums;
    if (p_.cluster == 1) {
      __syncthreads();
      for_each([&](int, const Place& at, Sum before) { finish(at, total(sums + at.sum, parts, stride), before); });
    } else {
      store_with_cluster(sums, thread, parts, stride);
    }
  }

 private:
  // An element of the tile: where it lies in the result, and in a part of the sums.
  struct Place {
    std::int32_t i, j;
    int sum;
    bool is_inside;
  };

  __device__ Place place(int element) const {
    const int i = p_.runs_along_columns ? element & (tile_m_ - 1) : element / Config::tile_n;
    const int j = p_.runs_along_columns ? element / tile_m_ : element % Config::tile_n;
    return {row_ + i, column_ + j, i / Config::tile_m * Config::warp_sums + i % Config::tile_m * Config::pitch + j,
            row_ + i < p_.m && column_ + j < p_.n};
  }

  // Visits the elements that this thread of the cluster stores.
  template <class Function>
  __device__ void for_each(const Function& function) const {
    const int elements = tile_m_ * Config::tile_n;
#pragma unroll 1
    for (int element = first_; element < elements; element += p_.cluster * direct_threads) {
      const Place at = place(element);
      if (at.is_inside) function(element, at, element == first_ ? first_added_ : added(at));
    }
  }

  // The teams add up the parts of their own warps first.
  __device__ void store_with_cluster(Sum* sums, int thread, int parts, int stride) const {
    __syncthreads();
#pragma unroll 1
    for (int element = thread; element < tile_m_ * Config::tile_n; element += direct_threads) {
      Sum* const own = sums + place(element).sum;
      *own           = total(own, parts, stride);
    }
    ptx::cluster_barrier();
    const std::uint32_t shared = ptx::shared_address(sums);
    for_each([&](int, const Place& at, Sum before) {
      const std::uint32_t address = shared + at.sum * static_cast<int>(sizeof(Sum));
      Sum sum                     = 0;
#pragma unroll 4
      for (int rank = 0; rank < p_.cluster; ++rank) sum += ptx::load_of_block(address, rank, Sum());
      finish(at, sum, before);
    });
    ptx::cluster_barrier();  // nobody ends while others read what it has
  }

  __device__ static Sum total(const Sum* first, int parts, int stride) {
    Sum sum = *first;
#pragma unroll 4
    for (int part = 1; part < parts; ++part) sum += first[part * stride];
    return sum;
  }

  // beta C + bias
  __device__ Sum added(const Place& at) const {
    Sum sum = 0;
    if (!at.is_inside) return sum;
    if (!p_.is_plain && p_.beta != 0) sum = p_.beta * load<Sum>(p_.C, at.i, at.j);
    if (p_.bias != nullptr) {
      const AnyMatrix bias{p_.bias, p_.bias_element, 0, p_.bias_stride};
      sum += load<Sum>(bias, 0, p_.has_bias_of_rows ? at.i : at.j);
    }
    return sum;
  }

  __device__ void finish(const Place& at, Sum sum, Sum before) const {
    Sum z = (p_.is_plain ? sum : p_.alpha * sum) + before;
    if (p_.is_plain) {
      if (p_.is_relu) z = Relu()(z);
    } else {
      if (p_.Z.data != nullptr) Impl::store(p_.Z, at.i, at.j, z);
      with_activation<Sum>(p_.activation, [&](const auto& activation) { z = activation(z); });
    }
    Impl::store(p_.C, at.i, at.j, z);
  }

  const DirectArguments<Bits>& p_;
  std::int32_t row_, column_;
  int tile_m_, first_;
  Sum first_added_;
};

}  // namespace Tegula::Impl

#endif
