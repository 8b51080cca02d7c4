// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TileModel.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "Tegula_CudaProducts.hpp"
#include "Tegula_SharingTeams.hpp"
#include "Tegula_VectorResult.hpp"
#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

double matrix_bytes(const CallMatrix& matrix) {
  return number(matrix.rows) * number(matrix.columns) * static_cast<double>(matrix.element_bytes);
}

double operand_bytes(const Call& product) {
  return product.shape().k > 0 ? matrix_bytes(product.A) + matrix_bytes(product.B) : 0;
}

/// Memory moves whole sectors, which elements share only if they lie near each other.
double stored_bytes(const CallMatrix& matrix) {
  constexpr std::int64_t sector = 32;
  const std::int64_t bytes      = static_cast<std::int64_t>(matrix.element_bytes) *
                             std::min(std::abs(matrix.row_stride), std::abs(matrix.column_stride));
  return number(matrix.rows) * number(matrix.columns) *
         number(std::clamp<std::int64_t>(bytes, static_cast<std::int64_t>(matrix.element_bytes), sector));
}

double result_bytes(const Call& product) {
  return stored_bytes(product.C) * (product.beta == 0 ? 1 : 2) +
         (product.Z.data != nullptr ? stored_bytes(product.Z) : 0);
}

template <class Bits>
Fetched fetched(const MatrixRef<const Bits>& operand) {
  if (const auto matrix = tma_matrix(operand)) return matrix->major == Major::depth ? Fetched::depth : Fetched::lines;
  return operand.columns_are_contiguous() ? Fetched::depth_one_by_one : Fetched::lines_one_by_one;
}

/// Without a C that is read.
Stored stored(const Call& product, RunsBy runs_by) {
  const AnyMatrix C = product.C.any();
  if (is_16_bit(input_of(product))) {
    const CudaOutput output = cuda_output(C, product.shape(), runs_by);
    // A warp's pairs of floats are whole sectors of memory, as runs are.
    const bool by_pairs = runs_by == RunsBy::threads && output.by == StoreBy::pairs;
    return output.is_by_runs() || by_pairs ? Stored::runs : Stored::unaligned;
  }
  const AnyMatrix along = C.is_column_major() ? C.transposed() : C;
  const bool by_vectors =
      C.element == Element::f64 ? vector_matrix<double>(along).by_vectors : vector_matrix<float>(along).by_vectors;
  return by_vectors ? Stored::runs : Stored::unaligned;
}

/// Of a user's activation nothing is known. What it takes it takes in a pass behind the kernel, too, which is not told
/// of it either: to count it here alone would have the pass taken where the kernel applies it for less.
bool takes_exponentials(const Call& product) {
  return product.is_built_in && !is_one_of(PlainActivations(), product.activation);
}

Stored and_added(Stored stored, bool adds) { return adds ? static_cast<Stored>(static_cast<int>(stored) + 1) : stored; }

template <class Kind, std::size_t Count>
double of(const std::array<double, Count>& costs, Kind kind) {
  return costs[static_cast<std::size_t>(kind)];
}

/// Cycles that a step along the inner dimension takes to fetch its elements of so many lines, of which the operand has
/// some, where `crowd` of the multiprocessors do so. Of lines one by one, each of so many teams fetches a part for all.
double fetch_cycles(const TileModel& model, Fetched fetched, int tile_lines, std::int64_t lines, double crowd,
                    int teams) {
  const double inside = number(std::min<std::int64_t>(tile_lines, lines));
  const double longer = fetched == Fetched::lines_one_by_one ? (1 + model.crowded * crowd) / teams : 1;
  return (inside + (tile_lines - inside) * of(model.missed, fetched)) * of(model.fetched, fetched) * longer;
}

/// The work of one team.
struct TileWork {
  double products, fetches, stores;  // cycles of a multiprocessor with nothing else to do
  bool is_ready = false;             // when its turn comes, for a producer that fetches ahead: one step, and no C
};

/// What the end of a tile takes longer than that of a plain product, for an element. Slices are added, and finished, by
/// another kernel.
double finish_cycles(const TileModel& model, const ModelledProduct& product, std::int64_t parts, double widened) {
  return parts > 1 ? 0 : finish_of(model, product, widened);
}

