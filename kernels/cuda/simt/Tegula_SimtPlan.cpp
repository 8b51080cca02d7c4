// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SimtPlan.hpp"

#include "../async/Tegula_AsyncPlan.hpp"
#include "Tegula_SimtConfig.hpp"

namespace Tegula::Impl {
namespace {

// Rates and costs were measured on an H200.
constexpr auto choices = choices_of(SimtConfigs());
constexpr std::array<AsyncRate, choices.size()> rates{AsyncRate{101, 101, 4000, 4},
                                                      {45, 97, 400, 8},
                                                      {82, 82, 2000, 4},
                                                      {60, 60, 1000, 4},
                                                      {30, 75, 400, 8},
                                                      {24, 27, 5000, 4},
                                                      {24, 27, 5000, 4}};
static_assert(rates.back().alone > 0, "every configuration has a rate");
constexpr AsyncModel model{choices, rates, sizeof(float)};

}  // namespace

void plan_simt_products(Plan& plan, const CudaMachine& machine, const PlanOptions& options,
                        const ArgumentList& arguments) {
  plan_async_products(model, plan, machine, options, arguments);
}

}  // namespace Tegula::Impl
