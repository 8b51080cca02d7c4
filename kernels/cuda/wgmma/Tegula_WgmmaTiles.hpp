// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_TILES_HPP
#define TEGULA_WGMMA_TILES_HPP

#include <algorithm>
#include <cstdint>

#include "Tegula_TileOrder.hpp"

/// The tile scheduler: which tile a team computes next.

namespace Tegula::Impl {

/// Division by a number that is known on the host, without a device's slow division: with s = ceil(log2 d) and
/// f = floor(2^32 (2^s - d) / d) + 1 the quotient of 0 <= n < 2^31 is (floor(n f / 2^32) + n) / 2^s (Granlund and
/// Montgomery, doi:10.1145/178243.178249).
class Divisor {
 public:
  Divisor() = default;
  constexpr explicit Divisor(std::uint32_t divisor) : divisor_(divisor) {
    while ((std::uint64_t(1) << shift_) < divisor) ++shift_;
    factor_ =
        static_cast<std::uint32_t>(((std::uint64_t(1) << 32) * ((std::uint64_t(1) << shift_) - divisor)) / divisor + 1);
  }

  TEGULA_HOST_DEVICE constexpr std::uint32_t quotient(std::uint32_t n) const {
    return (static_cast<std::uint32_t>(static_cast<std::uint64_t>(n) * factor_ >> 32) + n) >> shift_;
  }
  TEGULA_HOST_DEVICE constexpr std::uint32_t value() const { return divisor_; }

 private:
  std::uint32_t divisor_ = 1, factor_ = 1, shift_ = 0;
};

/// A tile, and the part of the inner dimension, in steps of the tile, that is summed.
struct WgmmaWork {
  std::int32_t row, column;  // of the first element
  std::int32_t split;
  std::int32_t step_begin, step_end;
};

/// All tiles of a product in the grouped order of TileOrder, times all parts of the inner dimension. Teams are
/// persistent: the team of league rank r computes works r, r + teams, r + 2 teams, ..., so that the works of one wave
/// are neighbours in that order.
class WgmmaTiles {
 public:
  WgmmaTiles() = default;
  WgmmaTiles(const TileShape& tile, const TileOrder& order, std::int64_t steps, std::int64_t steps_per_split)
      : tile_m_(tile.m),
        tile_n_(tile.n),
        steps_(static_cast<std::int32_t>(steps)),
        steps_per_split_(static_cast<std::int32_t>(steps_per_split)),
        rows_(static_cast<std::uint32_t>(order.rows)),
        works_(static_cast<std::uint32_t>(order.tiles() * (steps == 0 ? 1 : ceil_div(steps, steps_per_split)))),
        tiles_(static_cast<std::uint32_t>(order.tiles())),
        group_tiles_(static_cast<std::uint32_t>(order.group * order.columns)),
        group_(static_cast<std::uint32_t>(order.group)),
        last_group_(static_cast<std::uint32_t>((order.rows - 1) % order.group + 1)) {}

  TEGULA_HOST_DEVICE std::uint32_t works() const { return works_; }

  TEGULA_HOST_DEVICE WgmmaWork operator()(std::uint32_t rank) const {
    const std::uint32_t split     = tiles_.quotient(rank);
    const std::uint32_t tile      = rank - split * tiles_.value();
    const std::uint32_t group     = group_tiles_.quotient(tile);
    const std::uint32_t first_row = group * group_.value();
    const std::uint32_t in_group  = tile - group * group_tiles_.value();
    const Divisor& group_rows     = first_row + group_.value() <= rows_ ? group_ : last_group_;
    const std::uint32_t column    = group_rows.quotient(in_group);
    const std::uint32_t row       = first_row + in_group - column * group_rows.value();
    const std::int32_t begin      = static_cast<std::int32_t>(split) * steps_per_split_;
    const std::int32_t end        = begin + steps_per_split_;
    return {static_cast<std::int32_t>(row) * tile_m_, static_cast<std::int32_t>(column) * tile_n_,
            static_cast<std::int32_t>(split), begin, end < steps_ ? end : steps_};
  }

 private:
  std::int32_t tile_m_ = 0, tile_n_ = 0, steps_ = 0, steps_per_split_ = 1;
  std::uint32_t rows_ = 0, works_ = 0;
  Divisor tiles_, group_tiles_, group_, last_group_;
};

/// How the works of two products are shared out among persistent teams. The first product's works are the longer ones.
/// They go round; then the teams that got one less of them get a head start on the others, as many of the second
/// product's works as that one is long; the rest goes round again.
class WgmmaShares {
 public:
  WgmmaShares() = default;
  WgmmaShares(std::uint32_t first_works, std::uint32_t second_works, std::uint32_t head_start, std::uint32_t teams)
      : first_works_(first_works),
        second_works_(second_works),
        head_start_(head_start),
        teams_(teams),
        more_(first_works % teams),
        head_starts_(std::min(second_works, head_start * (teams - first_works % teams))) {}

  TEGULA_HOST_DEVICE std::uint32_t teams() const { return teams_; }

 private:
  friend class WgmmaTurns;

  std::uint32_t first_works_ = 0, second_works_ = 0, head_start_ = 0, teams_ = 1;
  std::uint32_t more_        = 0;  // teams with one more of the first product's works
  std::uint32_t head_starts_ = 0;  // works of the second product that are given as head starts
};

/// The works of one team, one after the other: work number() of product().
class WgmmaTurns {
 public:
  TEGULA_HOST_DEVICE WgmmaTurns(const WgmmaShares& shares, std::uint32_t team)
      : shares_(shares), team_(team), number_(team) {
    if (number_ >= shares.first_works_) begin_second();
  }

  TEGULA_HOST_DEVICE bool is_over() const { return product_ == 1 && number_ >= shares_.second_works_; }
  TEGULA_HOST_DEVICE int product() const { return product_; }
  TEGULA_HOST_DEVICE std::uint32_t number() const { return number_; }

  TEGULA_HOST_DEVICE void next() {
    if (product_ == 0) {
      number_ += shares_.teams_;
      if (number_ >= shares_.first_works_) begin_second();
    } else if (ahead_ > 1) {
      --ahead_;
      number_ += shares_.teams_ - shares_.more_;
    } else if (ahead_ == 1) {
      ahead_  = 0;
      number_ = first_of_rest();
    } else {
      number_ += shares_.teams_;
    }
  }

 private:
  TEGULA_HOST_DEVICE bool is_ahead() const { return team_ >= shares_.more_; }
  TEGULA_HOST_DEVICE std::uint32_t first_of_rest() const {
    return shares_.head_starts_ + (is_ahead() ? team_ : team_ + shares_.teams_) - shares_.more_;
  }
  TEGULA_HOST_DEVICE void begin_second() {
    product_ = 1;
    ahead_   = is_ahead() ? shares_.head_start_ : 0;
    number_  = ahead_ > 0 ? team_ - shares_.more_ : first_of_rest();
  }

  const WgmmaShares& shares_;
  std::uint32_t team_, number_, ahead_ = 0;
  int product_ = 0;
};

/// The head start that a work of `long_steps` is worth in works of `short_steps`. To begin and to end a tile takes
/// about as long as a few steps.
inline std::uint32_t head_start_of(std::int64_t long_steps, std::int64_t short_steps) {
  constexpr std::int64_t around = 3;
  return static_cast<std::uint32_t>((long_steps + around) / (short_steps + around));
}

}  // namespace Tegula::Impl

#endif