TileWork work_of(const TileModel& model, const TileRates& rates, const TileShape& tile, const ModelledProduct& product,
                 std::int64_t parts, double multiply_adds, double crowd, int teams) {
  const GemmShape& shape = product.shape;
  const double depth     = number(tile.k) * number(ceil_div(ceil_div(shape.k, tile.k), parts));
  const double fetched =
      fetch_cycles(model, product.fetched[0], tile.m, shape.m, crowd, 1) * of(model.straddled, product.straddles[0]) +
      fetch_cycles(model, product.fetched[1], tile.n, shape.n, crowd, teams) *
          of(model.straddled, product.straddles[1]);
  const double inside =
      number(std::min<std::int64_t>(tile.m, shape.m)) * number(std::min<std::int64_t>(tile.n, shape.n));
  const double whole = number(tile.m) * tile.n;
  // Slices are stored in runs, and as they are summed whatever the results are.
  const Stored stored  = parts > 1 ? Stored::runs : product.stored;
  const double widened = parts == 1 && product.is_widened ? model.widened : 1;
  const std::size_t directions =
      2 * has_contiguous_depth(product.fetched[0]) + has_contiguous_depth(product.fetched[1]);
  return {whole * depth / (multiply_adds * rates.directions[directions]), fetched * depth,
          widened * (inside * of(model.stored, stored) + whole * of(model.walked, stored)) / rates.stored +
              whole * finish_cycles(model, product, parts, widened),
          depth == tile.k && !product.adds};
}

/// Cycles of some tiles of a multiprocessor, one after the other, and by how much they vary.
struct Cycles {
  double usual = 0, variance = 0;
};
Cycles operator+(const Cycles& a, const Cycles& b) { return {a.usual + b.usual, a.variance + b.variance}; }

/// Cycles of so many tiles of a team that takes turns. It begins and ends one while it multiplies for another. That
/// takes a share from the multiplication; of two tiles it cannot hide more than the multiplication of one, and nothing
/// where there is one tile: the last is one without another behind it.
double cycles_in_turns(const TileModel& model, double multiplying, double around, std::int64_t tiles, bool has_last) {
  const double shown = std::max(model.beside * around, (around - multiplying) / 2);
  return number(tiles) * (multiplying + shown) + (has_last ? around - shown : 0);
}

/// Cycles of so many tiles of a multiprocessor, which computes as many at a time as it holds, with or without its first
/// and its last ones. Times of teams vary: the mean of several rounds varies less, as the root of their number.
Cycles cycles_of(const TileModel& model, const ConfigChoice& choice, const TileRates& rates, const TileWork& work,
                 std::int64_t tiles, bool has_first, bool has_last) {
  if (tiles == 0) return {};
  const auto both = [&](double products, double fetches) {
    return std::max(products, fetches) + model.exposed * std::min(products, fetches);
  };
  const double alone = both(work.products / rates.alone, model.waiting * work.fetches);
  const double full  = both(work.products / rates.full, work.fetches);
  const auto round   = [&](std::int64_t at_once) {
    return rates.start + std::max(alone, number(at_once) * full) + number(at_once) * work.stores;
  };
  const std::int64_t teams = choice.teams, rest = tiles % teams, rounds = ceil_div(tiles, teams);
  const double again = model.again < 1 && work.is_ready ? 0 : model.again;
  const double begun = (1 - again) * rates.start * number(rounds - has_first);
  const double usual = choice.takes_turns
                           ? cycles_in_turns(model, std::max(alone, full), rates.start + work.stores, tiles, has_last)
                           : number(tiles / teams) * round(teams) + (rest > 0 ? round(rest) : 0) - begun;
  return {usual, model.uneven * model.uneven * usual * usual / number(rounds)};
}

/// Bytes that tiles load, most of them out of the cache, with what the cache is asked for beside them.
double loaded_bytes(const TileModel& model, const ModelledProduct& product, const TileShape& tile) {
  const GemmShape& shape = product.shape;
  const double left  = number(shape.m) * number(ceil_div(shape.n, tile.n)) * of(model.straddled, product.straddles[0]),
               right = number(shape.n) * number(ceil_div(shape.m, tile.m)) * of(model.straddled, product.straddles[1]);
  return static_cast<double>(model.element_bytes) * number(shape.k) * (left + right);
}

/// Whether slices are added element by element, of results that are not stored in runs, and that shows: where there are
/// more elements than threads at once.
bool shows_scattered(const ModelledProduct& product, const GemmShape& cut, const CudaMachine& machine) {
  return product.stored >= Stored::unaligned && cut.m * cut.n > threads_at_once(machine);
}

