// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_CudaSliceSums.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_ShallowModel.hpp"
#include "Tegula_ShallowPlan.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "shallow";

/// Whether a tile takes how dC lies and all of the depth, or where sums are cut as large a part of it as any tile.
template <class Bits>
bool takes(const ShallowTile& tile, std::int64_t depth, bool reads_words, const CudaMachine& machine) {
  if (!can_run(tile.choice, machine) || depth > shallow_deepest<Bits>(reads_words)) return false;
  if (tile.needs_words() && !reads_words) return false;
  if (tile.needs_hopper() && (machine.major != 9 || (machine.is_at_hand && !has_hopper_kernels))) return false;
  if (shallow_of_16_bits<Bits>) return depth <= tile.choice.tile.k;
  const auto parts = [&](const ShallowTile& of) { return ceil_div(depth, of.choice.tile.k); };
  return parts(tile) == parts(shallow_tiles<Bits>.back());
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& /* options */) {
  const Call& call = calls[0];
  if (const char* reason = gradients_refusal(call, machine)) return reason;
  if (call.dA.data == nullptr && call.dB.data == nullptr) return "neither dA nor dB is wanted";
  const bool has_runs = with_bits(call, [&]<class Bits>() {
    return sizeof(Bits) > 2 || run_reads(gradient_call<Bits>(call)) != RunReads::elements;
  });
  if (!has_runs) return "neighbours in a row or column of dC and of what was saved are none in memory, in 16 bits";
  const bool has_tile = with_bits(call, [&]<class Bits>() {
    const auto& tiles      = shallow_tiles<Bits>;
    const bool reads_words = run_reads(gradient_call<Bits>(call)) == RunReads::words;
    return std::any_of(tiles.begin(), tiles.end(), [&](const ShallowTile& tile) {
      return takes<Bits>(tile, call.A.columns, reads_words, machine);
    });
  });
  return has_tile ? nullptr
                  : "k is more than 128, or in 16 bits 32, or 48 where rows are whole words, or a team has too little "
                    "scratch";
}

/// The sums of a result that teams leave in slices, and the kernel that adds them.
template <class Sum>
double slices_seconds(const ShallowModel& model, const GradientResult<Sum>& result, std::int64_t slices,
                      const CudaMachine& machine) {
  if (slices == 1 || result.slice_size() == 0) return 0;
  const double bytes = sizeof(Sum) * number(result.slice_size()) * number(slices);
  return model.slices * machine.rates->kernel + bytes / (model.slice_bytes * machine.rates->memory);
}

/// Seconds of the multiply-adds of both products, which nothing is faster than.
template <class Bits>
double arithmetic_of(const Call& call, const ShallowTile& tile, const CudaMachine& machine) {
  double CudaRates::*const units = sizeof(Bits) == 2                ? &CudaRates::mma_half
                                   : sizeof(Bits) == 4              ? &CudaRates::fma_float
                                   : tile.way == ShallowWay::blocks ? &CudaRates::mma_double
                                                                    : &CudaRates::fma_double;
  return arithmetic_seconds(machine, call.dA_shape(), machine.rates->*units) +
         arithmetic_seconds(machine, call.dB_shape(), machine.rates->*units);
}

/// Bytes of all matrices, each read or written once.
template <class Bits>
double bytes_of(const Call& call) {
  const double operands = call.has_constant_slope ? 1 : 2;  // of the extents of dC
  const auto product    = [](const GemmShape& shape) { return 2 * number(shape.m) * number(shape.n); };
  return sizeof(Bits) * (operands * number(call.dC.rows) * number(call.dC.columns) + product(call.dA_shape()) +
                         product(call.dB_shape()));
}

/// Teams that run at once.
template <class Bits>
std::int64_t teams_at_once(const ShallowArguments<Bits>& arguments, const ShallowTile& tile,
                           const CudaMachine& machine) {
  return std::int64_t(machine.multiprocessors) * (arguments.reads_words ? tile.choice.teams : tile.teams_without_words);
}

template <class Bits>
double seconds_of(const Call& call, const ShallowArguments<Bits>& arguments, const ShallowTile& tile,
                  const ShallowCut& cut, const CudaMachine& machine) {
  const CudaRates& rates    = *machine.rates;
  const ShallowModel& model = shallow_model<Bits>(tile.way);
  const double gathered     = arguments.reads_words ? 0 : (call.has_constant_slope ? 1 : 2) * model.gathered;
  const double issued =
      number(std::int64_t(cut.tile.m) * cut.tile.n) * (model.places + model.products * cut.tile.k + gathered);
  // Teams run at once, or one after the other where there are more panels than that.
  const std::int64_t rounds = ceil_div(cut.teams(), teams_at_once(arguments, tile, machine));
  const double resident     = number(ceil_div(cut.teams(), rounds * machine.multiprocessors));
  const double steps        = number(cut.part_rows / cut.tile.m);
  const double start        = model.start + model.more_start * cut.tile.k;
  const double cycles       = number(rounds) * (start + steps * std::max(model.step, resident * issued));
  const double kernel =
      std::max(slowest_of({cycles / rates.clock, bytes_of<Bits>(call) / (model.memory * rates.memory)}),
               arithmetic_of<Bits>(call, tile, machine));
  return rates.kernel + kernel + slices_seconds(model, arguments.of_rows, cut.panels, machine) +
         slices_seconds(model, arguments.of_columns, cut.parts, machine);
}

