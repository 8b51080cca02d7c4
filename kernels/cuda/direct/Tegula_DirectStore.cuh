// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_STORE_CUH
#define TEGULA_DIRECT_STORE_CUH

#include "../Tegula_ResultElement.cuh"
#include "Tegula_DirectArguments.hpp"
#include "Tegula_DirectCluster.cuh"

namespace Tegula::Impl {

/// Adds what the warps of a team, and the teams of a cluster, have of the sums of a tile, always in the same order, and
/// stores C and Z. Threads take elements in turns in the order in which they lie in C. Where arguments ask for the sums
/// of the left operand's lines, too, those are elements behind the others, of the teams of the first columns.
/// `is_shared`: there is a cluster.
template <class Config, class Bits, class Arguments, bool is_shared>
class DirectStore {
  using Sum = sum_t<Bits>;
  using Any = ResultElement<Bits>;

 public:
  /// The tile begins at `row` and `column`. Scratch has a part of its sums for each warp, before store().
  __device__ DirectStore(const Arguments& arguments, Sum* scratch, std::int32_t row, std::int32_t column, int rank,
                         int thread)
      : p_(arguments),
        sums_(scratch),
        row_(row),
        column_(column),
        line_warps_(direct_warps_log2 - arguments.how.depth_warps),
        elements_((Config::tile_m * Config::tile_n) << line_warps_),
        all_(elements_ + row_sums()),
        thread_(thread),
        rank_(rank) {
    if constexpr (is_shared) cluster().begin(thread);
  }

  /// What a thread adds to its first sum is asked for here, and to the next ones before it is needed, too.
  __device__ void ask_first() {
    if (first() < all_) first_asked_ = ask(place(first()));
  }

  /// Teams of a cluster add up the sums of their own warps first.
  __device__ void store() const {
    __syncthreads();
    if constexpr (is_shared) share();
    const int turn = is_shared ? direct_threads << p_.how.cluster : direct_threads;
    Place next     = place(first());
    Added asked    = first_asked_;
#pragma unroll 1
    for (int element = first(); element < all_; element += turn) {
      const Place at    = next;
      const Added added = asked;
      if (element + turn < all_) {
        next  = place(element + turn);
        asked = ask(next);
      }
      if (at.is_inside) finish(at, is_shared ? cluster().total(element) : total(at), added);
    }
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

  __device__ int first() const { return is_shared ? rank_ * direct_threads + thread_ : thread_; }
  __device__ DirectCluster<Config, Sum> cluster() const { return {sums_, p_.how.cluster, rank_, all_}; }

  __device__ void share() const {
    const DirectCluster<Config, Sum> teams = cluster();
    teams.wait_for_teams();
#pragma unroll 1
    for (int element = thread_; element < all_; element += direct_threads) teams.send(element, total(place(element)));
    teams.wait_for_parts();
  }

  // Of the team's warps.
  __device__ Sum total(const Place& at) const {
    const int parts = 1 << p_.how.depth_warps, stride = Config::warp_sums << line_warps_;
    const Sum* const first = sums_ + at.sum;
    Sum sum                = *first;
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
  Sum* sums_;
  std::int32_t row_, column_;
  int line_warps_, elements_, all_, thread_, rank_;
  Added first_asked_{};
};

}  // namespace Tegula::Impl

#endif
