// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaLaunch.hpp"
#include "Tegula_WgmmaModel.hpp"
#include "Tegula_WgmmaTurns.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "wgmma";
constexpr const char* types =
    "it takes half_t or bhalf_t times the same, to the same or float, with an activation that Tegula brings, on Cuda";

bool takes_types(const Call& call) { return has_activation(call, FusingFamily::wgmma) && is_half(call); }

constexpr std::size_t least_scratch() {
  int least = wgmma_choices[0].scratch_bytes;
  for (const ConfigChoice& choice : wgmma_choices) least = std::min(least, choice.scratch_bytes);
  return static_cast<std::size_t>(least);
}

/// Null, or why dZ of the layer below is not formed behind the multiplication: TMA fetches what was saved to where the
/// result is stored from.
const char* unfused_below(const Call& call) {
  if (!call.below) return nullptr;
  const GemmShape shape = call.shape();
  const CudaOutput dZ   = cuda_output(call.C.any(), shape, RunsBy::tma);
  const AnyMatrix saved = call.below->saved.any();
  const bool is_fetched = call.below->has_constant_slope ||
                          (fetched_by_tma(saved, shape).is_by_runs() && saved.element == dZ.matrix.element);
  if (call.beta != 0 || !dZ.is_by_runs() || !is_fetched)
    return "for a layer below, it overwrites dZ, and dZ and what was saved have one type and are aligned";
  return nullptr;
}

/// Whether results depend on what was there, so that they may be stored only once.
bool reads_results(const Calls& calls) {
  return std::any_of(calls.begin(), calls.end(), [](const Call& call) { return call.beta != 0 || call.below; });
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions& options) {
  if ((overlaps(options.tile) || is_transposed(options.tile)) && reads_results(calls))
    return "its tiles of which a side is no multiple of 64 take beta = 0 and no layer below";
  for (const Call& call : calls) {
    if (const char* reason = hopper_refusal(call, machine, least_scratch())) return reason;
    if (const char* reason = unfused_below(call)) return reason;
  }
  return nullptr;
}

OperandCopies copies_of(const Call& call) { return operand_copies(product_call<std::uint16_t>(call), call.shape()); }

/// Lines of copies begin at multiples of 128 bytes. One of 16 bytes never lies on two.
Straddles straddles(const MatrixRef<const std::uint16_t>& operand) {
  constexpr std::int64_t element = sizeof(std::uint16_t);
  const auto matrix              = tma_matrix(operand);
  if (!matrix || matrix->slow == 1 || matrix->fast * element <= 16) return Straddles::little;
  const std::int64_t bytes = matrix->pitch * element;
  if (bytes % 64 == 0) return Straddles::little;
  return bytes % 32 == 0 ? Straddles::by_32_bytes : Straddles::by_16_bytes;
}

/// Whether steps of depth are so short that they take TMA several times as long as longer ones, above all where many
/// teams fetch the same few of them: of 8 contiguous lines, 16 bytes; of fewer than 16 that are fetched where they lie,
/// less than a sector. Those of copies lie 128 bytes apart.
bool has_short_steps(const MatrixRef<const std::uint16_t>& operand, std::int64_t lines) {
  constexpr std::int64_t lines_of_16_bytes = 8, lines_of_a_sector = 16;
  return lines <= lines_of_16_bytes || (lines < lines_of_a_sector && tma_matrix(operand).has_value());
}

/// TMA fetches all operands, copies of those that are not aligned, and stores no runs with ragged ends. Numbers of
/// short steps stand where other families have those of lines that are fetched one by one.
ModelledProduct as_modelled(const Call& call) {
  ModelledProduct product = modelled(call, RunsBy::tma);
  const HalfCall operands = product_call<std::uint16_t>(call);
  product.straddles       = {straddles(operands.left), straddles(operands.right)};
  const std::array lines{product.shape.m, product.shape.n};
  const std::array sides{operands.left, operands.right};
  for (std::size_t side = 0; side < lines.size(); ++side) {
    Fetched& fetched = product.fetched[side];
    fetched          = as_copied(fetched);
    if (fetched == Fetched::lines && has_short_steps(sides[side], lines[side])) fetched = Fetched::lines_one_by_one;
  }
  return product;
}

