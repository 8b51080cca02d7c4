// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_REGISTER_STEPS_CUH
#define TEGULA_SHALLOW_REGISTER_STEPS_CUH

#include <type_traits>

#include "Tegula_ShallowFma.cuh"
#include "Tegula_ShallowGradient.cuh"
#include "Tegula_ShallowMma.cuh"

namespace Tegula::Impl {

/// The steps of a warp whose dZ stays in registers: in 16 bits, and where sums are short.
template <class Config, class Input, bool in_words>
class ShallowRegisterSteps {
  using Bits     = typename Config::element;
  using Sum      = typename Config::sum;
  using Gradient = ShallowGradient<Config, Input, in_words>;
  using Products = std::conditional_t<Config::of_16_bits, ShallowMma<Config, Input>, ShallowFma<Config>>;

 public:
  static constexpr bool takes_turns = true;

  __device__ ShallowRegisterSteps(const ShallowArguments<Bits>& arguments, Sum* scratch, const ShallowPlace& place)
      : sums_rows_(arguments.of_rows.has_sums),
        scratch_(scratch),
        warp_(place.unit),
        products_(arguments, scratch, place),
        gradient_(arguments, place) {}

  template <class Member>
  __device__ void begin(const Member&) {
    gradient_.ask(asked_);
    products_.ask(left_);
    products_.bring_right();
  }

  __device__ Sum* add(int turn) {
    Sum dZ[shallow_runs][Gradient::run];
    gradient_.form(asked_, dZ);
    const typename Products::Left now = left_;
    gradient_.ask(asked_);
    products_.ask(left_);
    Sum* const steps = scratch_ + turn * Config::units * Config::step_sums;
    Sum* const sums  = steps + warp_ * Config::step_sums;
    products_.add(dZ, now, sums);
    if (sums_rows_) products_.sum_rows(dZ, sums + Config::Unit::rows * Config::depth);
    return steps;
  }

  template <int g>
  __device__ void put(Sum* tile) const {
    products_.template put<g>(tile);
  }
  __device__ void put_totals(Sum* tile) const { products_.put_totals(tile); }

 private:
  bool sums_rows_;
  Sum* scratch_;
  int warp_;
  Products products_;
  Gradient gradient_;
  typename Gradient::Asked asked_;
  typename Products::Left left_;
};

}  // namespace Tegula::Impl

#endif
