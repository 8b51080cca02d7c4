// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_TURNS_HPP
#define TEGULA_WGMMA_TURNS_HPP

#include <algorithm>
#include <cstdint>

#include "Tegula_TileOrder.hpp"

namespace Tegula::Impl {

/// How persistent teams divide the work items of two products. A work item is a tile, or with split-k a part of its
/// inner dimension. Those of the first product are the longer ones and are dealt out in turn. Then some teams have one
/// less of them. These get a head start: as many work items of the second product as take the same time. The rest is
/// dealt out in turn again.
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
  template <int>
  friend class WgmmaTurns;

  std::uint32_t first_works_ = 0, second_works_ = 0, head_start_ = 0, teams_ = 1;
  std::uint32_t more_        = 0;  // teams with one more work item of the first product
  std::uint32_t head_starts_ = 0;  // work items of the second product that are given as head starts
};

/// The work items of one team, one after the other: number() of product().
template <int Products>
class WgmmaTurns;

template <>
class WgmmaTurns<1> {
 public:
  TEGULA_HOST_DEVICE WgmmaTurns(const WgmmaShares& shares, std::uint32_t team) : shares_(shares), number_(team) {}

  TEGULA_HOST_DEVICE bool is_over() const { return number_ >= shares_.first_works_; }
  TEGULA_HOST_DEVICE static constexpr int product() { return 0; }
  TEGULA_HOST_DEVICE std::uint32_t number() const { return number_; }
  TEGULA_HOST_DEVICE void next() { number_ += shares_.teams_; }

 private:
  const WgmmaShares& shares_;
  std::uint32_t number_;
};

template <>
class WgmmaTurns<2> {
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

/// The work items of `short_steps` that take as long as one of `long_steps`. Beginning and ending a tile takes about as
/// long as a few steps.
inline std::uint32_t head_start_of(std::int64_t long_steps, std::int64_t short_steps) {
  constexpr std::int64_t around = 3;
  return static_cast<std::uint32_t>((long_steps + around) / (short_steps + around));
}

}  // namespace Tegula::Impl

#endif
