// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostPlan.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace Tegula::Impl {
namespace {

/// The largest tile of a team, lines of the row operand x lines of the column operand x depth. A row panel of that
/// depth stays in the first cache, a longer one would not; a large tile packs each operand few times.
struct Blocking {
  std::size_t element_bytes;
  int rows, columns, depth;
};
constexpr std::array<Blocking, 2> blockings = {Blocking{4, 1024, 2048, 512}, Blocking{8, 1024, 1024, 512}};

/// The same where all rows fit a register tile or two, so that the columns are hardly used again: they are streamed
/// from memory where they lie, a few long runs side by side.
constexpr int streamed_columns = 4096, streamed_depth = 32;

/// An inner product is formed of few rows and of columns whose steps are contiguous, by vectors along the inner
/// dimension. A column must have this many vectors to pay for adding up their elements at the end. The row panel takes
/// that many bytes of the first cache, while columns pass by.
constexpr std::int64_t fewest_inner_vectors = 4, inner_panel_bytes = 32 * 1024;

/// Cycles that the planner reckons with. Choices depend on their ratios only, predicted times on HostRates::cycles,
/// too.
constexpr double copied_element     = 0.4;    // packed from contiguous lines
constexpr double transposed_element = 1.0;    // packed from contiguous depth
constexpr double scattered_element  = 12;     // stored across the contiguous direction of the result
constexpr double stored_vector      = 4.0;    // epilogue included
constexpr double added_up           = 5.0;    // adding up the elements of a vector of partial sums
constexpr double barrier            = 20000;  // a step of a team of several threads, which wait for each other twice
constexpr double uneven_team        = 1.15;   // a team is as slow as the slowest of its threads
constexpr double pass               = 4000;   // the second kernel of split-k
constexpr double reduced_element    = 20;     // in it: its slices, its place and its epilogue, one element at a time

/// A small operand is read where it lies: packing it costs more than it brings. Columns, which every row panel passes
/// by, must stay in the first cache, and rows in the second.
constexpr std::int64_t columns_in_place_bytes = 32 * 1024, rows_in_place_bytes = 1024 * 1024;

/// Lines that lie a multiple of this apart compete for the same sets of the first cache.
constexpr std::int64_t cache_way_bytes = 4096;

/// A product as the register tiles see it.
struct Sides {
  std::int64_t rows, columns, depth;  // lines of the row operand, lines of the column operand
  OperandTraits row_operand, column_operand;
  bool stores_along_rows;  // the result is contiguous in the direction of the vectors
  bool inner = false;      // its sums are formed by vectors along the inner dimension
};

/// Whether `rows` lines of an operand are packed to be the rows of register tiles.
bool packs_rows(const OperandTraits& operand, std::int64_t rows, std::int64_t depth, const HostMachine& machine) {
  const auto bytes   = static_cast<std::int64_t>(machine.element_bytes);
  const bool compete = rows > 4 && operand.line_stride * bytes % cache_way_bytes == 0;
  return !operand.in_place || rows * depth * bytes > rows_in_place_bytes || compete;
}

bool is_inner(const Sides& s, const HostMachine& machine) {
  const int lanes = machine.registers.lanes;
  if (s.rows < 1 || s.rows > inner_rows || s.depth < fewest_inner_vectors * lanes) return false;
  if (!s.column_operand.in_place || s.column_operand.step_stride != 1) return false;
  // If transposed, whole vectors of the few lines may meet the many where they lie; then an inner product gains
  // nothing.
  const bool transposed_is_ideal =
      s.rows % lanes == 0 && !s.stores_along_rows && !packs_rows(s.column_operand, s.columns, s.depth, machine);
  return !transposed_is_ideal;
}

Sides sides(const GemmShape& shape, const ProductTraits& traits, bool transposed, const HostMachine& machine) {
  Sides s = transposed ? Sides{shape.n, shape.m, shape.k, traits.right, traits.left, traits.result_row_stride == 1}
                       : Sides{shape.m, shape.n, shape.k, traits.left, traits.right, traits.result_column_stride == 1};
  s.inner = is_inner(s, machine);
  return s;
}

double packing(const OperandTraits& operand, double elements) {
  return elements * (operand.line_stride == 1 ? copied_element : transposed_element);
}

double number(std::int64_t count) { return static_cast<double>(count); }

/// Cycles of a tile's multiplications. A step of a register tile is limited by two multiply-adds a cycle, by two loads
/// a cycle, and by the latency of an addition.
double multiplying(std::int64_t rows, std::int64_t columns, std::int64_t depth, const RegisterTileShape& registers) {
  const double panels  = number(parts_of(rows, registers.rows));
  const double vectors = number(parts_of(columns, registers.lanes));
  const double height  = number(rows) / std::max(1.0, panels);
  const double step    = std::max({height, (height + 2) / 2, 4.0});  // of two vectors
  return panels * vectors / 2 * step * number(depth);
}

/// The same for an inner product: a vector of a column takes a load, and half a cycle for each row.
double multiplying_inner(std::int64_t rows, std::int64_t columns, std::int64_t depth,
                         const RegisterTileShape& registers) {
  const double step = std::max(1.0, number(rows) / 2);
  return number(columns) * (number(parts_of(depth, registers.lanes)) * step + number(rows) * added_up);
}

/// Cycles of a tile on one thread.
double cycles(const Sides& s, std::int64_t rows, std::int64_t columns, std::int64_t depth,
              const RegisterTileShape& registers) {
  const double vectors = number(parts_of(columns, registers.lanes));
  const double store =
      s.stores_along_rows ? number(rows) * vectors * stored_vector : number(rows * columns) * scattered_element;
  const double rest = store + packing(s.row_operand, number(rows * depth));
  if (s.inner) return multiplying_inner(rows, columns, depth, registers) + rest;
  return multiplying(rows, columns, depth, registers) + rest + packing(s.column_operand, number(columns * depth));
}

/// Whether the column operand is read once, from memory.
bool is_streamed(const Sides& s, const RegisterTileShape& registers) {
  return s.rows <= 2 * registers.rows && s.column_operand.in_place && s.column_operand.line_stride == 1 &&
         s.columns >= 2 * registers.columns && s.depth > 2 * streamed_depth;
}

Blocking blocking_of(const Sides& s, std::size_t element_bytes, const RegisterTileShape& registers) {
  const Blocking& usual = *std::find_if(blockings.begin(), blockings.end(),
                                        [&](const Blocking& b) { return b.element_bytes == element_bytes; });
  if (s.inner) {
    const auto row_bytes = s.rows * static_cast<std::int64_t>(element_bytes);
    return {element_bytes, inner_rows, streamed_columns, static_cast<int>(inner_panel_bytes / row_bytes)};
  }
  return is_streamed(s, registers) ? Blocking{element_bytes, usual.rows, streamed_columns, streamed_depth} : usual;
}

/// A grid of tiles over one product, and what it costs.
struct Grid {
  std::int64_t rows = 1, columns = 1, parts = 1;  // tiles along both sides, parts of the inner dimension
  double cost = 0;
};

/// The cost of a grid for `groups` teams of `threads`.
double cost_of(const Sides& s, const Grid& grid, int groups, int threads, int depth,
               const RegisterTileShape& registers) {
  const std::int64_t part = parts_of(s.depth, grid.parts);
  const double waves      = number(parts_of(grid.rows * grid.columns * grid.parts, groups));
  double tile = cycles(s, parts_of(s.rows, grid.rows), parts_of(s.columns, grid.columns), part, registers) / threads;
  if (threads > 1) tile = tile * uneven_team + barrier * static_cast<double>(parts_of(part, depth) + 1);
  const double reduce =
      grid.parts > 1 ? pass + number(s.rows * s.columns) * (reduced_element + number(grid.parts)) / (groups * threads)
                     : 0;
  return waves * tile + reduce;
}

/// The cheapest grid whose tiles are no larger than the blocking allows.
Grid best_grid(const Sides& s, const Blocking& blocking, int groups, int threads, const RegisterTileShape& registers) {
  const std::int64_t least_rows    = std::max<std::int64_t>(1, parts_of(s.rows, blocking.rows));
  const std::int64_t least_columns = std::max<std::int64_t>(1, parts_of(s.columns, blocking.columns));
  const std::int64_t most_rows     = s.inner ? 1 : std::max<std::int64_t>(1, parts_of(s.rows, registers.rows));
  const std::int64_t most_columns  = std::max<std::int64_t>(1, parts_of(s.columns, registers.columns));
  Grid best;
  const auto consider = [&](std::int64_t rows, std::int64_t columns) {
    Grid grid{rows, std::clamp(columns, least_columns, most_columns), 1, 0};
    const auto consider_parts = [&](std::int64_t parts) {
      grid.parts = parts;
      grid.cost  = cost_of(s, grid, groups, threads, blocking.depth, registers);
      if (best.cost == 0 || grid.cost < best.cost) best = grid;
    };
    consider_parts(1);
    if (const std::int64_t parts = groups / (grid.rows * grid.columns); parts > 1) consider_parts(parts);
  };
  for (std::int64_t rows = least_rows; rows <= std::min(most_rows, least_rows + groups - 1); ++rows) {
    consider(rows, least_columns);
    if (groups == 1) break;
    for (std::int64_t waves = 1; waves <= 2; ++waves)
      consider(rows, std::max(least_columns, parts_of(waves * groups, rows)));
  }
  return best;
}

/// How one product would be computed.
struct Choice {
  bool transposed = false;
  Grid grid;
  bool stores_whole_vectors = false, inner = false;
};

Choice choose(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine, int threads) {
  Choice best;
  for (const bool transposed : {false, true}) {
    const Sides s = sides(shape, traits, transposed, machine);
    // Only an inner product beats sums that are stored as whole vectors, and planning a small product must be quick.
    if (transposed && best.stores_whole_vectors && !s.inner) break;
    best.stores_whole_vectors = s.stores_along_rows && s.columns >= machine.registers.columns;
    const Grid grid = best_grid(s, blocking_of(s, machine.element_bytes, machine.registers), machine.threads / threads,
                                threads, machine.registers);
    const bool is_better = s.inner == best.inner ? grid.cost < best.grid.cost : s.inner;
    if (!transposed || is_better) best = {transposed, grid, best.stores_whole_vectors, s.inner};
  }
  return best;
}

int as_int(std::int64_t value) { return static_cast<int>(value); }

/// The tile of a grid: even parts, whole vectors of columns.
TileShape tile_of(const Sides& s, const Choice& choice, const HostMachine& machine) {
  const RegisterTileShape& registers = machine.registers;
  const int rows                     = as_int(std::max<std::int64_t>(1, parts_of(s.rows, choice.grid.rows)));
  const int vectors =
      as_int(std::max<std::int64_t>(1, parts_of(parts_of(s.columns, choice.grid.columns), registers.columns)));
  const int columns       = vectors * registers.columns;
  const std::int64_t part = std::max<std::int64_t>(1, parts_of(s.depth, choice.grid.parts));
  const int most_depth    = blocking_of(s, machine.element_bytes, registers).depth;
  int depth               = as_int(parts_of(part, parts_of(part, most_depth)));
  if (s.inner) depth = as_int(parts_of(depth, registers.lanes)) * registers.lanes;
  return choice.transposed ? TileShape{columns, rows, depth} : TileShape{rows, columns, depth};
}

/// Decides which operands of a product are read where they lie.
void choose_packing(ProductPlan& product, const Sides& s, const HostMachine& machine) {
  if (product.inner) {
    product.packs_left  = !product.transposed;
    product.packs_right = product.transposed;
    return;
  }
  const RegisterTileShape& registers = machine.registers;
  const auto bytes                   = static_cast<std::int64_t>(machine.element_bytes);
  const std::int64_t rows    = std::min<std::int64_t>(product.transposed ? product.tile.n : product.tile.m, s.rows);
  const std::int64_t columns = std::min<std::int64_t>(product.transposed ? product.tile.m : product.tile.n, s.columns);
  const std::int64_t depth   = std::min<std::int64_t>(product.tile.k, s.depth);
  const bool packs_columns   = !s.column_operand.in_place || s.column_operand.line_stride != 1 ||
                             (columns * depth * bytes > columns_in_place_bytes && rows > 2 * registers.rows);
  const bool packs_row_operand = packs_rows(s.row_operand, rows, s.depth, machine);
  product.packs_left           = product.transposed ? packs_columns : packs_row_operand;
  product.packs_right          = product.transposed ? packs_row_operand : packs_columns;
}

/// The grid of a product whose tile or parts options ask for.
Grid grid_of(const ProductPlan& product, const Sides& s, const HostMachine& machine, int threads) {
  const auto& [rows, columns, group] = product.order;
  Grid grid = product.transposed ? Grid{columns, rows, product.split_k} : Grid{rows, columns, product.split_k};
  grid.cost = cost_of(s, grid, machine.threads / threads, threads, product.tile.k, machine.registers);
  return grid;
}

/// Seconds of a product: its cycles, and what memory takes for what the cache does not hold. C is fetched before it is
/// written. What an activation takes is not known.
double predicted_seconds(const ProductPlan& product, const Grid& grid, const HostMachine& machine) {
  const GemmShape& shape = product.shape;
  const double bytes     = number(shape.m * shape.k) * static_cast<double>(product.left_bytes) +
                       number(shape.k * shape.n) * static_cast<double>(product.right_bytes) +
                       number(2 * shape.m * shape.n) * static_cast<double>(product.result_bytes);
  const HostRates& rates = *machine.rates;
  const double memory    = std::min(machine.threads * rates.memory, rates.all_memory);
  return grid.cost / rates.cycles + std::max(0.0, bytes - rates.cache) / memory;
}

std::size_t scratch_bytes(const Plan& plan, const HostMachine& machine) {
  std::size_t bytes = 0;
  for (const ProductPlan& product : plan.products)
    if (product.teams() > 0) bytes = std::max(bytes, product.panels.bytes(machine.element_bytes));
  return bytes;
}

}  // namespace