/// Calls visit(tile, cut) for the smallest depth that takes the call, by groups and otherwise, or the tile that is
/// asked for, with twice as many teams as run at once, which fill the machine more evenly, and fewer: each leaves sums
/// behind. `split_k` asks for so many below each other.
template <class Bits, class Visit>
void for_each_cut(const Call& call, const ShallowArguments<Bits>& arguments, const CudaMachine& machine,
                  const PlanOptions& options, const Visit& visit) {
  const GemmShape shape = shallow_shape(call);
  std::array<int, 2> smallest_depths{};
  for (const ShallowTile& tile : shallow_tiles<Bits>) {
    const TileShape& own   = tile.choice.tile;
    const TileShape placed = shallow_transposes(call) ? own.transposed() : own;
    if (!takes<Bits>(tile, shape.k, arguments.reads_words, machine)) continue;
    const bool is_asked = options.tile == placed || options.tile == own;
    if (options.tile != TileShape{} && !is_asked) continue;
    const bool by_groups = tile.way == ShallowWay::groups;
    if (by_groups && shape.k < shallow_shortest_of_groups && !is_asked) continue;
    int& smallest = smallest_depths[by_groups ? 1 : 0];
    if (smallest == 0) smallest = own.k;
    if (own.k > smallest && !is_asked) continue;
    const std::int64_t panels = ceil_div(shape.n, own.n), steps = ceil_div(shape.m, own.m);
    const std::int64_t at_once = teams_at_once(arguments, tile, machine) / ceil_div(shape.k, own.k);
    // A team of one of several rounds of panels has few steps, and nobody measured it: such calls are for tall.
    if (options.family.empty() && panels > at_once) continue;
    std::int64_t last = 0;
    for (std::int64_t few = 1; few <= 32; few *= 2) {
      const std::int64_t asked = options.split_k > 0 ? options.split_k : 2 * at_once / few / panels,
                         parts = std::clamp<std::int64_t>(asked, 1, steps);
      const ShallowCut cut     = shallow_cut(own, shape, parts);
      if (cut.parts == last) continue;
      last = cut.parts;
      visit(tile, cut);
    }
  }
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const Call& call = calls[0];
  with_bits(call, [&]<class Bits>() {
    const auto arguments = shallow_arguments<Bits>(call);
    for_each_cut(call, arguments, machine, options, [&](const ShallowTile& tile, const ShallowCut& cut) {
      const TileShape placed = shallow_transposes(call) ? cut.tile.transposed() : cut.tile;
      propose({placed, {cut.panels, cut.parts}, false, seconds_of(call, arguments, tile, cut, machine)});
    });
  });
}

template <class Bits>
std::array<ProductPlan, 2> cut_of_type(const Call& call, const CudaMachine& machine, const PlanOptions& options,
                                       const Proposal& proposal) {
  const bool transposes      = shallow_transposes(call);
  const TileShape seen       = transposes ? proposal.tile.transposed() : proposal.tile;
  const ShallowTile& tile    = shallow_tile<Bits>(seen);
  const ShallowCut cut       = shallow_cut(seen, shallow_shape(call), proposal.parts[1]);
  const auto product_tiles   = shallow_product_tiles(proposal.tile);
  const std::int64_t at_once = teams_at_once(shallow_arguments<Bits>(call), tile, machine);
  auto products              = uncut_products(call);
  for (std::size_t p = 0; p < products.size(); ++p) {
    ProductPlan& product = products[p];
    if (!is_wanted(product)) {
      product = {};
      continue;
    }
    product.family        = name;
    product.threads       = tile.choice.threads;
    product.scratch_bytes = static_cast<std::size_t>(tile.choice.scratch_bytes);
    product.holding_teams = static_cast<int>(cut.teams());
    cut_into_tiles(product, product_tiles[p], at_once, options);
    cut_inner_dimension(product, (p == 0) != transposes ? cut.panels : cut.parts, sizeof(sum_t<Bits>));
  }
  products[is_wanted(products[0]) ? 0 : 1].seconds = proposal.seconds;
  return products;
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return with_bits(calls[0], [&]<class Bits>() { return cut_of_type<Bits>(calls[0], machine, options, proposal); });
}

constexpr auto launch = launch_if<has_mma_kernels>([](const auto& l) {
  with_input(l.calls[0], [&]<class Input>() {
    using Bits = bits_t<Input>;
    if constexpr (shallow_of_16_bits<Bits> && has_hopper_kernels)
      if (shallow_tile<Bits>(shallow_cut(l.calls[0], l.plan).tile).way == ShallowWay::groups)
        return launch_shallow_groups<Input>(l);
    launch_shallow<Input>(l);
  });
  launch_gradient_slices(l.exec, l.calls[0], l.plan, l.memory);
});

}  // namespace

/// All gradients of products of shallow depth, which reading dC takes longest, in one pass over it: all element types,
/// on compute capability 8.0 and newer.
extern const CudaFamily shallow_family{
    name, Covers::gradients, output_gradients, has_output_gradients, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
