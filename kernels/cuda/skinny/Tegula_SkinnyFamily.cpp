// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_SkinnyArguments.hpp"
#include "Tegula_SkinnyModel.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "skinny";

/// A tile, and the most teams for each multiprocessor, which do not all run at once.
struct SkinnyChoice {
  ConfigChoice config;
  int warps, most_teams;
};

template <class... Configs>
constexpr std::array<SkinnyChoice, sizeof...(Configs)> skinny_choices(ConfigList<Configs...>) {
  return {SkinnyChoice{choice_of<Configs>(), Configs::warps, Configs::teams * Configs::waves}...};
}

template <class T>
constexpr auto choices = skinny_choices(SkinnyConfigs<T>());

bool takes_types(const Call& call) { return call.is_built_in && is_float_or_double(call); }

bool has_room(const SkinnyChoice& choice, const GemmShape& shape, const CudaMachine& machine) {
  return static_cast<std::size_t>(choice.config.scratch_bytes) <= machine.scratch_max &&
         std::min(shape.m, shape.n) <= choice.config.tile.n;
}

template <class T>
const char* refusal_of_type(const Call& call, const CudaMachine& machine) {
  const auto fits = [&](const SkinnyChoice& choice) { return has_room(choice, call.shape(), machine); };
  if (std::none_of(choices<T>.begin(), choices<T>.end(), fits)) return "m and n are wider than its tiles";
  return call.shape().k > skinny_depth ? "k is larger than 128" : nullptr;
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  if (options.split_k > 1) return "it does not cut k";
  return (is_double(calls[0]) ? refusal_of_type<double> : refusal_of_type<float>)(calls[0], machine);
}

/// Teams of a product, each with warps that go from tile to tile.
std::int64_t teams_of(const SkinnyChoice& choice, const GemmShape& shape, const CudaMachine& machine) {
  const std::int64_t tiles = ceil_div(std::max(shape.m, shape.n), choice.config.tile.m);
  return std::min<std::int64_t>(std::int64_t(machine.multiprocessors) * choice.most_teams,
                                ceil_div(tiles, choice.warps));
}

/// How the results of a call with long rows are stored: along the short side one by one or in vectors, or along the
/// long side.
template <class T>
int stored(const ProductCall<T>& call, const GemmShape& shape) {
  if (call.C.is_column_major()) return 2;
  return stores_vectors(vector_result<T>(call, shape, nullptr)) ? 1 : 0;
}

/// Warps go from tile to tile, each for itself. They wait for memory in every step, as long as that does not take them
/// longer.
template <class T>
double seconds_of(std::size_t config, const Call& product, const CudaMachine& machine) {
  const CudaRates& rates     = *machine.rates;
  const SkinnyChoice& choice = choices<T>[config];
  const SkinnyRates& r       = skinny_rates<T>[config];
  const SkinnyModel& model   = skinny_model<T>;
  const auto [call, shape]   = with_long_rows(product_call<T>(product), product.shape());
  const TileShape& tile      = choice.config.tile;
  const std::int64_t tiles = ceil_div(shape.m, tile.m), slots = std::int64_t(machine.multiprocessors) * choice.warps;
  const double depth         = number(ceil_div(shape.k, tile.k) * tile.k);
  const double lines         = number(ceil_div(tiles, slots) * choice.warps * tile.m);  // of a multiprocessor
  const auto by              = static_cast<std::size_t>(stream_by(call.left));
  const auto as              = static_cast<std::size_t>(2 * stored(call, shape) + (product.beta == 0 ? 0 : 1));
  const double multiply_adds = sizeof(T) == 8 ? rates.fma_double : rates.fma_float;
  const double steps         = number(ceil_div(tiles, slots * choice.config.teams)) * depth / tile.k * r.step;
  const double arithmetic    = lines * depth * (tile.n / (multiply_adds * r.full) + model.fetched[by]) / rates.clock;
  const double stores        = lines * number(shape.n) * model.stored[as] / rates.clock;
  const double memory        = product_bytes(product) / (model.memory * rates.memory);
  const double least =
      std::max(product_bytes(product) / rates.memory, arithmetic_seconds(machine, shape, multiply_adds));
  const double epilogue = (product.beta != 0 ? model.added : 0) + (product.bias.data != nullptr ? model.biased : 0);
  return rates.kernel + r.start + epilogue + std::max(least, slowest_of({steps, memory, arithmetic, stores}));
}

/// A tile with its long side where the product has it: rows or columns.
template <class T>
void propose_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const GemmShape shape = call.shape();
  for (std::size_t config = 0; config < choices<T>.size(); ++config) {
    const TileShape tile = with_long_side(shape, choices<T>[config].config.tile);
    if (!has_room(choices<T>[config], shape, machine) || (options.tile != TileShape{} && options.tile != tile))
      continue;
    propose({tile, {1, 1}, false, seconds_of<T>(config, call, machine)});
  }
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  (is_double(calls[0]) ? propose_of_type<double> : propose_of_type<float>)(calls[0], machine, options, propose);
}

template <class T>
ProductPlan cut_type(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                     const Proposal& proposal) {
  const GemmShape shape      = call.shape();
  const SkinnyChoice& choice = *std::find_if(choices<T>.begin(), choices<T>.end(), [&](const SkinnyChoice& any) {
    return with_long_side(shape, any.config.tile) == proposal.tile;
  });
  const std::int64_t at_once = std::int64_t(machine.multiprocessors) * choice.config.teams;
  ProductPlan product        = cut_as_proposed(name, call, choice.config, at_once, sizeof(T), options, proposal);
  product.holding_teams      = static_cast<int>(teams_of(choice, shape, machine));
  return product;
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return {(is_double(calls[0]) ? cut_type<double> : cut_type<float>)(calls[0], machine, options, proposal), {}};
}

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { (is_double(l.calls[0]) ? launch_skinny<double> : launch_skinny<float>)(l); });

}  // namespace

/// Products of a long operand and a short one that memory limits, with few multiply-adds for each element: float and
/// double, by fused multiply-adds, on compute capability 8.0 and newer.
extern const CudaFamily skinny_family{name, Covers::product, float_or_double, takes_types, refusal, propose,
                                      cut,  launch};

}  // namespace Tegula::Impl