double copies_seconds_of(const Calls& calls, const CudaMachine& machine) {
  double seconds = 0;
  for (const Call& call : calls) seconds += copies_seconds(wgmma_model, machine, copies_of(call));
  return seconds;
}

/// The same as the transpose of the product.
ModelledProduct transposed(ModelledProduct product) {
  product.shape = product.shape.transposed();
  std::swap(product.fetched[0], product.fetched[1]);
  std::swap(product.straddles[0], product.straddles[1]);
  return product;
}

/// Whether what is fetched for a tile begins where lines of the cache do. Contiguous lines of a tile whose columns are
/// no multiple of 64 do not, unless it is the only one: 1536 x 1536 x 1536 took 18.9 us by 256 x 144, and 16.4 us by
/// 144 x 256, whose 144 lines have contiguous depth (H100).
bool begins_well(const TileShape& tile, const ModelledProduct& product) {
  return !overlaps(tile) || has_contiguous_depth(product.fetched[1]) || product.shape.n <= tile.n;
}

void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const Propose uncut           = uncut_if_below(calls[0], propose);
  const ModelledProduct product = as_modelled(calls[0]), flipped = transposed(product);
  const double copies = copies_seconds_of(calls, machine);
  const bool is_read = reads_results(calls), is_asked = options.tile != TileShape{};
  const auto as_it_is = [&](const Proposal& proposal) {
    if (overlaps(proposal.tile) && (is_read || !(is_asked || begins_well(proposal.tile, product)))) return;
    uncut(proposal);
  };
  propose_tiles(wgmma_model, product, machine, options, as_it_is, copies);
  if (is_read) return;
  const auto as_transpose = [&](Proposal proposal) {
    if (!overlaps(proposal.tile) || proposal.whole_waves > 0) return;
    if (!is_asked && !begins_well(proposal.tile, flipped)) return;
    proposal.tile = proposal.tile.transposed();
    uncut(proposal);
  };
  PlanOptions of_flipped = options;
  of_flipped.tile        = options.tile.transposed();
  propose_tiles(wgmma_model, flipped, machine, of_flipped, as_transpose, copies);
}

ProductPlan with_copies(ProductPlan product, const Call& call) {
  plan_copies(product, copies_of(call));
  return product;
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return {with_copies(cut_as_proposed(name, wgmma_model, calls[0], machine, options, proposal), calls[0]), {}};
}

/// Both products in one launch: teams share the work items of both, so that only one wave is not full. Nobody helps the
/// team of a long item: both take no less time than the longer one alone. Nor do they read and write at once at more
/// than a share of the bandwidth: thin layers reach 0.4 to 0.6 of it on an H100. To cut one of them along k costs more
/// than it does alone, by its slices: the kernel for both is then the one that can do everything, and another one waits
/// for it. 147 ways to compute 30 drawn layers took 1.1 to 1.6 us longer for each megabyte of them (H200). By so much
/// more the best tiles of 29 other layers would no longer be taken; with half a microsecond all of them lose least.
double pair_seconds(std::size_t config, const std::array<ModelledProduct, 2>& products,
                    const std::array<std::int64_t, 2>& parts, const CudaMachine& machine) {
  constexpr double memory = 0.6, of_slices = 0.5;
  double seconds = 0, longer = 0, saved = 0, bytes = 0, slice_bytes = 0;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const TileShape& tile  = wgmma_choices[config].tile;
    const GemmShape& shape = products[p].shape;
    const double tiles     = static_cast<double>(ceil_div(shape.m, tile.m) * ceil_div(shape.n, tile.n) * parts[p]);
    const double waves = tiles / number(tiles_at_once(wgmma_choices[config], machine)), full = std::ceil(waves);
    const double alone = tile_seconds(wgmma_model, config, tile, products[p], {parts[p]}, machine);
    const double idle  = (full - waves) / full * (alone - machine.rates->kernel);
    saved              = std::max(saved, idle);
    longer             = std::max(longer, alone);
    seconds += alone;
    bytes += products[p].operand_bytes + products[p].result_bytes;
    if (parts[p] > 1) slice_bytes += sizeof(float) * number(shape.m) * number(shape.n) * number(parts[p]);
  }
  const double moving = machine.rates->kernel + bytes / (memory * machine.rates->memory);
  const double slices = slice_bytes / (of_slices * machine.rates->memory);
  return slowest_of({std::max(longer, seconds - saved - machine.rates->kernel), moving}) + slices;
}

