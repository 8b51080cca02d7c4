// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostWays.hpp"

#include <algorithm>
#include <cmath>

#include "Tegula_KeptProduct.hpp"

namespace Tegula::Impl {
namespace {

/// The largest tile of a team, lines of the row operand x lines of the column operand x depth; a large tile packs each
/// operand few times. Panels of that depth come from the second cache, which brings their 14 + 32 elements of a step
/// sooner than these are multiplied. Of half of it a row panel stays in the first cache, but sums wait in scratch more
/// often: 31 drawn calls took 1.03 times as long (AMD EPYC, family 26). Of half as much again, where then no sums wait,
/// operands of doubles leave the caches: up to 1.45 times as long on two threads, floats 0.95 to 1.13.
struct Blocking {
  int rows, columns, depth;
};
constexpr Blocking largest_tile(std::size_t element_bytes) { return {1024, element_bytes == 4 ? 2048 : 1024, 1024}; }

/// The same where columns are read where they lie, a few long runs side by side.
constexpr int streamed_columns = 4096, streamed_depth = 32;

// Of several threads and of split-k: not measured.
constexpr double barrier         = 20000;  // a step of a team of several threads, which wait for each other twice
constexpr double uneven_team     = 1.15;   // a team is as slow as the slowest of its threads
constexpr double pass            = 4000;   // the second kernel of split-k
constexpr double reduced_element = 20;     // in it: its slices, its place and its epilogue, one element at a time

/// Seconds for a run of the result of which two threads store a part each: what a processor fetches ahead behind the
/// one, another one has to give up before it stores the other. Of two threads of an AMD EPYC (family 26) 36 to 150 ns
/// at one time, when a launch took 3 us, and next to nothing at another, when it took 1 us: presumably by whether they
/// shared a cache. Least regret of both together.
constexpr double shared_run = 30e-9;

int as_int(std::int64_t value) { return static_cast<int>(value); }

/// Scratch of a team as far as it decides whether one team needs a launch.
std::int64_t scratch_elements(const Sides& s, const Way& way) {
  const std::int64_t depth = std::min<std::int64_t>(way.depth, s.depth);
  return (way.packs_rows ? s.rows * depth : 0) + (way.packs_columns ? s.columns * depth : 0) +
         (s.depth > depth ? s.rows * s.columns : 0);
}

/// Runs of the result in a tile that go on in another one.
std::int64_t shared_runs(const Sides& s, const Way& way) {
  if (s.stores_along_rows) return way.columns > 1 ? parts_of(s.rows, way.rows) : 0;
  return way.rows > 1 ? parts_of(s.columns, way.columns) : 0;
}

/// Predicted seconds of a way whose operands are read as it says, but for what memory takes, which is the same for all.
double seconds_of(const Sides& s, const Way& way, const TileCycles& tile, const Teams& teams,
                  const HostMachine& machine) {
  const HostRates& rates   = *machine.rates;
  const double launching   = teams.launch == CountedLaunch::never ? 0 : launch_seconds(machine);
  const std::int64_t tiles = way.rows * way.columns * way.parts;
  double cycles            = tile.rest + tile.rows[way.packs_rows] + tile.columns[way.packs_columns];
  if (tiles == 1 && teams.threads == 1) {
    const auto bytes    = static_cast<std::size_t>(scratch_elements(s, way)) * machine.element_bytes;
    const bool launches = teams.launch == CountedLaunch::always || bytes > most_scratch_at_once;
    return cycles / rates.cycles + (launches ? launching : 0);
  }
  if (teams.threads > 1)
    cycles =
        cycles / teams.threads * uneven_team + barrier * number(parts_of(parts_of(s.depth, way.parts), way.depth) + 1);
  const double of_a_team = number(parts_of(tiles, teams.groups));
  cycles *= of_a_team;
  if (way.parts > 1)
    cycles +=
        pass + number(s.rows * s.columns) * (reduced_element + number(way.parts)) / (teams.groups * teams.threads);
  const double sharing = teams.groups > 1 ? of_a_team * number(shared_runs(s, way)) * shared_run : 0;
  return cycles / rates.cycles + sharing + launching;
}

/// Visits every grid whose tiles are no larger than the blocking allows, or the one that options ask for.
template <class Visit>
void for_each_grid(const Sides& s, const Blocking& blocking, bool inner, int groups, const HostMachine& machine,
                   const Visit& visit) {
  const std::int64_t least_rows    = std::max<std::int64_t>(1, parts_of(s.rows, blocking.rows));
  const std::int64_t least_columns = std::max<std::int64_t>(1, parts_of(s.columns, blocking.columns));
  if (groups == 1) return visit(least_rows, least_columns, 1);
  const std::int64_t most_rows    = inner ? 1 : std::max<std::int64_t>(1, parts_of(s.rows, machine.registers.rows));
  const std::int64_t most_columns = std::max<std::int64_t>(1, parts_of(s.columns, machine.registers.columns));
  for (std::int64_t rows = least_rows; rows <= std::min(most_rows, least_rows + groups - 1); ++rows) {
    for (std::int64_t waves = 0; waves <= 2; ++waves) {
      const std::int64_t columns = std::clamp(parts_of(waves * groups, rows), least_columns, most_columns);
      visit(rows, columns, 1);
      if (const std::int64_t parts = groups / (rows * columns); parts > 1) visit(rows, columns, parts);
    }
  }
}

/// Calls visit(way, sides, cycles of a tile) with every way to compute a product by such teams, but for how it reads
/// its operands.
template <class Visit>
void for_each_way(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine, const Teams& teams,
                  const PlanOptions& options, const Visit& visit) {
  const auto bytes     = static_cast<std::int64_t>(machine.element_bytes);
  const Blocking usual = largest_tile(machine.element_bytes);
  const bool is_asked  = options.tile != TileShape{};
  for (const bool transposed : {false, true}) {
    if (transposed && traits.right.in_panels) continue;  // which are of columns
    const Sides s       = sides(shape, traits, transposed);
    const auto consider = [&](const Blocking& blocking, bool inner) {
      const auto consider_grid = [&](std::int64_t rows, std::int64_t columns, std::int64_t parts) {
        if (options.split_k > 0) parts = options.split_k;
        const std::int64_t part      = parts_of(s.depth, parts);
        const std::int64_t tile_rows = parts_of(s.rows, rows), tile_columns = parts_of(s.columns, columns);
        Way way{transposed, inner, false, false, blocking.depth, rows, columns, parts};
        visit(way, s,
              inner ? inner_cycles(s, tile_columns, part, machine)
                    : tile_cycles(s, tile_rows, tile_columns, part, blocking.depth, machine));
      };
      if (!is_asked) return for_each_grid(s, blocking, inner, teams.groups, machine, consider_grid);
      consider_grid(std::max<std::int64_t>(1, parts_of(s.rows, blocking.rows)),
                    std::max<std::int64_t>(1, parts_of(s.columns, blocking.columns)), 1);
    };
    const TileShape& tile = options.tile;
    const Blocking asked  = transposed ? Blocking{tile.n, tile.m, tile.k} : Blocking{tile.m, tile.n, tile.k};
    consider(is_asked ? asked : usual, false);
    // One team of one thread is a function call, not a launch, which a long thin product is worth as well as a small
    // one.
    const bool is_small = s.rows * s.columns <= most_kept_multiplications / std::max<std::int64_t>(1, s.depth);
    if (!is_asked && is_small && teams.threads == 1 && (s.rows > usual.rows || s.columns > usual.columns))
      consider({as_int(s.rows), as_int(s.columns), usual.depth}, false);
    const OperandTraits& columns = s.column_operand;
    if (!columns.in_place || columns.in_panels) continue;
    if (!is_asked && columns.line_stride == 1 && s.depth > streamed_depth &&
        s.columns * s.depth * bytes > first_cache_bytes)
      consider({usual.rows, streamed_columns, streamed_depth}, false);
    if (columns.step_stride == 1 && s.rows >= 1 && s.rows <= inner_rows)
      consider(is_asked
                   ? asked
                   : Blocking{inner_rows, streamed_columns, static_cast<int>(first_cache_bytes / (s.rows * bytes))},
               true);
  }
}

/// The tile of a way: even parts, whole vectors of columns.
TileShape tile_of(const Sides& s, const Way& way, const RegisterTileShape& registers) {
  const int rows          = as_int(std::max<std::int64_t>(1, parts_of(s.rows, way.rows)));
  const auto vectors      = parts_of(parts_of(s.columns, way.columns), registers.columns);
  const int columns       = as_int(std::max<std::int64_t>(1, vectors)) * registers.columns;
  const std::int64_t part = std::max<std::int64_t>(1, parts_of(s.depth, way.parts));
  int depth               = as_int(parts_of(part, parts_of(part, way.depth)));
  if (way.inner) depth = as_int(parts_of(depth, registers.lanes)) * registers.lanes;
  return way.transposed ? TileShape{columns, rows, depth} : TileShape{rows, columns, depth};
}

}  // namespace

Way choose(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine, const Teams& teams,
           const PlanOptions& options) {
  Way best;
  for_each_way(shape, traits, machine, teams, options, [&](Way& way, const Sides& s, const TileCycles& tile) {
    if (tile.rest > best.seconds * machine.rates->cycles * teams.threads)
      return;  // planning a small call must be quick
    const bool packs_rows = tile.rows[1] < tile.rows[0], packs_columns = tile.columns[1] < tile.columns[0];
    const auto consider = [&](bool rows, bool columns) {
      way.packs_rows    = rows;
      way.packs_columns = columns;
      way.seconds       = seconds_of(s, way, tile, teams, machine);
      if (way.seconds < best.seconds) best = way;
    };
    consider(packs_rows, packs_columns);
    // A team that has no scratch may need no launch, which takes longer than packing saves.
    if (!packs_rows && !packs_columns) return;
    consider(packs_rows, false);
    consider(false, packs_columns);
    consider(false, false);
  });
  return best;
}

std::vector<Way> all_ways(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine,
                          const Teams& teams) {
  std::vector<Way> ways;
  for_each_way(shape, traits, machine, teams, {}, [&](Way& way, const Sides& s, const TileCycles& tile) {
    for (const bool packs_rows : {false, true}) {
      for (const bool packs_columns : {false, true}) {
        way.packs_rows    = packs_rows;
        way.packs_columns = packs_columns;
        way.seconds       = seconds_of(s, way, tile, teams, machine);
        if (std::isfinite(way.seconds)) ways.push_back(way);
      }
    }
  });
  return ways;
}

bool is_of_panels(const GemmShape& shape, const TileShape& tile, const HostMachine& machine) {
  return tile.n >= shape.n || tile.n % machine.registers.columns == 0;
}

Way way_as_asked(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine, const Teams& teams,
                 const ProductWay& asked) {
  const Sides s              = sides(shape, traits, asked.transposed);
  const auto& [m, n, k]      = asked.tile;
  const std::int64_t rows    = std::max<std::int64_t>(1, parts_of(s.rows, asked.transposed ? n : m));
  const std::int64_t columns = std::max<std::int64_t>(1, parts_of(s.columns, asked.transposed ? m : n));
  Way way{asked.transposed,
          asked.inner,
          asked.transposed ? asked.packs_right : asked.packs_left,
          asked.transposed ? asked.packs_left : asked.packs_right,
          k,
          rows,
          columns,
          asked.split_k};
  const OperandTraits& across = s.column_operand;
  const bool can_be_inner     = across.in_place && across.step_stride == 1 && s.rows >= 1 && s.rows <= inner_rows;
  if (asked.inner && !can_be_inner) return way;
  if (traits.right.in_panels && (asked.inner || asked.transposed || !is_of_panels(shape, asked.tile, machine)))
    return way;
  const std::int64_t part = parts_of(s.depth, asked.split_k);
  const TileCycles tile   = asked.inner
                                ? inner_cycles(s, parts_of(s.columns, columns), part, machine)
                                : tile_cycles(s, parts_of(s.rows, rows), parts_of(s.columns, columns), part, k, machine);
  way.seconds             = seconds_of(s, way, tile, teams, machine);
  return way;
}

double bytes_of(const ProductPlan& product) {
  const GemmShape& shape = product.shape;
  return number(shape.m * shape.k) * static_cast<double>(product.left_bytes) +
         number(shape.k * shape.n) * static_cast<double>(product.right_bytes) +
         number(2 * shape.m * shape.n) * static_cast<double>(product.result_bytes);
}

double memory_seconds(double bytes, const HostMachine& machine) {
  const HostRates& rates = *machine.rates;
  if (bytes <= rates.near) return 0;
  const double far = (bytes - rates.near) / (machine.threads * rates.cache_rate);
  if (bytes <= rates.cache) return far;
  return far + (bytes - rates.cache) / std::min(machine.threads * rates.memory, rates.all_memory);
}

void cut(ProductPlan& product, const ProductTraits& traits, const Way& way, const Teams& teams,
         const HostMachine& machine, const PlanOptions& options) {
  const Sides s        = sides(product.shape, traits, way.transposed);
  product.transposed   = way.transposed;
  product.inner        = way.inner;
  product.reads_panels = traits.right.in_panels;
  product.packs_left   = way.transposed ? way.packs_columns : way.packs_rows;
  product.packs_right  = way.transposed ? way.packs_rows : way.packs_columns;
  const bool asked     = options.tile != TileShape{};
  cut_into_tiles(product, asked ? options.tile : tile_of(s, way, machine.registers), teams.groups, options);
  cut_inner_dimension(product, way.parts, machine.element_bytes);
  product.panels_at_once = column_panels_at_once(product, machine.registers, machine.element_bytes);
  product.panels         = panel_scratch(product, machine.registers);
  product.seconds        = way.seconds + memory_seconds(bytes_of(product), machine);
}

}  // namespace Tegula::Impl
