// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_STORE_CUH
#define TEGULA_DIRECT_STORE_CUH

#include "../Tegula_ResultElement.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxCluster.cuh"
#include "Tegula_DirectArguments.hpp"

namespace Tegula::Impl {

/// Adds what the warps of a team, and the teams of a cluster, have of the sums of a tile, always in the same order, and
/// stores C and Z. Threads take elements in turns in the order in which they lie in C. Where arguments ask for the sums
/// of the left operand's lines, too, those are elements behind the others, of the teams of the first columns.
template <class Config, class Bits, class Arguments>
class DirectStore {
  using Sum = sum_t<Bits>;
  using Any = ResultElement<Bits>;

 public:
  /// The tile begins at `row` and `column`. What a thread adds to its first sum is asked for here, and to the next ones
  /// before it is needed, too.
  __device__ DirectStore(const Arguments& arguments, std::int32_t row, std::int32_t column, int rank, int thread)
      : p_(arguments),
        row_(row),
        column_(column),
        line_warps_(direct_warps_log2 - arguments.how.depth_warps),
        elements_((Config::tile_m * Config::tile_n) << line_warps_),
        all_(elements_ + row_sums()),
        first_(rank * direct_threads + thread),
        first_asked_(first_ < all_ ? ask(place(first_)) : Added{}) {}

  /// Stores the sums in scratch: a part for each warp. Teams of a cluster add up those of their own warps first.
  __device__ void store(Sum* sums, int thread) const {
    const int parts = 1 << p_.how.depth_warps, stride = Config::warp_sums << line_warps_;
    const bool is_alone = p_.how.cluster == 0;
    __syncthreads();
    if (!is_alone) {
      add_up_own(sums, thread, parts, stride);
      ptx::cluster_barrier();
    }
    const int turn = direct_threads << p_.how.cluster;
    Place next     = place(first_);
    Added asked    = first_asked_;
#pragma unroll 1
    for (int element = first_; element < all_; element += turn) {
      const Place at    = next;
      const Added added = asked;
      if (element + turn < all_) {
        next  = place(element + turn);
        asked = ask(next);
      }
      if (at.is_inside)
        finish(at, is_alone ? total(sums + at.sum, parts, stride) : total_of_cluster(sums + at.sum), added);
    }
    if (!is_alone) ptx::cluster_barrier();  // nobody ends while others read what it has
  }

 private:
  // An element of the tile: where it lies in the result, and in a part of the sums.
  struct Place {
    std::int32_t i, j;
    int sum;
    bool is_inside;
  };

  // Elements of C and of the bias, and of what the layer below saved, as they were asked for. Who has a layer below has
  // no bias.
  struct Added {
    typename Any::Asked C, bias;

    __device__ typename Any::Asked saved() const { return bias; }
  };

  // How many sums of lines the team stores.
  __device__ int row_sums() const {
    if constexpr (Arguments::sums_rows)
      return p_.dbias.data != nullptr && column_ == 0 ? Config::tile_m << line_warps_ : 0;
    return 0;
  }

  __device__ static bool is_row_sum(const Place& at) { return Arguments::sums_rows && at.j < 0; }

  __device__ Place place_of_row_sum(int line) const {
    return {row_ + line, -1,
            line / Config::tile_m * Config::warp_sums + line % Config::tile_m * Config::pitch + Config::tile_n,
            row_ + line < p_.m};
  }

  __device__ Place place(int element) const {
    if (Arguments::sums_rows && element >= elements_) return place_of_row_sum(element - elements_);
    const int warp    = p_.runs_along_columns ? element / Config::tile_m & ((1 << line_warps_) - 1)
                                              : element / (Config::tile_m * Config::tile_n);
    const int of_warp = p_.runs_along_columns ? element % Config::tile_m : element / Config::tile_n % Config::tile_m;
    const int j       = p_.runs_along_columns ? element / Config::tile_m >> line_warps_ : element % Config::tile_n;
    const int i       = warp * Config::tile_m + of_warp;
    return {row_ + i, column_ + j, warp * Config::warp_sums + of_warp * Config::pitch + j,
            row_ + i < p_.m && column_ + j < p_.n};
  }

