// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostPlan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace Tegula::Impl {
namespace {

/// The largest tile of a team, lines of the row operand x lines of the column operand x depth. A row panel of that
/// depth stays in the first cache, a longer one would not; a large tile packs each operand few times.
struct Blocking {
  int rows, columns, depth;
};
constexpr Blocking largest_tile(std::size_t element_bytes) { return {1024, element_bytes == 4 ? 2048 : 1024, 512}; }

/// The same where columns are read where they lie, a few long runs side by side.
constexpr int streamed_columns = 4096, streamed_depth = 32;

/// The row panel of an inner product takes that many bytes of the first cache, while columns pass by.
constexpr std::int64_t first_cache_bytes = 32 * 1024;

/// Lines that lie a multiple of this apart compete for the same sets of the first cache, which holds so many of them.
constexpr std::int64_t cache_way_bytes = 4096, cache_ways = 8;

/// Steps that lie a page or more apart are not fetched ahead, and processors know the places of so many pages at once.
constexpr std::int64_t page_bytes = 4096, known_pages = 64;

/// Cycles that the planner reckons with, of HostRates::cycles in a second. Fitted to measured times of all ways to
/// compute 480 calls of gemm with AVX-512 on one thread (tegula_host_regret, seeds 11 and 12), but for those that say
/// otherwise: on an AMD EPYC, and those marked * again on an Intel Xeon with AMX, since microkernels store results, in
/// cycles of which it has 2.92e9 in a second.
constexpr double copied_element     = 0.0615;  // packed from contiguous lines
constexpr double packed_run         = 3.22;    // a step of a panel that is packed from contiguous lines
constexpr double transposed_element = 0.445;   // packed from contiguous depth
constexpr double formed_vector      = 4;       // of dZ, beside the derivative and packing what was saved; set by hand
constexpr double formed_rest        = 50;      // of dZ where a line ends within a vector; likewise
constexpr double summed_element     = 0.3;     // of lines that are summed while they are packed; a guess
constexpr double scattered_element  = 0.969;   // stored across the contiguous direction of the result
constexpr double register_step      = 9.51;    // * a step of it: a call, and where its panels lie
constexpr double direct_vector      = 1.85;    // * of sums that a microkernel stores in the result
constexpr double activated_run      = 8.52;    // * a call of an activation on what lies together in the result
constexpr double finished_vector    = 4.01;    // * of sums that pass through the rest of the epilogue
constexpr double finished_run       = 7.1;     // * each time that a run of a register tile is read or written there
constexpr double kept_vector        = 4.82;    // of sums that wait in scratch for the next step along the depth
constexpr double added_up           = 3.69;    // adding up the elements of a vector of partial sums
constexpr double far_step           = 0.388;   // of a register tile that reads a panel in place beyond the first cache
constexpr double competing_step     = 4;       // the same if what it reads competes for sets of that cache; a guess
constexpr double paged_step         = 30;      // of a panel that is read in place from pages of memory; 18 to 50 there
constexpr double paged_packed_step  = 15;      // the same where the panel is packed, with others beside it; 10 to 19
// Of several threads and of split-k: not measured.
constexpr double barrier         = 20000;  // a step of a team of several threads, which wait for each other twice
constexpr double uneven_team     = 1.15;   // a team is as slow as the slowest of its threads
constexpr double pass            = 4000;   // the second kernel of split-k
constexpr double reduced_element = 20;     // in it: its slices, its place and its epilogue, one element at a time

/// A product as the register tiles see it.
struct Sides {
  std::int64_t rows, columns, depth;  // lines of the row operand, lines of the column operand
  const OperandTraits &row_operand, &column_operand;
  const ResultTraits& result;
  bool stores_along_rows;  // the result is contiguous in the direction of the vectors
  bool is_dense;           // nothing lies between its elements
};

Sides sides(const GemmShape& shape, const ProductTraits& traits, bool transposed) {
  const ResultTraits& result = traits.result;
  const std::int64_t longer  = std::max(result.row_stride, result.column_stride);
  const bool is_dense        = longer == (result.row_stride == 1 ? shape.m : shape.n);
  return transposed
             ? Sides{shape.n, shape.m, shape.k, traits.right, traits.left, result, result.row_stride == 1, is_dense}
             : Sides{shape.m, shape.n, shape.k, traits.left, traits.right, result, result.column_stride == 1, is_dense};
}

double number(std::int64_t count) { return static_cast<double>(count); }

/// A way to compute a product: how its sums are formed, and how it is cut.
struct Way {
  bool transposed = false, inner = false, packs_rows = false, packs_columns = false;
  int depth         = 0;                          // of a tile
  std::int64_t rows = 1, columns = 1, parts = 1;  // tiles along both sides, parts of the inner dimension
  double seconds = std::numeric_limits<double>::infinity();
};

/// Cycles of a tile on one thread, and what its operands add, read in place and packed; infinite where that cannot be.
struct TileCycles {
  double rest;
  std::array<double, 2> rows, columns;
};

/// Lines of an operand in a tile.
struct Lines {
  const OperandTraits& operand;
  std::int64_t lines, depth;
};

/// Cycles of packing lines. Where their depth is contiguous, a line takes whole vectors of it.
double packing(const Lines& l, int panel_lines, int lanes) {
  const bool by_lines   = l.operand.line_stride == 1;
  const double elements = by_lines ? number(l.lines * l.depth) : number(l.lines * parts_of(l.depth, lanes) * lanes);
  const double element  = by_lines ? copied_element : transposed_element;
  double cycles         = elements * element;
  if (l.operand.is_formed) {
    cycles += elements * (l.operand.slope + (l.operand.reads_saved ? element : 0)) + elements / lanes * formed_vector;
    if (!by_lines && l.depth % lanes != 0) cycles += number(l.lines) * formed_rest;
  }
  if (by_lines)
    cycles += number(l.depth * parts_of(l.lines, panel_lines)) * (l.operand.reads_saved ? 2 : 1) * packed_run;
  if (l.operand.sums_lines) cycles += elements * summed_element;
  return cycles;
}

/// Cycles that each step of a register tile takes longer because it reads a panel where it lies.
double far_reading(const Lines& l, std::int64_t panel_lines, const HostMachine& machine) {
  const auto bytes = static_cast<std::int64_t>(machine.element_bytes);
  if (l.lines * l.depth * bytes <= first_cache_bytes) return 0;
  const bool by_lines       = l.operand.line_stride == 1;
  const std::int64_t stride = by_lines ? l.operand.step_stride : l.operand.line_stride;
  const bool competes =
      (by_lines ? l.depth : std::min(l.lines, panel_lines)) > cache_ways && stride * bytes % cache_way_bytes == 0;
  return competes ? competing_step : far_step;
}

/// Whether the steps of a tile lie on so many pages of memory that each comes late.
bool reads_pages(const Lines& whole, std::int64_t steps_at_once, const HostMachine& machine) {
  const auto bytes = static_cast<std::int64_t>(machine.element_bytes);
  return steps_at_once > known_pages && whole.operand.line_stride == 1 &&
         whole.operand.step_stride * bytes >= page_bytes &&
         number(whole.lines * whole.depth * bytes) > machine.rates->cache;
}

/// The columns of a tile as register tiles take them.
struct Columns {
  std::int64_t panels, vectors, tail;  // tail: columns of the last panel, if it must be padded