/// The kernel that adds the slices of what was cut.
double slices_seconds(const TileModel& model, const ModelledProduct& product, const GemmShape& cut, std::int64_t parts,
                      const CudaMachine& machine) {
  if (parts == 1) return 0;
  const double longer = shows_scattered(product, cut, machine) ? model.scattered : 1;
  const double bytes  = longer * number(model.sum_bytes) * number(cut.m) * number(cut.n) * number(parts + 1);
  return model.slices * machine.rates->kernel + bytes / (model.slice_bytes * machine.rates->memory) +
         model.slice * number(parts);
}

/// Whether waves of whole tiles and a rest that is cut are proposed: as options ask, and not of tiles of four teams,
/// which are for products of a round or two. Of 1239 calls none was the fastest that way.
bool leaves_rest(const ConfigChoice& choice, const PlanOptions& options) {
  return options.whole_waves > 0 || (options.split_k == 0 && choice.tile_teams <= 2);
}

/// Whether one of four teams has all rows of a product.
bool leaves_most_teams_idle(const ConfigChoice& choice, const GemmShape& shape) {
  return choice.tile_teams > 2 && shape.m * choice.tile_teams <= choice.tile.m;
}

/// The choice that computes a product of which all tiles are cut so, or some: that is more than run at once.
const ConfigChoice& choice_of_cut(const TileModel& model, const TileShape& tile, const GemmShape& shape,
                                  std::int64_t parts, const CudaMachine& machine) {
  return choice_of_works(model.choices, tile, ceil_div(shape.m, tile.m) * ceil_div(shape.n, tile.n) * parts, machine);
}

}  // namespace

ModelledProduct modelled(const Call& product, RunsBy runs_by) {
  const auto both = with_bits(product, [&]<class Bits>() {
    return std::array{fetched(product.A.as<const Bits>()), fetched(product.B.transposed().as<const Bits>())};
  });
  const bool adds = product.beta != 0;
  return {product.shape(),
          operand_bytes(product),
          result_bytes(product),
          both,
          and_added(stored(product, runs_by), adds),
          adds,
          product.bias.data != nullptr,
          takes_exponentials(product),
          product.Z.data != nullptr,
          is_16_bit(input_of(product)) && product.C.element == Element::f32};
}

double product_bytes(const Call& product) { return operand_bytes(product) + result_bytes(product); }

double arithmetic_seconds(const CudaMachine& machine, const GemmShape& shape, double multiply_adds) {
  return number(shape.m) * number(shape.n) * number(shape.k) /
         (multiply_adds * machine.multiprocessors * machine.rates->clock);
}

double pass_seconds(const CudaMachine& machine, double bytes) {
  constexpr double waits = 1.85e-6;  // for its first loads and its last stores, as the pass that forms dZ on an H200
  return machine.rates->kernel + waits + bytes / machine.rates->memory;
}

double slowest_of(std::initializer_list<double> seconds) {
  double sum = 0;  // of fourth powers
  for (const double s : seconds) sum += s * s * s * s;
  return std::sqrt(std::sqrt(sum));
}