  __device__ void add_up_own(Sum* sums, int thread, int parts, int stride) const {
#pragma unroll 1
    for (int element = thread; element < all_; element += direct_threads) {
      Sum* const own = sums + place(element).sum;
      *own           = total(own, parts, stride);
    }
  }

  __device__ Sum total_of_cluster(const Sum* first) const {
    const std::uint32_t address = ptx::shared_address(first);
    Sum sum                     = 0;
#pragma unroll 4
    for (int rank = 0; rank < 1 << p_.how.cluster; ++rank) sum += ptx::load_of_block(address, rank, Sum());
    return sum;
  }

  __device__ static Sum total(const Sum* first, int parts, int stride) {
    Sum sum = *first;
#pragma unroll 4
    for (int part = 1; part < parts; ++part) sum += first[part * stride];
    return sum;
  }

  __device__ static std::int64_t offset(const AnyMatrix& matrix, const Place& at) {
    return at.i * matrix.row_stride + at.j * matrix.column_stride;
  }

  __device__ bool adds_C() const { return !p_.is_plain && p_.beta != 0; }

  // Calls function() if the result is multiplied for a layer below, which only the arguments of `direct` can have.
  template <class Function>
  __device__ void if_below(const Function& function) const {
    if constexpr (requires(const Arguments& arguments) { arguments.slope_below; })
      if (!p_.is_plain && !p_.slope_below.is_one) function(p_);
  }

  __device__ Added ask(const Place& at) const {
    Added asked{};
    if (!at.is_inside) return asked;
    if constexpr (Arguments::sums_rows) {
      if (is_row_sum(at)) {
        if (p_.accumulates_dbias) asked.C = Any::ask(p_.dbias.data, p_.dbias.element, at.i * p_.dbias.column_stride);
        return asked;
      }
    }
    if (p_.bias != nullptr)
      asked.bias = Any::ask(p_.bias, p_.bias_element, (p_.has_bias_of_rows ? at.i : at.j) * p_.bias_stride);
    if_below([&](const auto& p) {
      asked.bias = Any::ask(p.saved_below.data, p.saved_below.element, offset(p.saved_below, at));
    });
    if (adds_C()) asked.C = Any::ask(p_.C.data, p_.C.element, offset(p_.C, at));
    return asked;
  }

  __device__ void finish(const Place& at, Sum sum, const Added& added) const {
    if constexpr (Arguments::sums_rows) {
      if (is_row_sum(at)) return finish_row_sum(at, sum, added);
    }
    Sum z = p_.is_plain ? sum : p_.alpha * sum;
    if (adds_C()) z += p_.beta * Any::value(p_.C.element, added.C);
    if (p_.bias != nullptr) z += Any::value(p_.bias_element, added.bias);
    if (p_.is_plain) {
      if (p_.is_relu) z = Relu()(z);
    } else {
      if (p_.Z.data != nullptr) Any::store(p_.Z.data, p_.Z.element, offset(p_.Z, at), z);
      with_activation<Sum>(p_.activation, [&](const auto& activation) { z = activation(z); });
      if_below([&](const auto& p) { z *= p.slope_below(Any::value(p.saved_below.element, added.saved())); });
    }
    Any::store(p_.C.data, p_.C.element, offset(p_.C, at), z);
  }

  __device__ void finish_row_sum(const Place& at, Sum sum, const Added& added) const {
    if (p_.accumulates_dbias) sum += Any::value(p_.dbias.element, added.C);
    Any::store(p_.dbias.data, p_.dbias.element, at.i * p_.dbias.column_stride, sum);
  }

  const Arguments& p_;
  std::int32_t row_, column_;
  int line_warps_, elements_, all_, first_;
  Added first_asked_;
};

}  // namespace Tegula::Impl

#endif
