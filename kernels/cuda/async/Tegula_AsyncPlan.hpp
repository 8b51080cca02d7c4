// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ASYNC_PLAN_HPP
#define TEGULA_ASYNC_PLAN_HPP

#include <span>

#include "../Tegula_ConfigList.hpp"
#include "../Tegula_CudaMachine.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// How families whose teams compute one tile each cut products into tiles.

namespace Tegula::Impl {

/// How long a team takes. Only the ratios between configurations matter.
struct AsyncRate {
  double alone, full;  // multiply-adds a cycle: of a multiprocessor with one team, and with as many as fit
  double work_start;   // cycles before the first products of a tile, less what other teams hide
  double stored_sums;  // a cycle, epilogue included
};

/// What the cost model of elements of one type consists of.
struct AsyncModel {
  std::span<const ConfigChoice> choices;
  std::span<const AsyncRate> rates;  // one for each choice
  std::size_t sum_bytes;
};

/// Chooses the tile of a plan and the split-k of its products.
void plan_async_products(const AsyncModel& model, Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                         const ArgumentList& arguments);

}  // namespace Tegula::Impl

#endif
