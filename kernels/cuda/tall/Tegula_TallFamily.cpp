// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSliceSums.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_QueueInOrder.hpp"
#include "Tegula_TallArguments.hpp"
#include "Tegula_TallConfig.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "tall";
constexpr const char* types =
    "it takes gemm_backward in float or double throughout, with an activation that Tegula brings, on Cuda";

// Measured on an H200. Cycles are of a multiprocessor, for every place of a tile of dC, whether a matrix is as wide or
// not; elements are those of matrices that are brought one by one.
constexpr double memory = 0.90;  // of the bandwidth
// Seconds of a team before its first tile and behind its last, up to 16 columns and up to 32.
constexpr double start = 4.0e-6, wide_start = 6.5e-6;
constexpr double cycles = 1.3, cycles_by_elements = 2.9;

template <class T>
constexpr auto choices = choices_of(TallConfigs<T>());

bool takes_types(const Call& call) { return call.is_backward && is_built_in_float_or_double(call); }

/// That of C = A B: m is the long side.
GemmShape shape_of(const Call& call) { return {call.dC.rows, call.dC.columns, call.A.columns}; }

/// Whether a tile takes all columns, and the rows are more than one team's.
bool fits(const ConfigChoice& choice, const GemmShape& shape, const CudaMachine& machine) {
  return can_run(choice, machine) && shape.m > choice.tile.m && std::max(shape.n, shape.k) <= choice.tile.n;
}

template <class T>
const char* refusal_of_type(const Call& call, const CudaMachine& machine) {
  const GemmShape shape = shape_of(call);
  const auto takes      = [&](const ConfigChoice& choice) { return fits(choice, shape, machine); };
  if (std::any_of(choices<T>.begin(), choices<T>.end(), takes)) return nullptr;
  return "n or k is wider than a tile, or m is not larger than one";
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = gradients_refusal(calls[0], machine)) return reason;
  if (options.split_k > 0) return "it has a split of its own";
  return (is_double(calls[0]) ? refusal_of_type<double> : refusal_of_type<float>)(calls[0], machine);
}

/// Teams have the same number of tiles, but for the last; the sums of a team are a slice.
std::int64_t teams_of(const ConfigChoice& choice, const GemmShape& shape, const CudaMachine& machine) {
  const std::int64_t tiles = ceil_div(shape.m, choice.tile.m);
  return ceil_div(tiles, ceil_div(tiles, std::int64_t(machine.multiprocessors) * choice.teams));
}

template <class T>
double seconds_of(const ConfigChoice& choice, const Call& call, const CudaMachine& machine) {
  const GemmShape shape  = shape_of(call);
  const TallCall<T> tall = tall_call<T>(call);
  const auto elements    = [](const auto& matrix) {
    return matrix.data == nullptr ? 0.0 : static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns);
  };
  const double bytes  = sizeof(T) * (elements(tall.dC) + elements(tall.saved) + elements(tall.A) +
                                    elements(tall.dA) * (tall.adds_dA ? 2 : 1));
  const double places = static_cast<double>(shape.m) * choice.tile.n / machine.multiprocessors;
  const double issued = places * (tall_major(tall) ? cycles : cycles_by_elements) / machine.rates->clock;
  const double slices =
      sizeof(T) * static_cast<double>(shape.n * (shape.k + 1)) * static_cast<double>(teams_of(choice, shape, machine));
  // Where there are few units for double, they are the limit.
  const double units = sizeof(T) == 8 ? machine.rates->mma_double : machine.rates->fma_float;
  const double arithmetic =
      arithmetic_seconds(machine, call.dA_shape(), units) + arithmetic_seconds(machine, call.dB_shape(), units);
  return machine.rates->kernel + (choice.tile.n > 16 ? wide_start : start) +
         std::max({bytes / (memory * machine.rates->memory), issued, arithmetic}) + pass_seconds(machine, slices);
}

template <class T>
void propose_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  for (const ConfigChoice& choice : choices<T>) {
    if (!fits(choice, shape_of(call), machine) || (options.tile != TileShape{} && options.tile != choice.tile))
      continue;
    propose({choice.tile, {1, teams_of(choice, shape_of(call), machine)}, false, seconds_of<T>(choice, call, machine)});
  }
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  (is_double(calls[0]) ? propose_of_type<double> : propose_of_type<float>)(calls[0], machine, options, propose);
}

template <class T>
std::array<ProductPlan, 2> cut_type(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                                    const Proposal& proposal) {
  const ConfigChoice& choice          = choice_of_tile(choices<T>, proposal.tile);
  const std::int64_t at_once          = std::int64_t(machine.multiprocessors) * choice.teams;
  std::array<ProductPlan, 2> products = uncut_products(call);
  for (std::size_t p = 0; p < products.size(); ++p) {
    ProductPlan& product = products[p];
    if (!is_wanted(product)) {
      product = {};
      continue;
    }
    product.family        = name;
    product.threads       = choice.threads;
    product.scratch_bytes = static_cast<std::size_t>(choice.scratch_bytes);
    cut_into_tiles(product, p == 0 ? choice.tile : dB_tile(choice.tile), at_once, options);
    cut_inner_dimension(product, proposal.parts[p], sizeof(T));
  }
  products[0].holding_teams = is_wanted(products[0]) ? static_cast<int>(proposal.parts[1]) : 0;
  (is_wanted(products[0]) ? products[0] : products[1]).seconds = proposal.seconds;
  return products;
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return (is_double(calls[0]) ? cut_type<double> : cut_type<float>)(calls[0], machine, options, proposal);
}

constexpr auto launch = launch_if<has_mma_kernels>([](const auto& l) {
  (is_double(l.calls[0]) ? launch_tall<double> : launch_tall<float>)(l);
  if (is_wanted(l.products[1])) launch_gradient_slices(l.exec, l.calls[0], l.plan, l.memory);
});

}  // namespace

/// All gradients of a long matrix times a small one, which memory limits, in one pass: float and double on compute
/// capability 8.0 and newer.
extern const CudaFamily tall_family{name, Covers::gradients, types, takes_types, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