  Columns(std::int64_t columns, const RegisterTileShape& registers)
      : panels(parts_of(columns, registers.columns)),
        vectors(parts_of(columns, registers.lanes)),
        tail(registers.reads_parts || columns == vectors * registers.lanes
                 ? 0
                 : columns - (panels - 1) * registers.columns) {}
};

/// Cycles of storing a tile of sums: by the microkernel, or a run of a register tile after the other.
double storing(const Sides& s, std::int64_t rows, std::int64_t columns, const Columns& c, bool is_direct,
               const HostMachine& machine) {
  const ResultTraits& result = s.result;
  const double elements      = number(rows * columns);
  const double activating    = elements * result.finished_element;
  if (is_direct) {
    const std::int64_t strips = parts_of(c.panels, panels_in_a_strip);
    const std::int64_t runs   = s.is_dense && strips == 1 ? parts_of(rows, machine.registers.rows) : rows * strips;
    return number(rows * c.vectors * result.passes) * direct_vector + activating +
           (activating > 0 ? number(runs) * activated_run : 0);
  }
  return activating + number(rows * c.vectors) * finished_vector +
         number(rows * c.panels) * result.passes * finished_run +
         (s.stores_along_rows ? 0 : elements * result.passes * scattered_element);
}

/// A step of a register tile is limited by two multiply-adds a cycle, by two loads a cycle, and by the latency of an
/// addition. Sums of all steps but the last wait in scratch.
TileCycles tile_cycles(const Sides& s, std::int64_t rows, std::int64_t columns, std::int64_t part, int depth,
                       const HostMachine& machine) {
  const RegisterTileShape& registers = machine.registers;
  const Columns c(columns, registers);
  const double panels      = number(parts_of(rows, registers.rows));
  const double height      = number(rows) / std::max(1.0, panels);
  const double of_two      = std::max({height, (height + 2) / 2, 4.0});  // vectors
  const double of_one      = std::max((height + 1) / 2, 4.0);
  const double depths      = part > depth ? number(parts_of(part, depth)) : 1;
  const double steps       = panels * number(c.panels * part);
  const double multiplying = panels * number(part) * (number(c.vectors / 2) * of_two + number(c.vectors % 2) * of_one);
  const double rest        = multiplying + (depths - 1) * number(rows * c.vectors) * kept_vector +
                      storing(s, rows, columns, c, s.result.is_direct && s.stores_along_rows, machine) +
                      register_step * panels * number(c.panels) * depths;
  constexpr double never     = std::numeric_limits<double>::infinity();
  const std::int64_t at_once = std::min<std::int64_t>(part, depth);
  const auto cycles = [&](const OperandTraits& operand, std::int64_t whole_lines, std::int64_t lines, int panel_lines,
                          bool may, std::int64_t tail) {
    const bool pages    = reads_pages({operand, whole_lines, s.depth}, at_once, machine);
    const double paged  = pages ? number(parts_of(lines, panel_lines) * part) : 0;
    const double packed = packing({operand, lines, part}, panel_lines, registers.lanes) + paged * paged_packed_step;
    if (!may) return std::array{never, packed};
    double in_place = steps * far_reading({operand, lines, at_once}, panel_lines, machine) + paged * paged_step;
    if (tail > 0) in_place += packing({operand, tail, part}, panel_lines, registers.lanes);
    return std::array{in_place, in_place > 0 ? packed : never};
  };
  const OperandTraits& by_column = s.column_operand;
  return {rest, cycles(s.row_operand, s.rows, rows, registers.rows, s.row_operand.in_place, 0),
          cycles(by_column, s.columns, columns, registers.columns, by_column.in_place && by_column.line_stride == 1,
                 c.tail)};
}

/// The same for an inner product: a vector of a column takes a load, and half a cycle for each row.
TileCycles inner_cycles(const Sides& s, std::int64_t columns, std::int64_t part, const HostMachine& machine) {
  const double step = std::max(1.0, number(s.rows) / 2);
  const double rest =
      number(columns) * (number(parts_of(part, machine.registers.lanes)) * step + number(s.rows) * added_up);
  constexpr double never = std::numeric_limits<double>::infinity();
  const bool is_direct   = s.result.is_direct && std::min(s.result.row_stride, s.result.column_stride) == 1;
  return {rest + storing(s, s.rows, columns, Columns(columns, machine.registers), is_direct, machine),
          {never, packing({s.row_operand, s.rows, part}, inner_rows, machine.registers.lanes)},
          {0, never}};
}

/// How the machine is shared: so many teams of so many threads.
struct Teams {
  int groups, threads;
  bool share_a_launch;  // with those of another product
};

/// Scratch of a team as far as it decides whether one team needs a launch.
std::int64_t scratch_elements(const Sides& s, const Way& way) {
  const std::int64_t depth = std::min<std::int64_t>(way.depth, s.depth);
  return (way.packs_rows ? s.rows * depth : 0) + (way.packs_columns ? s.columns * depth : 0) +
         (s.depth > depth ? s.rows * s.columns : 0);
}

double launch_seconds(const HostMachine& machine) {
  return machine.threads > 1 ? machine.rates->fork : machine.rates->launch;
}

/// Predicted seconds of a way whose operands are read as it says, but for what memory takes, which is the same for all.
double seconds_of(const Sides& s, const Way& way, const TileCycles& tile, const Teams& teams,
                  const HostMachine& machine) {
  const HostRates& rates   = *machine.rates;
  const std::int64_t tiles = way.rows * way.columns * way.parts;
  double cycles            = tile.rest + tile.rows[way.packs_rows] + tile.columns[way.packs_columns];
  if (tiles == 1 && teams.threads == 1) {
    const auto bytes    = static_cast<std::size_t>(scratch_elements(s, way)) * machine.element_bytes;
    const bool launches = teams.share_a_launch || bytes > most_scratch_at_once;
    return cycles / rates.cycles + (launches ? launch_seconds(machine) : 0);
  }
  if (teams.threads > 1)
    cycles =
        cycles / teams.threads * uneven_team + barrier * number(parts_of(parts_of(s.depth, way.parts), way.depth) + 1);
  cycles *= number(parts_of(tiles, teams.groups));
  if (way.parts > 1)
    cycles +=
        pass + number(s.rows * s.columns) * (reduced_element + number(way.parts)) / (teams.groups * teams.threads);
  return cycles / rates.cycles + launch_seconds(machine);
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
    const OperandTraits& columns = s.column_operand;
    if (!columns.in_place) continue;
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

Way choose(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine, const Teams& teams,
           const PlanOptions& options) {
  Way best;
  for_each_way(shape, traits, machine, teams, options, [&](Way& way, const Sides& s, const TileCycles& tile) {
    if (tile.rest > best.seconds * machine.rates->cycles * teams.threads)
      return;  // planning a small call must be quick
    way.packs_rows    = tile.rows[1] < tile.rows[0];
    way.packs_columns = tile.columns[1] < tile.columns[0];
    way.seconds       = seconds_of(s, way, tile, teams, machine);
    if (way.seconds < best.seconds) best = way;
  });
  return best;
}

int as_int(std::int64_t value) { return static_cast<int>(value); }

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

/// Seconds that the last cache takes for what nearer ones do not hold, and memory for what it does not hold. C is
/// fetched before it is written.
double memory_seconds(const ProductPlan& product, const HostMachine& machine) {
  const GemmShape& shape = product.shape;
  const double bytes     = number(shape.m * shape.k) * static_cast<double>(product.left_bytes) +
                       number(shape.k * shape.n) * static_cast<double>(product.right_bytes) +
                       number(2 * shape.m * shape.n) * static_cast<double>(product.result_bytes);
  const HostRates& rates = *machine.rates;
  if (bytes <= rates.near) return 0;
  const double far = (bytes - rates.near) / (machine.threads * rates.cache_rate);
  if (bytes <= rates.cache) return far;
  return far + (bytes - rates.cache) / std::min(machine.threads * rates.memory, rates.all_memory);
}

/// Cuts a product as a way says.
void cut(ProductPlan& product, const ProductTraits& traits, const Way& way, const Teams& teams,
         const HostMachine& machine, const PlanOptions& options) {
  const Sides s       = sides(product.shape, traits, way.transposed);
  product.transposed  = way.transposed;
  product.inner       = way.inner;
  product.packs_left  = way.transposed ? way.packs_columns : way.packs_rows;
  product.packs_right = way.transposed ? way.packs_rows : way.packs_columns;
  const bool asked    = options.tile != TileShape{};
  cut_into_tiles(product, asked ? options.tile : tile_of(s, way, machine.registers), teams.groups, options);
  cut_inner_dimension(product, way.parts, machine.element_bytes);
  product.panels_at_once = column_panels_at_once(product, machine.registers, machine.element_bytes);
  product.panels         = panel_scratch(product, machine.registers);
  product.seconds        = way.seconds + memory_seconds(product, machine);
}

/// What products share.
void finish_plan(Plan& plan, const HostMachine& machine) {
  ProductPlan& first = plan.products[plan.products[0].teams() > 0 ? 0 : 1];
  const bool both    = plan.products[0].teams() > 0 && plan.products[1].teams() > 0;
  if (plan.teams() > 0) first.seconds += machine.rates->call - (both ? launch_seconds(machine) : 0);
  plan.machine        = machine.rates->name.c_str();
  plan.machine_source = machine.rates->source.c_str();
  for (const ProductPlan& product : plan.products)
    if (product.teams() > 0)
      plan.scratch_bytes = std::max(plan.scratch_bytes, product.panels.bytes(machine.element_bytes));
}

}  // namespace

void plan_host_products(Plan& plan, const std::array<ProductTraits, 2>& traits, const HostMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments) {
  drop_unwanted_products(plan);
  const bool asked = options.tile != TileShape{};
  if (asked && (options.tile.m < 1 || options.tile.n < 1 || options.tile.k < 1))
    arguments.fail("the host family has no tile " + text(options.tile));

  const bool both = is_wanted(plan.products[0]) && is_wanted(plan.products[1]);
  // Teams of one thread each, or of 2, 4, ... that share the packing.
  std::array<Way, 2> best;
  double least = std::numeric_limits<double>::infinity();
  for (int threads = 1; threads <= std::min(machine.threads, 16); threads *= 2) {
    std::array<Way, 2> ways;
    double seconds = 0;
    for (std::size_t p = 0; p < ways.size(); ++p) {
      if (!is_wanted(plan.products[p])) continue;
      ways[p] = choose(plan.products[p].shape, traits[p], machine, {machine.threads / threads, threads, both}, options);
      seconds += ways[p].seconds;
    }
    if (threads == 1 || seconds < least) {
      best         = ways;
      least        = seconds;
      plan.threads = threads;
    }
  }
  for (std::size_t p = 0; p < best.size(); ++p)
    if (is_wanted(plan.products[p]))
      cut(plan.products[p], traits[p], best[p], {machine.threads / plan.threads, plan.threads, both}, machine, options);
  plan.reason = asked ? "the options ask for this tile" : "it is predicted to take the least time";
  finish_plan(plan, machine);
  if (plan.scratch_bytes > machine.scratch_max)
    arguments.fail("the tile " + text(plan.tile()) + " needs " + std::to_string(plan.scratch_bytes) +
                   " bytes of scratch, a team has " + std::to_string(machine.scratch_max));
}

std::vector<Plan> host_ways(const Plan& uncut, const ProductTraits& traits, const HostMachine& machine) {
  std::vector<Plan> plans;
  for (int threads = 1; threads <= std::min(machine.threads, 16); threads *= 2) {
    const Teams teams{machine.threads / threads, threads, false};
    const auto add = [&](Way& way, const Sides& s, const TileCycles& tile) {
      for (const bool packs_rows : {false, true}) {
        for (const bool packs_columns : {false, true}) {
          way.packs_rows    = packs_rows;
          way.packs_columns = packs_columns;
          way.seconds       = seconds_of(s, way, tile, teams, machine);
          if (!std::isfinite(way.seconds)) continue;
          Plan& plan   = plans.emplace_back(uncut);
          plan.threads = threads;
          cut(plan.products[0], traits, way, teams, machine, {});
          finish_plan(plan, machine);
        }
      }
    };
    for_each_way(uncut.products[0].shape, traits, machine, teams, {}, add);
  }
  return plans;
}

}  // namespace Tegula::Impl