void plan_host_products(Plan& plan, const std::array<ProductTraits, 2>& traits, const HostMachine& machine,
                        const PlanOptions& options, const ArgumentList& arguments) {
  drop_unwanted_products(plan);
  const bool asked = options.tile != TileShape{};
  if (asked && (options.tile.m < 1 || options.tile.n < 1 || options.tile.k < 1))
    arguments.fail("the host family has no tile " + text(options.tile));

  // Teams of one thread each, or of 2, 4, ... that share the packing.
  std::array<Choice, 2> best;
  double best_cost = 0;
  for (int threads = 1; threads <= std::min(machine.threads, 16); threads *= 2) {
    std::array<Choice, 2> choices;
    double cost = 0;
    for (std::size_t p = 0; p < choices.size(); ++p) {
      if (!is_wanted(plan.products[p])) continue;
      choices[p] = choose(plan.products[p].shape, traits[p], machine, threads);
      cost += choices[p].grid.cost;
    }
    if (threads == 1 || cost < best_cost) {
      best         = choices;
      best_cost    = cost;
      plan.threads = threads;
    }
  }

  const std::int64_t groups = machine.threads / plan.threads;
  for (std::size_t p = 0; p < best.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (!is_wanted(product)) continue;
    product.transposed = best[p].transposed;
    if (options.split_k > 0) best[p].grid.parts = options.split_k;
    const Sides s = sides(product.shape, traits[p], product.transposed, machine);
    product.inner = s.inner;
    cut_into_tiles(product, asked ? options.tile : tile_of(s, best[p], machine), groups, options);
    cut_inner_dimension(product, best[p].grid.parts, machine.element_bytes);
    choose_packing(product, s, machine);
    product.panels_at_once = column_panels_at_once(product, machine.registers, machine.element_bytes);
    product.panels         = panel_scratch(product, machine.registers);
    Grid& grid             = best[p].grid;
    if (asked || options.split_k > 0) grid = grid_of(product, s, machine, plan.threads);
    product.seconds = predicted_seconds(product, grid, machine);
  }
  // Products share a kernel.
  ProductPlan& first = plan.products[plan.products[0].teams() > 0 ? 0 : 1];
  if (plan.teams() > 0) first.seconds += machine.rates->call + (machine.threads > 1 ? machine.rates->fork : 0);
  plan.machine        = machine.rates->name.c_str();
  plan.machine_source = machine.rates->source.c_str();
  plan.reason         = asked ? "the options ask for this tile" : "it keeps every thread busy with the least packing";
  plan.scratch_bytes  = scratch_bytes(plan, machine);
  if (plan.scratch_bytes > machine.scratch_max)
    arguments.fail("the tile " + text(plan.tile()) + " needs " + std::to_string(plan.scratch_bytes) +
                   " bytes of scratch, a team has " + std::to_string(machine.scratch_max));
}

}  // namespace Tegula::Impl
