// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_LongTiles.hpp"
#include "Tegula_SkinnyArguments.hpp"
#include "Tegula_SkinnyModel.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "skinny";

template <class T>
constexpr auto choices = choices_of(SkinnyConfigs<T>());

template <class T>
const char* refusal_of_type(const Call& call, const CudaMachine& machine) {
  const auto takes = [&](const ConfigChoice& choice) { return takes_small_side(choice, call.shape(), machine); };
  if (std::none_of(choices<T>.begin(), choices<T>.end(), takes)) return "m and n are wider than its tiles";
  return call.shape().k > skinny_depth ? "k is larger than 128" : nullptr;
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if (const char* reason = cuda_refusal(calls[0], machine)) return reason;
  if (options.split_k > 1) return "it does not cut k";
  return (is_double(calls[0]) ? refusal_of_type<double> : refusal_of_type<float>)(calls[0], machine);
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
  const ConfigChoice& choice = choices<T>[config];
  const SkinnyRates& r       = skinny_rates<T>[config];
  const SkinnyModel& model   = skinny_model<T>;
  const auto [call, shape]   = with_long_rows(product_call<T>(product), product.shape());
  const TileShape& tile      = choice.tile;
  const std::int64_t tiles = ceil_div(shape.m, tile.m), warps = choice.threads / 32,
                     slots   = machine.multiprocessors * warps;
  const double depth         = number(ceil_div(shape.k, tile.k) * tile.k);
  const double lines         = number(ceil_div(tiles, slots) * warps * tile.m);  // of a multiprocessor
  const auto by              = static_cast<std::size_t>(stream_by(call.left));
  const auto as              = static_cast<std::size_t>(2 * stored(call, shape) + (product.beta == 0 ? 0 : 1));
  const double multiply_adds = sizeof(T) == 8 ? rates.fma_double : rates.fma_float;
  const double steps         = number(ceil_div(tiles, slots * choice.teams)) * depth / tile.k * r.step;
  const double arithmetic    = lines * depth * (tile.n / (multiply_adds * r.full) + model.fetched[by]) / rates.clock;
  const double stores =
      lines * number(shape.n) * (model.stored[as] + finish_of(model, modelled(product))) / rates.clock;
  const double memory = product_bytes(product) / (model.memory * rates.memory);
  const double least =
      std::max(product_bytes(product) / rates.memory, arithmetic_seconds(machine, shape, multiply_adds));
  const double epilogue = (product.beta != 0 ? model.added : 0) + (product.bias.data != nullptr ? model.biased : 0);
  return rates.kernel + r.start + epilogue + std::max(least, slowest_of({steps, memory, arithmetic, stores}));
}

template <class T>
void propose_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  propose_long_tiles(
      choices<T>, call.shape(), options, propose,
      [&](const ConfigChoice& choice) { return takes_small_side(choice, call.shape(), machine); },
      [&](std::size_t config) { return seconds_of<T>(config, call, machine); });
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  (is_double(calls[0]) ? propose_of_type<double> : propose_of_type<float>)(calls[0], machine, options, propose);
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  const auto cut = [&](std::span<const ConfigChoice> of) {
    return cut_long_tiles(name, of, calls[0], machine, options, proposal);
  };
  return is_double(calls[0]) ? cut(choices<double>) : cut(choices<float>);
}

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { (is_double(l.calls[0]) ? launch_skinny<double> : launch_skinny<float>)(l); });

}  // namespace

/// Products of a long operand and a short one that memory limits, with few multiply-adds for each element: float and
/// double, by fused multiply-adds, on compute capability 8.0 and newer.
extern const CudaFamily skinny_family{
    name, Covers::product, float_or_double, is_built_in_float_or_double, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
