// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_CYCLES_HPP
#define TEGULA_HOST_CYCLES_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "Tegula_HostPanels.hpp"
#include "Tegula_HostRates.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// The planner's model of a tile: the cycles that a thread takes for it, of HostRates::cycles in a second.

namespace Tegula::Impl {

/// How an operand lies in memory.
struct OperandTraits {
  bool in_place;             // a microkernel can read its elements as they are
  std::int64_t line_stride;  // between neighbouring lines
  std::int64_t step_stride;  // between neighbouring steps along the inner dimension
  bool is_formed = false, reads_saved = false, sums_lines = false;  // dZ, while it is packed
  double slope   = 0;      // cycles of the activation's derivative, for each element that is packed
  bool in_panels = false;  // it was packed before the call, for the columns of register tiles
};

/// How a result is stored.
struct ResultTraits {
  std::int64_t row_stride, column_stride;
  bool is_direct          = true;   // microkernels can store it: sums, with bias or added to what is there
  int passes              = 1;      // how often its elements, or those of Z, are read or written
  double finished_element = 0;      // cycles of the activation
  bool clamps             = false;  // microkernels that store it directly apply the activation
};

struct ProductTraits {
  OperandTraits left, right;
  ResultTraits result;
};

/// What the planner knows of the machine.
struct HostMachine {
  RegisterTileShape registers;
  std::size_t element_bytes;  // of the accumulator
  int threads;
  std::size_t scratch_max;  // of a team
  const HostRates* rates;   // predicted times; plans point to its name
};

/// A product as the register tiles see it.
struct Sides {
  std::int64_t rows, columns, depth;  // lines of the row operand, lines of the column operand
  const OperandTraits &row_operand, &column_operand;
  const ResultTraits& result;
  bool stores_along_rows;  // the result is contiguous in the direction of the vectors
  bool is_dense;           // nothing lies between its elements
};

Sides sides(const GemmShape& shape, const ProductTraits& traits, bool transposed);

inline double number(std::int64_t count) { return static_cast<double>(count); }

/// Cycles of a tile on one thread, and what its operands add, read in place and packed; infinite where that cannot be.
struct TileCycles {
  double rest;
  std::array<double, 2> rows, columns;
};

/// Of a tile of register tiles, so many rows and columns, summed over `part` steps of the inner dimension, `depth` at a
/// time.
TileCycles tile_cycles(const Sides& s, std::int64_t rows, std::int64_t columns, std::int64_t part, int depth,
                       const HostMachine& machine);

/// The same for an inner product.
TileCycles inner_cycles(const Sides& s, std::int64_t columns, std::int64_t part, const HostMachine& machine);

}  // namespace Tegula::Impl

#endif
