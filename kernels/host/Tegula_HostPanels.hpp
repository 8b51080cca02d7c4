// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PANELS_HPP
#define TEGULA_HOST_PANELS_HPP

#include <algorithm>
#include <bit>
#include <cstddef>

#include "Tegula_HostInnerProduct.hpp"
#include "Tegula_HostMicrokernel.hpp"
#include "Tegula_Plan.hpp"

/// How the tile of a team is divided into register tiles, and what it needs of scratch.
///
/// One operand of a product supplies the rows of register tiles, whose elements are broadcast; the other supplies the
/// columns, which are vectors. Unless the product is transposed, the left operand has the rows. An inner product has
/// few rows, and vectors along the inner dimension (Tegula_HostInnerProduct.hpp); its sums lie like those of the
/// others.

namespace Tegula::Impl {

/// Lines divided into panels of nearly equal width, none wider than the register tile: no register row is idle. The
/// panels of a small product are counted without divisions, which would take as long as some of its arithmetic.
struct EvenPanels {
  int lines, panels;
  int narrow, wide;  // width of most panels, and how many at the beginning are one line wider

  EvenPanels(int lines_, int widest) : lines(lines_), panels(lines_ > 0 ? 1 : 0), narrow(lines_), wide(0) {
    if (lines <= widest) return;
    panels = (lines + widest - 1) / widest;
    narrow = lines / panels;
    wide   = lines % panels;
  }
  int first(int panel) const { return panel * narrow + std::min(panel, wide); }
  int width(int panel) const { return narrow + (panel < wide ? 1 : 0); }
  int padded(int panel) const { return width(panel); }
};

/// Lines divided into panels of whole vectors: all as wide as the register tile but the last, which is padded. The
/// widths of vectors and of register tiles are powers of 2 (Tegula_HostVector.hpp).
struct VectorPanels {
  int lines, widest, lanes, panels;

  VectorPanels(int lines_, const RegisterTileShape& shape)
      : lines(lines_),
        widest(shape.columns),
        lanes(shape.lanes),
        panels((lines_ + widest - 1) >> std::countr_zero(static_cast<unsigned>(widest))) {}
  int first(int panel) const { return panel * widest; }
  int width(int panel) const { return std::min(widest, lines - first(panel)); }
  int padded(int panel) const { return (width(panel) + lanes - 1) & -lanes; }
  int padded_lines() const { return panels == 0 ? 0 : first(panels - 1) + padded(panels - 1); }
};

/// The largest register tile of a product, planned or to be run. Inner products have none.
template <class AnyProduct>
RegisterTileShape tile_shape(const AnyProduct& product, const RegisterTileShape& largest, bool reads_columns_in_place) {
  const std::int64_t m = std::min<std::int64_t>(product.tile.m, product.shape.m);
  const std::int64_t n = std::min<std::int64_t>(product.tile.n, product.shape.n);
  if (product.inner) return largest;
  return product.transposed ? largest.fitted(n, m, reads_columns_in_place)
                            : largest.fitted(m, n, reads_columns_in_place);
}

/// Bytes that stay in the first cache: of the row panel of an inner product, while columns pass by.
inline constexpr std::int64_t first_cache_bytes = 32 * 1024;

/// Of memory. A processor fetches ahead what is read at equal distances, but never past the end of a page.
inline constexpr std::int64_t page_bytes = 4096;

/// Bytes of column panels that stay in the second cache while all rows pass by. Processors have 512 KiB to 2 MiB.
inline constexpr int second_cache_share = 512 * 1024;

/// A kernel of one team of one thread with no more scratch is a function call, not a launch: it is on the stack, and
/// about what the first cache holds.
inline constexpr std::size_t most_scratch_at_once = 32 * 1024;

/// So many column panels are multiplied with a row panel before an activation follows, which is one call for all of
/// them, while the first cache holds their sums.
inline constexpr int panels_in_a_strip = 8;

/// About so many elements are finished at once, where row panels are of one strip: an activation is one call for them,
/// and what it reads was stored a while ago.
inline constexpr std::int64_t finished_at_once = 1024;

/// How many column panels are multiplied with all rows before the next are packed. An inner product packs none.
inline int column_panels_at_once(const ProductPlan& product, const RegisterTileShape& shape,
                                 std::size_t element_bytes) {
  if (product.inner)
    return std::max(1, VectorPanels(product.transposed ? product.tile.m : product.tile.n, shape).panels);
  const int panel_bytes = shape.columns * product.tile.k * static_cast<int>(element_bytes);
  return std::max(1, second_cache_share / std::max(1, panel_bytes));
}

/// Room for panels of both operands, for the sums of the whole tile if it takes several steps along the inner
/// dimension, and for line sums. The last panel of an operand that is read in place is packed if it is not of whole
/// vectors and the set of instructions reads no others. An inner product takes any number of columns, and has its rows
/// in whole vectors along the inner dimension.
inline PanelScratch panel_scratch(const ProductPlan& product, const RegisterTileShape& largest) {
  const TileShape& tile = product.tile;
  const auto rows       = static_cast<std::size_t>(product.transposed ? tile.n : tile.m);
  const bool in_place   = !(product.transposed ? product.packs_left : product.packs_right) && !product.reads_panels;
  const RegisterTileShape shape = tile_shape(product, largest, in_place);
  const VectorPanels columns(product.transposed ? tile.m : tile.n, shape);
  const auto padded        = static_cast<std::size_t>(columns.padded_lines());
  const auto depth         = static_cast<std::size_t>(tile.k);
  const auto lanes         = static_cast<std::size_t>(shape.lanes);
  const bool packs_rows    = product.transposed ? product.packs_right : product.packs_left;
  const bool packs_columns = product.transposed ? product.packs_left : product.packs_right;
  PanelScratch scratch;
  scratch.rows              = packs_rows ? rows * (product.inner ? (depth + lanes - 1) / lanes * lanes : depth) : 0;
  const std::size_t at_once = packs_columns       ? static_cast<std::size_t>(product.panels_at_once)
                              : shape.reads_parts ? 0
                                                  : 1;
  scratch.columns   = product.inner ? 0 : std::min(padded, at_once * static_cast<std::size_t>(shape.columns)) * depth;
  scratch.sums      = product.k_split > tile.k ? rows * padded : 0;
  scratch.line_sums = product.sums_rows ? static_cast<std::size_t>(tile.m) : 0;
  return scratch;
}

/// Bytes of scratch that the teams of a plan need: for the largest product, or for dZ and both.
inline std::size_t scratch_bytes_of(const Plan& plan, std::size_t element_bytes) {
  const auto bytes = [&](const ProductPlan& p) { return p.teams() > 0 ? p.panels.bytes(element_bytes) : 0; };
  if (plan.gradient_blocks.parts == 0) return std::max(bytes(plan.products[0]), bytes(plan.products[1]));
  return plan.gradient_blocks.elements * element_bytes + PanelScratch::alignment + bytes(plan.products[0]) +
         bytes(plan.products[1]);
}

}  // namespace Tegula::Impl

#endif
