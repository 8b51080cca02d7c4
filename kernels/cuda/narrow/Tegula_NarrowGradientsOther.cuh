// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_GRADIENTS_OTHER_CUH
#define TEGULA_NARROW_GRADIENTS_OTHER_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxMma.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_NarrowGradients.hpp"

namespace Tegula::Impl {

/// A team's panel of the other operand, columns x depth, in scratch: a line of columns for every place of the depth, in
/// the order in which tensor cores take them, and zeros beyond the last column and place.
template <class Config, bool by_rows>
class NarrowGradientsOther {
  using Bits  = std::uint16_t;
  using Place = NarrowGradientsPlace<by_rows>;

 public:
  /// From place `at` of the depth on. `scratch`: Config::depth lines of Config::row_bytes, of the team.
  __device__ NarrowGradientsOther(const NarrowGradients::Matrix& matrix, bool in_pairs, std::int32_t at, void* scratch)
      : matrix_(matrix), in_pairs_(in_pairs), at_(at), scratch_(ptx::shared_address(scratch)) {}

  /// All threads of the team call this. Neighbours have what lies next to each other.
  __device__ void bring(int thread) const {
    if (in_pairs_) {
      bring(thread, Pairs(), [](int number) { return PlaceAndPair{number / pairs, number % pairs}; });
    } else {
      bring(thread, Elements(), [](int number) {
        return PlaceAndPair{number % Config::depth, number / Config::depth};
      });
    }
  }

  /// A block of 16 places as left operand, with the columns of group `g` and of the next one, if there is one.
  __device__ void take(int block, int g, int lane, std::uint32_t (&left)[4]) const {
    ptx::load_matrices(scratch_ + Config::line_of_other(block, g, lane), left);
    if (!Config::has_next(g)) left[2] = left[3] = 0;
  }

 private:
  // Pairs of columns at a place of the depth, as they lie in memory. What lies beyond the end is read from the last
  // one.
  static constexpr int pairs = Config::columns / 2, own_pairs = Config::depth * pairs / Config::threads;
  static_assert(own_pairs * Config::threads == Config::depth * pairs);
  struct PlaceAndPair {
    int place, pair;
  };
  struct Pairs {
    __device__ static std::uint32_t read(const Bits* line, std::int64_t /* apart */, std::int32_t c,
                                         std::int32_t last) {
      return *reinterpret_cast<const std::uint32_t*>(line + min(c, last / 2 * 2));
    }
  };
  struct Elements {
    __device__ static std::uint32_t read(const Bits* line, std::int64_t apart, std::int32_t c, std::int32_t last) {
      return line[min(c, last) * apart] | std::uint32_t(line[min(c + 1, last) * apart]) << 16;
    }
  };

  template <class Reads, class Deal>
  __device__ void bring(int thread, const Reads& /* reads */, const Deal& of) const {
    const auto columns = static_cast<std::int32_t>(matrix_.rows), depth = static_cast<std::int32_t>(matrix_.columns);
    std::uint32_t read[own_pairs];
#pragma unroll
    for (int own = 0; own < own_pairs; ++own) {
      const auto [place, pair] = of(own * Config::threads + thread);
      const Bits* const line   = matrix_.data + min(at_ + place, depth - 1) * matrix_.column_stride;
      read[own]                = Reads::read(line, matrix_.row_stride, 2 * pair, columns - 1);
    }
#pragma unroll
    for (int own = 0; own < own_pairs; ++own) {
      const auto [place, pair] = of(own * Config::threads + thread);
      const std::int32_t left  = at_ + place < depth ? columns - 2 * pair : 0;
      const std::uint32_t mask = left > 1 ? 0xFFFFFFFFu : left > 0 ? 0xFFFFu : 0;
      ptx::store_element(scratch_ + Place::slot_at(place) * Config::row_bytes + pair * 4, read[own] & mask);
    }
  }

  const NarrowGradients::Matrix& matrix_;
  bool in_pairs_;
  std::int32_t at_;
  std::uint32_t scratch_;
};

}  // namespace Tegula::Impl

#endif
