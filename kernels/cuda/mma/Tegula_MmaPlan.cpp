// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_MmaPlan.hpp"

#include "../async/Tegula_AsyncPlan.hpp"
#include "Tegula_MmaConfig.hpp"

namespace Tegula::Impl {
namespace {

// Rates and costs were measured on an H200.
constexpr auto half_choices = choices_of(MmaConfigs());
constexpr std::array<AsyncRate, half_choices.size()> half_rates{AsyncRate{1070, 1070, 1000, 4},
                                                                {1020, 990, 1000, 4},
                                                                {690, 840, 1000, 4},
                                                                {780, 780, 1000, 4},
                                                                {460, 610, 1000, 4},
                                                                {470, 620, 1000, 4},
                                                                {410, 540, 1000, 4}};
static_assert(half_rates.back().alone > 0, "every configuration has a rate");
constexpr AsyncModel half_model{half_choices, half_rates, sizeof(float)};

constexpr auto double_choices = choices_of(MmaDoubleConfigs());
constexpr std::array<AsyncRate, double_choices.size()> double_rates{
    AsyncRate{120, 124, 1000, 2}, {92, 121, 500, 3.5}, {68, 111, 500, 3.5}, {82, 113, 500, 3.5}, {64, 106, 600, 4},
    {60, 78, 500, 3.5},           {39, 90, 500, 3.5},  {19, 60, 500, 3.5},  {30, 60, 400, 3.5}};
static_assert(double_rates.back().alone > 0, "every configuration has a rate");
constexpr AsyncModel double_model{double_choices, double_rates, sizeof(double)};

}  // namespace

void plan_mma_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                       const ArgumentList& arguments) {
  plan_async_products(half_model, plan, machine, options, arguments);
}

void plan_mma_double_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                              const ArgumentList& arguments) {
  plan_async_products(double_model, plan, machine, options, arguments);
}

}  // namespace Tegula::Impl
