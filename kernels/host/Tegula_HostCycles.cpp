// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostCycles.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace Tegula::Impl {
namespace {

/// Lines that lie a multiple of this apart compete for the same sets of the first cache, which holds so many of them.
constexpr std::int64_t cache_way_bytes = 4096, cache_ways = 8;

/// Steps that lie a page or more apart are not fetched ahead, and processors know the places of so many pages at once.
constexpr std::int64_t known_pages = 64;

/// Cycles that the planner reckons with, of HostRates::cycles in a second. Fitted to measured times of all ways to
/// compute 480 calls of gemm with AVX-512 on one thread (tegula_host_regret, seeds 11 and 12), but for those that say
/// otherwise: on an AMD EPYC, and those marked * again on an Intel Xeon with AMX, since microkernels store results, in
/// cycles of which it has 2.92e9 in a second.
constexpr double copied_element     = 0.0615;  // packed from contiguous lines
constexpr double packed_run         = 3.22;    // a step of a panel that is packed from contiguous lines
constexpr double transposed_element = 0.445;   // packed from contiguous depth
constexpr double short_run          = 3;       // packed from contiguous depth of half a vector or less; set by hand
constexpr double formed_vector      = 4;       // of dZ, beside the derivative and packing what was saved; set by hand
constexpr double formed_rest        = 50;      // of dZ where a line ends within a vector; likewise
constexpr double summed_element     = 0.3;     // of lines that are summed while they are packed; a guess
constexpr double scattered_element  = 0.969;   // stored across a direction in which the result is not contiguous
constexpr double across_element     = 0.35;    // stored across the contiguous direction of the result; set by hand
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
constexpr double packed_operand     = 40;      // of an operand that is packed, however small; set by hand
constexpr double staged_tile        = 120;     // of a tile that microkernels do not store, likewise
constexpr double gathered_vector    = 0.57;    // * a load, a store or a shuffle of vectors where few lines are packed
constexpr double gathered_part      = 4;       // a load of a part of a vector without masks, in such; a guess

/// Lines of an operand in a tile.
struct Lines {
  const OperandTraits& operand;
  std::int64_t lines, depth;
};

/// Cycles of packing lines. Where their depth is contiguous, a line takes whole vectors of it.
double packing(const Lines& l, int panel_lines, int lanes) {
  const bool by_lines = l.operand.line_stride == 1;
  if (!by_lines && l.operand.in_place && 2 * l.depth <= lanes) return packed_operand + number(l.lines) * short_run;
  const double elements = by_lines ? number(l.lines * l.depth) : number(l.lines * parts_of(l.depth, lanes) * lanes);
  const double element  = by_lines ? copied_element : transposed_element;
  double cycles         = packed_operand + elements * element;
  if (l.operand.is_formed) {
    cycles += elements * (l.operand.slope + (l.operand.reads_saved ? element : 0)) + elements / lanes * formed_vector;
    if (!by_lines && l.depth % lanes != 0) cycles += number(l.lines) * formed_rest;
  }
  if (by_lines)
    cycles += number(l.depth * parts_of(l.lines, panel_lines)) * (l.operand.reads_saved ? 2 : 1) * packed_run;
  if (l.operand.sums_lines) cycles += elements * summed_element;
  return cycles;
}

/// The same of the few lines of an inner product. Where they are neighbours, a vector of steps is gathered at once
/// (Tegula_HostPack.hpp): runs that lie one behind the other are loaded together, others one by one.
double packing_vectors(const Lines& l, const RegisterTileShape& registers) {
  const int lanes     = registers.lanes;
  const bool gathered = l.operand.line_stride == 1 && l.operand.in_place && l.lines > 1 && l.lines <= lanes;
  if (!gathered) return packing(l, inner_rows, lanes);
  const auto lines    = static_cast<unsigned>(l.lines);
  const auto count    = static_cast<int>(std::bit_ceil(lines));
  const bool is_dense = l.operand.step_stride == count && l.lines == count;
  const double loads  = is_dense ? count : (registers.reads_parts ? 1 : gathered_part) * lanes;
  const int shuffles  = count * std::countr_zero(static_cast<unsigned>(count)) + (is_dense ? 0 : lanes - count);
  return packed_operand + number(parts_of(l.depth, lanes)) * (loads + shuffles + number(l.lines)) * gathered_vector;
}

/// Cycles that each step of a register tile takes longer because it reads a panel where it lies. What is read but once
/// need not stay in a cache: the steps of a single row panel, each of which has whole cache lines for itself.
double far_reading(const Lines& l, std::int64_t panel_lines, bool is_read_once, const HostMachine& machine) {
  const auto bytes = static_cast<std::int64_t>(machine.element_bytes);
  if (l.lines * l.depth * bytes <= first_cache_bytes) return 0;
  const bool by_lines       = l.operand.line_stride == 1;
  const std::int64_t stride = by_lines ? l.operand.step_stride : l.operand.line_stride;
  const bool competes =
      (by_lines ? l.depth : std::min(l.lines, panel_lines)) > cache_ways && stride * bytes % cache_way_bytes == 0;
  return competes && !(by_lines && is_read_once) ? competing_step : far_step;
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

/// A step of a register tile is limited by two multiply-adds a cycle, by two loads a cycle, and by the latency of an
/// addition.
double step_cycles(double height, std::int64_t vectors) {
  return std::max({height * number(vectors) / 2, (height + number(vectors)) / 2, 4.0});
}

/// Cycles of storing a tile of sums: by the microkernel, or a run of a register tile after the other.
double storing(const Sides& s, std::int64_t rows, std::int64_t columns, const Columns& c, bool is_direct) {
  const ResultTraits& result = s.result;
  const double elements      = number(rows * columns);
  const double activating    = is_direct && result.clamps ? 0 : elements * result.finished_element;
  if (is_direct) {
    const std::int64_t strips = parts_of(c.panels, panels_in_a_strip);
    const bool is_dense       = s.is_dense && columns == s.columns && strips == 1;
    const std::int64_t runs   = is_dense ? parts_of(rows * columns, finished_at_once) : rows * strips;
    return number(rows * c.vectors * result.passes) * direct_vector + activating +
           (activating > 0 ? number(runs) * activated_run : 0);
  }
  const bool is_contiguous = std::min(result.row_stride, result.column_stride) == 1;
  const double scattered   = is_contiguous ? across_element : scattered_element;
  return staged_tile + activating + number(rows * c.vectors) * finished_vector +
         number(rows * c.panels) * result.passes * finished_run +
         (s.stores_along_rows ? 0 : elements * result.passes * scattered);
}

}  // namespace

Sides sides(const GemmShape& shape, const ProductTraits& traits, bool transposed) {
  const ResultTraits& result = traits.result;
  const std::int64_t longer  = std::max(result.row_stride, result.column_stride);
  const bool is_dense        = longer == (result.row_stride == 1 ? shape.m : shape.n);
  return transposed
             ? Sides{shape.n, shape.m, shape.k, traits.right, traits.left, result, result.row_stride == 1, is_dense}
             : Sides{shape.m, shape.n, shape.k, traits.left, traits.right, result, result.column_stride == 1, is_dense};
}

/// Sums of all steps but the last wait in scratch.
TileCycles tile_cycles(const Sides& s, std::int64_t rows, std::int64_t columns, std::int64_t part, int depth,
                       const HostMachine& machine) {
  const OperandTraits& by_column    = s.column_operand;
  const bool has_columns            = by_column.in_place && by_column.line_stride == 1;
  const RegisterTileShape registers = machine.registers.fitted(rows, columns, has_columns && !by_column.in_panels);
  const Columns c(columns, registers);
  const double panels        = number(parts_of(rows, registers.rows));
  const double height        = number(rows) / std::max(1.0, panels);
  const std::int64_t at_most = registers.columns / registers.lanes;
  const double depths        = part > depth ? number(parts_of(part, depth)) : 1;
  const double steps         = panels * number(c.panels * part);
  const double multiplying   = panels * number(part) *
                             (number(c.vectors / at_most) * step_cycles(height, at_most) +
                              (c.vectors % at_most > 0 ? step_cycles(height, c.vectors % at_most) : 0));
  const double rest = multiplying + (depths - 1) * number(rows * c.vectors) * kept_vector +
                      storing(s, rows, columns, c, s.result.is_direct && s.stores_along_rows) +
                      register_step * panels * number(c.panels) * depths;
  constexpr double never     = std::numeric_limits<double>::infinity();
  const std::int64_t at_once = std::min<std::int64_t>(part, depth);
  const auto cycles = [&](const OperandTraits& operand, std::int64_t whole_lines, std::int64_t lines, int panel_lines,
                          bool is_read_once, bool may, std::int64_t tail) {
    const bool pages    = reads_pages({operand, whole_lines, s.depth}, at_once, machine);
    const double paged  = pages ? number(parts_of(lines, panel_lines) * part) : 0;
    const double packed = packing({operand, lines, part}, panel_lines, registers.lanes) + paged * paged_packed_step;
    if (operand.in_panels) return std::array{0.0, never};
    if (!may) return std::array{never, packed};
    double in_place =
        steps * far_reading({operand, lines, at_once}, panel_lines, is_read_once, machine) + paged * paged_step;
    if (tail > 0) in_place += packing({operand, tail, part}, panel_lines, registers.lanes);
    return std::array{in_place, in_place > 0 ? packed : never};
  };
  return {rest, cycles(s.row_operand, s.rows, rows, registers.rows, c.panels <= 1, s.row_operand.in_place, 0),
          cycles(by_column, s.columns, columns, registers.columns, panels <= 1, has_columns, c.tail)};
}

/// A vector of a column takes a load, and half a cycle for each row.
TileCycles inner_cycles(const Sides& s, std::int64_t columns, std::int64_t part, const HostMachine& machine) {
  const double step = std::max(1.0, number(s.rows) / 2);
  const double rest =
      number(columns) * (number(parts_of(part, machine.registers.lanes)) * step + number(s.rows) * added_up);
  constexpr double never = std::numeric_limits<double>::infinity();
  const bool is_direct   = s.result.is_direct && std::min(s.result.row_stride, s.result.column_stride) == 1;
  // Rows are read where they lie if they can be, even from lines that compete for sets of the first cache: measured.
  const OperandTraits& rows = s.row_operand;
  const bool has_rows       = rows.in_place && rows.step_stride == 1;
  return {rest + storing(s, s.rows, columns, Columns(columns, machine.registers), is_direct),
          {has_rows ? 0 : never, packing_vectors({rows, s.rows, part}, machine.registers)},
          {0, never}};
}

}  // namespace Tegula::Impl