void propose_pairs(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  const double copies = copies_seconds_of(calls, machine);
  const std::array products{as_modelled(calls[0]), as_modelled(calls[1])};
  const Propose uncut = uncut_if_below(calls[0], propose);
  const bool is_read = reads_results(calls), is_asked = options.tile != TileShape{};
  for (std::size_t config = 0; config < wgmma_choices.size(); ++config) {
    const TileShape& tile = wgmma_choices[config].tile;
    if (!can_run(wgmma_choices[config], machine) || is_second_of_tile(wgmma_choices[config])) continue;
    if (is_asked && options.tile != tile) continue;
    if (overlaps(tile) && is_read) continue;
    if (!is_asked && !(begins_well(tile, products[0]) && begins_well(tile, products[1]))) continue;
    const auto splits = [&](std::size_t p, const auto& visit) {
      for_each_split(products[p].shape, tile, tiles_at_once(wgmma_choices[config], machine), wgmma_model.shortest,
                     options, visit);
    };
    splits(0, [&](std::int64_t first) {
      splits(1, [&](std::int64_t second) {
        const std::array parts{first, second};
        uncut({tile, parts, false, copies + pair_seconds(config, products, parts, machine)});
      });
    });
  }
}

std::array<ProductPlan, 2> cut_pair(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                                    const Proposal& proposal) {
  const ConfigChoice& choice = choice_of_tile(wgmma_choices, proposal.tile);
  const auto cut_one         = [&](const Call& call, const Proposal& of_call) {
    return with_copies(
                cut_as_proposed(name, call, choice, tiles_at_once(choice, machine), wgmma_model.sum_bytes, options, of_call),
                call);
  };
  Proposal second = proposal;
  second.parts[0] = proposal.parts[1];
  second.seconds  = 0;  // all of it is told of the first
  return {cut_one(calls[0], proposal), cut_one(calls[1], second)};
}

#if TEGULA_HAS_WGMMA
void launch(const CudaLaunch& l) {
  std::array<HalfCall, 2> calls;
  for (std::size_t p = 0; p < l.calls.size(); ++p) calls[p] = product_call<std::uint16_t>(l.calls[p]);
  launch_wgmma(l.exec, {calls.data(), l.calls.size()}, l.products, l.sums, l.plan, l.memory, l.is_behind, l.before);
}
#else
constexpr decltype(CudaFamily::launch) launch = nullptr;
#endif

}  // namespace

/// Hopper (compute capability 9.0): TMA and wgmma, for 16-bit elements.
extern const CudaFamily wgmma_family = with_whole_waves(with_below(
    apart({name, Covers::product, types, takes_types, refusal, propose, cut, launch}), BelowBy::column_sums));

/// The same kernel with both products of gemm_backward.
extern const CudaFamily wgmma_pair_family = with_below(
    {name, Covers::two_products, types, takes_types, refusal, propose_pairs, cut_pair, launch}, BelowBy::column_sums);

}  // namespace Tegula::Impl
