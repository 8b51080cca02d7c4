// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "Tegula_CudaFamily.hpp"
#include "Tegula_CudaPortableModel.hpp"
#include "Tegula_CudaProducts.hpp"
#include "portable/Tegula_PortableFamily.hpp"

/// The portable family as rows for CUDA: a product of gemm, or all gradients, with dZ formed while dC is read. Element
/// types that Tegula brings are data; types of a user's own come with a kernel, which has no rival.

// AMD's compiler would put the row on its device, too, and miss the row's functions there.
#ifndef __HIP_DEVICE_COMPILE__
namespace Tegula::Impl {
namespace {

constexpr const char* const family_name = portable_family;
constexpr const char* types             = "it takes activations that Tegula brings";

bool takes_types(const Call& call) {
  return call.portable != nullptr || (has_known_elements(call) && call.is_built_in);
}

const TileModel& model_of(const Call& call) {
  if (is_double(call)) return portable_double_model;
  return is_16_bit(input_of(call)) ? portable_half_model : portable_float_model;
}

bool has_scratch(const ConfigChoice& choice, const CudaMachine& machine) {
  return machine.portable.has_scratch(static_cast<std::size_t>(choice.scratch_bytes));
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  return portable_refusal(machine.portable, portable_kernels<false>(calls[0]));
}

/// The plan of a call whose kernel the user's file compiled. Throws if options ask for a tile that it does not have.
Plan own_plan(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  return portable_plan(machine.portable, call.portable->choices, uncut_plan(family_name, "Cuda", call),
                       call.portable->accumulator_bytes, options, ArgumentList(call.name));
}

std::array<ProductPlan, 2> cut_own(const Call& call, const CudaMachine& machine, const PlanOptions& options) {
  Plan plan = own_plan(call, machine, options);
  for (ProductPlan& product : plan.products) {
    product.family        = family_name;
    product.threads       = plan.threads;
    product.scratch_bytes = plan.scratch_bytes;
  }
  return plan.products;
}

/// Kernels that find out types and an activation as they go take this many times the seconds.
double slower(const Call& call) {
  const bool knows_derivative = !call.is_backward || is_one_of(OutputActivations(), call.activation);
  return call.has_operands_alike() && knows_derivative ? 1 : 1.5;
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  if (calls[0].portable != nullptr) return propose({options.tile, {1, 1}, false, 0});
  const TileModel& model = model_of(calls[0]);
  propose_tiles(model, modelled(calls[0]), machine, options, [&](Proposal proposal) {
    proposal.seconds *= slower(calls[0]);
    if (has_scratch(choice_of_tile(model.choices, proposal.tile), machine)) propose(proposal);
  });
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  if (calls[0].portable != nullptr) return cut_own(calls[0], machine, options);
  return {cut_as_proposed(family_name, model_of(calls[0]), calls[0], machine, options, proposal), {}};
}

/// Both products of gemm_backward by one tile. One kernel computes them, but takes about as long as one for each.
Plan cut_alike(const Call& call, const ConfigChoice& choice, const CudaMachine& machine, const PlanOptions& options) {
  const TileModel& model   = model_of(call);
  const std::int64_t teams = machine.portable.teams_at_once(choice.threads, choice.teams);
  Plan plan                = uncut_plan(family_name, "Cuda", call);
  drop_unwanted_products(plan);
  for (ProductPlan& product : plan.products) {
    if (is_wanted(product)) cut_into_tiles(product, choice.tile, teams, options);
  }
  cut_inner_dimensions(plan, teams, model.sum_bytes, options);
  return plan;
}

/// What forming dZ on the way costs, fitted to 60 layers in float and in double on an H100: so many times the products
/// whose operand is there, and so many times what memory takes to read dC and what was saved for each product.
double formed(const Call& call) { return call.accumulator == Element::f32 && !is_16_bit(input_of(call)) ? 2.1 : 1.4; }
constexpr double formed_bytes = 1.4;

double gradients_seconds(const Call& call, const Plan& plan, std::size_t config, const CudaMachine& machine) {
  const auto products     = gradient_products(call, call.dC);
  const std::size_t place = call.dC.element_bytes + (call.has_constant_slope ? 0 : call.saved.element_bytes);
  const double read       = number(call.dC.rows) * number(call.dC.columns) * static_cast<double>(place);
  double seconds = machine.rates->kernel, bytes = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const ProductPlan& product = plan.products[p];
    if (product.teams() == 0) continue;
    bytes += read;
    ModelledProduct as_modelled = modelled(products[p]);
    // Column sums without dB take as long as a dB of one row.
    as_modelled.shape   = product.shape;
    as_modelled.shape.n = std::max<std::int64_t>(1, product.shape.n);
    seconds += tile_seconds(model_of(call), config, product.tile, as_modelled, {product.split_k}, machine) -
               machine.rates->kernel;
  }
  return formed(call) * slower(call) * seconds + formed_bytes * bytes / machine.rates->memory;
}

/// With the inner dimensions whole, or cut so that all teams have work. Kernels have the smallest tile only.
void propose_gradients(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                       const Propose& propose) {
  if (calls[0].portable != nullptr) return propose({options.tile, {1, 1}, false, 0});
  const TileModel& model     = model_of(calls[0]);
  const std::size_t config   = model.choices.size() - 1;
  const ConfigChoice& choice = model.choices[config];
  if (!has_scratch(choice, machine) || (options.tile != TileShape{} && options.tile != choice.tile)) return;
  for (const int parts : {1, 0}) {
    PlanOptions cut = options;
    if (cut.split_k == 0) cut.split_k = parts;
    const Plan plan = cut_alike(calls[0], choice, machine, cut);
    propose({choice.tile, {parts, parts}, false, gradients_seconds(calls[0], plan, config, machine)});
  }
}

std::array<ProductPlan, 2> cut_gradients(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                                         const Proposal& proposal) {
  if (calls[0].portable != nullptr) return cut_own(calls[0], machine, options);
  const ConfigChoice& choice = choice_of_tile(model_of(calls[0]).choices, proposal.tile);
  PlanOptions cut            = options;
  if (cut.split_k == 0) cut.split_k = static_cast<int>(proposal.parts[0]);
  auto products = cut_alike(calls[0], choice, machine, cut).products;
  for (ProductPlan& product : products) {
    if (product.teams() == 0) continue;
    product.family        = family_name;
    product.threads       = choice.threads;
    product.scratch_bytes = static_cast<std::size_t>(choice.scratch_bytes);
  }
  (products[0].teams() > 0 ? products[0] : products[1]).seconds = proposal.seconds;
  return products;
}

#if TEGULA_HAS_MMA
/// The kernel takes its teams from a plan of what it computes.
void launch(const CudaLaunch& l) {
  Plan plan = l.plan;
  std::fill(plan.products.begin(), plan.products.end(), ProductPlan{});
  std::copy(l.products.begin(), l.products.end(), plan.products.begin());
  const ProductPlan& first = plan.products[0].teams() > 0 ? plan.products[0] : plan.products[1];
  plan.family              = family_name;
  plan.threads             = first.threads;
  plan.scratch_bytes       = first.scratch_bytes;
  l.before();
  launch_portable_call(l.exec, l.calls[0], plan, l.memory);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

extern const CudaFamily portable_cuda_family =
    apart({family_name, Covers::product, types, takes_types, refusal, propose, cut, launch, nullptr, true});
extern const CudaFamily portable_cuda_gradients_family =
    with_below({family_name, Covers::gradients, types, takes_types, refusal, propose_gradients, cut_gradients, launch},
               BelowBy::slopes);

}  // namespace Tegula::Impl
#endif