double tile_seconds(const TileModel& model, std::size_t config, const TileShape& tile, const ModelledProduct& product,
                    const Cut& cut, const CudaMachine& machine) {
  const CudaRates& rates     = *machine.rates;
  const double multiply_adds = model.multiply_share * rates.*model.multiply_adds;
  const ConfigChoice& choice = model.choices[config];
  const GemmShape& shape     = product.shape;
  const TileShape of_team{tile.m / choice.tile_teams, tile.n, tile.k};
  const auto tiles_in = [&](std::int64_t m, std::int64_t n) { return ceil_div(m, tile.m) * ceil_div(n, tile.n); };
  const GemmShape rest{shape.m - cut.whole.m, shape.n - cut.whole.n, shape.k};  // what is cut
  const std::int64_t rests = tiles_in(rest.m, rest.n), whole = tiles_in(shape.m, shape.n) - rests;
  const std::int64_t works = whole + rests * cut.parts;
  const double crowd       = std::min(1.0, number(works * choice.tile_teams) / machine.multiprocessors);
  // Of the multiprocessor with most: tiles that are not cut come first. A kernel ends with the slowest one.
  const std::int64_t at_once = clusters_at_once(machine.multiprocessors, choice.tile_teams);
  const std::int64_t most = ceil_div(works, at_once), most_whole = ceil_div(whole, at_once);
  const auto cycles_by = [&](std::int64_t parts, std::int64_t count, bool has_first, bool has_last) {
    const TileWork work =
        work_of(model, model.rates[config], of_team, product, parts, multiply_adds, crowd, choice.tile_teams);
    return cycles_of(model, choice, model.rates[config], work, count, has_first, has_last);
  };
  const Cycles cycles = cycles_by(1, most_whole, true, most == most_whole) +
                        cycles_by(cut.parts, most - most_whole, most_whole == 0, true);
  const double arithmetic = (cycles.usual + std::sqrt(cycles.variance)) / rates.clock;
  const bool is_all_cut   = whole == 0 && cut.parts > 1;
  const double results    = product.result_bytes * (is_all_cut ? 1 : of(model.results, product.stored));
  const double memory     = (product.operand_bytes + results) / (model.memory * rates.memory);
  const double cache      = loaded_bytes(model, product, tile) / (model.cache * rates.cache);
  // Nothing is faster than the machine.
  const double least    = std::max(arithmetic_seconds(machine, shape, multiply_adds),
                                   (product.operand_bytes + product.result_bytes) / rates.memory);
  const double kernel   = slowest_of({arithmetic, memory, cache}) + model.apart * std::min(arithmetic, memory);
  const double epilogue = (product.adds ? model.added : 0) + (product.has_bias ? model.biased : 0);
  return rates.kernel + std::max(least, kernel) + epilogue + slices_seconds(model, product, rest, cut.parts, machine);
}

double copies_seconds(const TileModel& model, const CudaMachine& machine, const OperandCopies& copies) {
  const auto seconds = [&](std::size_t bytes) {
    if (bytes == 0) return 0.0;
    return model.copy * machine.rates->kernel +
           2 * static_cast<double>(bytes) / (model.copy_bytes * machine.rates->memory);
  };
  return seconds(copies.left_bytes) + seconds(copies.right_bytes);
}

void for_each_split(const GemmShape& shape, const TileShape& tile, std::int64_t teams, std::int64_t shortest,
                    const PlanOptions& options, const std::function<void(std::int64_t)>& visit) {
  if (options.split_k > 0) return visit(options.split_k);
  constexpr std::int64_t few = 4, fills = 4;
  const std::int64_t tiles = std::max<std::int64_t>(1, ceil_div(shape.m, tile.m) * ceil_div(shape.n, tile.n));
  const std::int64_t most =
      std::max<std::int64_t>(1, std::min({shape.k / shortest, ceil_div(shape.k, tile.k), fills * teams / tiles}));
  std::array<std::int64_t, 64> parts{};
  auto end       = parts.begin();
  const auto add = [&](std::int64_t number) { *end++ = std::clamp<std::int64_t>(number, 1, most); };
  for (std::int64_t number = 1; number <= few; ++number) add(number);
  for (std::int64_t number = few; number < most; number += number / 2) add(number);
  for (std::int64_t fill = 1; fill <= 2 * fills; ++fill) add(fill * teams / (2 * tiles));
  std::sort(parts.begin(), end);
  std::for_each(parts.begin(), std::unique(parts.begin(), end), visit);
}

void for_each_rest(const GemmShape& shape, const TileShape& tile, std::int64_t teams, std::int64_t shortest,
                   const PlanOptions& options, const std::function<void(int, const GemmShape&, std::int64_t)>& visit) {
  constexpr std::int64_t fills  = 3;
  const auto tiles_in           = [&](const GemmShape& s) { return ceil_div(s.m, tile.m) * ceil_div(s.n, tile.n); };
  const std::int64_t full       = tiles_in(shape) / teams;
  const std::int64_t most_parts = std::min(shape.k / shortest, ceil_div(shape.k, tile.k));
  const auto visit_waves        = [&](std::int64_t waves) {
    const GemmShape whole = whole_part(shape, tile, waves * teams);
    if (waves < 1 || whole.m + whole.n == 0) return;
    const auto visit_parts = [&](std::int64_t parts) { visit(static_cast<int>(waves), whole, parts); };
    if (options.split_k > 0) return visit_parts(options.split_k);
    std::int64_t last       = 1;
    const std::int64_t rest = tiles_in({shape.m - whole.m, shape.n - whole.n, shape.k});
    for (std::int64_t fill = 1; fill <= fills; ++fill) {
      const std::int64_t parts = std::min(fill * teams / rest, most_parts);
      if (parts > last) visit_parts(last = parts);
    }
  };
  if (options.whole_waves > 0) return visit_waves(options.whole_waves);
  visit_waves(full);
  visit_waves(full - 1);
}

