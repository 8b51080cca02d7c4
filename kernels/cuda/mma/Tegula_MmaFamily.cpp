// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_LaunchCopies.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_MmaConfig.hpp"
#include "Tegula_MmaLaunch.hpp"
#include "Tegula_QueueInOrder.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "mma";
constexpr const char* types =
    "it takes double throughout, or half_t or bhalf_t times the same, to the same or float, with an activation that "
    "Tegula brings, on Cuda";

constexpr std::int64_t shortest = 2;  // steps of a part of split-k

// Fitted to an H200.
constexpr auto half_choices = choices_of(MmaConfigs());
constexpr std::array<TileRates, half_choices.size()> half_rates{
    TileRates{0.84, 0.84, 1000, 4}, {0.80, 0.77, 1000, 4}, {0.54, 0.66, 1000, 4}, {0.61, 0.61, 1000, 4},
    {0.36, 0.48, 1000, 4},          {0.37, 0.48, 1000, 4}, {0.32, 0.42, 1000, 4}};
static_assert(half_rates.back().alone > 0, "every configuration has rates");
constexpr TileModel half_model{half_choices, half_rates, &CudaRates::mma_half, 2, sizeof(float), shortest};

constexpr auto double_choices = choices_of(MmaDoubleConfigs());
constexpr std::array<TileRates, double_choices.size()> double_rates{
    TileRates{0.94, 0.97, 1000, 2}, {0.72, 0.95, 500, 3.5}, {0.53, 0.87, 500, 3.5},
    {0.64, 0.88, 500, 3.5},         {0.50, 0.83, 600, 4},   {0.47, 0.61, 500, 3.5},
    {0.30, 0.70, 500, 3.5},         {0.15, 0.47, 500, 3.5}, {0.23, 0.47, 400, 3.5}};
static_assert(double_rates.back().alone > 0, "every configuration has rates");
constexpr TileModel double_model{
    double_choices, double_rates, &CudaRates::mma_double, sizeof(double), sizeof(double), shortest};

const TileModel& model_of(const Call& call) { return is_double(call) ? double_model : half_model; }

bool takes_types(const Call& call) { return has_activation(call) && (is_half(call) || is_uniform(call, Element::f64)); }

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  return cuda_refusal(calls[0], machine);
}

OperandCopies copies_of(const Call& call) {
  if (is_double(call)) return {};  // which are copied to scratch one by one, if they do not lie in runs
  return operand_copies(product_call<std::uint16_t>(call), call.shape());
}

/// Operands that are not aligned are copied first, or gathered by the kernel itself, one by one.
void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const Call& call           = calls[0];
  const OperandCopies copies = copies_of(call);
  if (copies.none()) return propose_tiles(model_of(call), call, machine, options, propose);
  constexpr double gathered = 2;  // of the time of a kernel that need not gather
  const double copied       = copies_seconds(machine, copies);
  propose_tiles(model_of(call), call, machine, options, [&](Proposal proposal) {
    const double seconds = proposal.seconds;
    proposal.seconds     = gathered * seconds;
    propose(proposal);
    proposal.copies  = true;
    proposal.seconds = seconds + copied;
    propose(proposal);
  });
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  ProductPlan product = cut_as_proposed(name, model_of(calls[0]), calls[0], machine, options, proposal);
  if (proposal.copies) plan_copies(product, copies_of(calls[0]));
  return {product, {}};
}

#if TEGULA_HAS_MMA
void launch_doubles(const CudaLaunch& l) {
  launch_mma(l.exec, product_call<double>(l.calls[0]), l.plan, l.products[0], reinterpret_cast<double*>(l.memory),
             l.before);
}

void launch_halves(const CudaLaunch& l) {
  const HalfCall call        = product_call<std::uint16_t>(l.calls[0]);
  const ProductPlan& product = l.products[0];
  const auto copies          = [&](const CallableRef& before) {
    launch_copies(l.exec, KernelLabel(l.plan, product), call, product, l.memory, before);
  };
  queue_in_order(l.before, copies, [&](const CallableRef& before) {
    launch_mma(l.exec, with_aligned_copies(call, product, l.memory), l.plan, product,
               reinterpret_cast<float*>(l.memory), before);
  });
}

void launch(const CudaLaunch& l) { (is_double(l.calls[0]) ? launch_doubles : launch_halves)(l); }
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Compute capability 8.0 and newer: tensor cores through mma.sync, operands brought by cp.async; 16-bit elements and
/// double.
extern const CudaFamily mma_family{name, Covers::product, types, takes_types, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