bool can_run(const ConfigChoice& choice, const CudaMachine& machine) {
  return static_cast<std::size_t>(choice.scratch_bytes) <= machine.scratch_max &&
         (choice.tile_teams == 1 || machine.has_entry);
}

std::int64_t clusters_at_once(std::int64_t multiprocessors, int cluster) {
  return std::max<std::int64_t>(1, std::llround(sharing_teams_at_once(multiprocessors, cluster, 1)) / cluster);
}

std::int64_t tiles_at_once(const ConfigChoice& choice, const CudaMachine& machine) {
  return clusters_at_once(machine.multiprocessors, choice.tile_teams) * choice.teams;
}

void propose_tiles(const TileModel& model, const ModelledProduct& product, const CudaMachine& machine,
                   const PlanOptions& options, const Propose& propose, double more, bool is_transposed) {
  for (std::size_t config = 0; config < model.choices.size(); ++config) {
    const ConfigChoice& choice = model.choices[config];
    const TileShape tile       = is_transposed ? choice.tile.transposed() : choice.tile;
    if (!can_run(choice, machine)) continue;
    if (options.tile != TileShape{} && options.tile != tile && options.tile != choice.tile) continue;
    if (options.tile == TileShape{} && leaves_most_teams_idle(choice, product.shape)) continue;
    const std::int64_t teams = tiles_at_once(choice, machine);
    const auto propose_cut   = [&](int waves, const GemmShape& whole, std::int64_t parts) {
      if (&choice_of_cut(model, tile, product.shape, parts, machine) != &choice) return;
      const double seconds = tile_seconds(model, config, tile, product, {parts, whole}, machine);
      propose({tile, {parts, 1}, false, more + seconds, waves});
    };
    if (options.whole_waves == 0)
      for_each_split(product.shape, tile, teams, model.shortest, options,
                     [&](std::int64_t parts) { propose_cut(0, {}, parts); });
    if (!model.leaves_waves_whole || !leaves_rest(choice, options)) continue;
    for_each_rest(product.shape, tile, teams, model.shortest, options, propose_cut);
  }
}

const ConfigChoice& choice_of_tile(std::span<const ConfigChoice> choices, const TileShape& tile) {
  for (const TileShape& own : {tile, tile.transposed()})
    for (const ConfigChoice& choice : choices)
      if (choice.tile == own) return choice;
  throw std::logic_error("Tegula: no tile " + text(tile) + " was proposed");
}

const ConfigChoice& choice_of_works(std::span<const ConfigChoice> choices, const TileShape& tile, std::int64_t works,
                                    const CudaMachine& machine) {
  const ConfigChoice& first = choice_of_tile(choices, tile);
  for (const ConfigChoice& choice : choices)
    if (choice.tile == first.tile && choice.tile_teams > first.tile_teams && can_run(choice, machine) &&
        works <= tiles_at_once(choice, machine))
      return choice;
  return first;
}

ProductPlan cut_as_proposed(const char* family, const Call& product, const ConfigChoice& choice, std::int64_t teams,
                            std::size_t sum_bytes, const PlanOptions& options, const Proposal& proposal) {
  ProductPlan plan   = uncut_products(product)[0];
  plan.family        = family;
  plan.threads       = choice.threads;
  plan.scratch_bytes = static_cast<std::size_t>(choice.scratch_bytes);
  plan.teams_at_once = choice.teams;
  plan.tile_teams    = choice.tile_teams;
  plan.seconds       = proposal.seconds;
  cut_into_tiles(plan, proposal.tile, teams, options);
  if (proposal.whole_waves > 0) leave_whole(plan, proposal.whole_waves, teams);
  cut_inner_dimension(plan, proposal.parts[0], sum_bytes);
  return plan;
}

ProductPlan cut_as_proposed(const char* family, const TileModel& model, const Call& product, const CudaMachine& machine,
                            const PlanOptions& options, const Proposal& proposal) {
  const ConfigChoice& choice = choice_of_cut(model, proposal.tile, product.shape(), proposal.parts[0], machine);
  return cut_as_proposed(family, product, choice, tiles_at_once(choice, machine), model.sum_bytes, options, proposal);
}

}  // namespace Tegula::Impl
