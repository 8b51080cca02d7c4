// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_TILE_PRODUCT_HPP
#define TEGULA_HOST_TILE_PRODUCT_HPP

#include "Tegula_HostPack.hpp"
#include "Tegula_HostPanels.hpp"
#include "Tegula_HostStore.hpp"

/// What a team does: step by step along the inner dimension it packs panels of both operands, its threads sharing them
/// out, and multiplies every row panel with every column panel. After the last step a register tile's sums go through
/// the epilogue while they are still in the first cache.

namespace Tegula::Impl {

/// A product with what the host kernel needs to know besides.
template <class Base>
struct HostProduct : Base {
  bool packs_left, packs_right, swapped;
  PanelScratch scratch;

  HostProduct(const Base& base, const ProductPlan& plan, const RegisterTileShape& shape)
      : Base(base),
        packs_left(plan.packs_left),
        packs_right(plan.packs_right),
        swapped(plan.swapped),
        scratch(panel_scratch(plan, shape)) {}
};

/// The threads of a team, without what else a Kokkos team is.
struct TeamShare {
  int rank, size;

  /// The part [begin, end) of `count` things that are this thread's.
  std::int64_t begin(std::int64_t count) const { return count * rank / size; }
  std::int64_t end(std::int64_t count) const { return count * (rank + 1) / size; }
};

/// One tile of one product. RowOperand supplies the rows of the register tiles, ColumnOperand their columns.
template <class T, class Member, class Product, class RowOperand, class ColumnOperand>
class HostTileProduct {
 public:
  HostTileProduct(const Member& team, Instructions instructions, const Product& product, const TeamWork& work,
                  const RowOperand& row_operand, const ColumnOperand& column_operand)
      : team_(team),
        share_{team.team_rank(), team.team_size()},
        instructions_(instructions),
        microkernels_(instructions),
        product_(product),
        work_(work),
        row_operand_(row_operand),
        column_operand_(column_operand),
        rows_(product.swapped ? width(product, work) : height(product, work), microkernels_.shape.rows),
        columns_(product.swapped ? height(product, work) : width(product, work), microkernels_.shape),
        row0_(product.swapped ? work.column0 : work.row0),
        column0_(product.swapped ? work.row0 : work.column0),
        packs_rows_(product.swapped ? product.packs_right : product.packs_left),
        packs_columns_(product.swapped ? product.packs_left : product.packs_right),
        row_panels_(scratch(product.scratch.rows)),
        column_panels_(scratch(product.scratch.columns)),
        sums_(scratch(product.scratch.sums)),
        line_sums_(scratch(product.scratch.line_sums)) {}

  void compute() const {
    std::int64_t k0 = work_.k_begin;
    do {  // an empty sum takes a step too
      const std::int64_t depth = std::min<std::int64_t>(product_.tile.k, work_.k_end - k0);
      pack(k0, depth);
      team_.team_barrier();
      multiply(k0, depth);
      k0 += depth;
      if (k0 < work_.k_end) team_.team_barrier();
    } while (k0 < work_.k_end);
    if (work_.sums_rows) store_line_sums();
  }

 private:
  // Extents of the tile, which may be cut off at the end of the product.
  static int height(const Product& product, const TeamWork& work) {
    return static_cast<int>(std::min<std::int64_t>(product.tile.m, product.shape.m - work.row0));
  }
  static int width(const Product& product, const TeamWork& work) {
    return static_cast<int>(std::min<std::int64_t>(product.tile.n, product.shape.n - work.column0));
  }

  T* scratch(std::size_t count) const {
    if (count == 0) return nullptr;
    return static_cast<T*>(team_.team_scratch(1).get_shmem_aligned(count * sizeof(T), PanelScratch::alignment));
  }

  // The panel of a whole number of vectors that is read where it lies.
  bool is_in_place(int column_panel) const {
    return !packs_columns_ && columns_.width(column_panel) == columns_.padded(column_panel);
  }

  T* row_panel(int panel, std::int64_t depth) const { return row_panels_ + rows_.first(panel) * depth; }
  // The only panel that may be packed of an operand that is otherwise read in place is the last.
  T* column_panel(int panel, std::int64_t depth) const {
    return packs_columns_ ? column_panels_ + columns_.first(panel) * depth : column_panels_;
  }

  void pack(std::int64_t k0, std::int64_t depth) const {
    const auto panels    = [&](bool wanted, int count) { return wanted ? count : 0; };
    const int row_panels = panels(packs_rows_, rows_.panels);
    for (auto p = share_.begin(row_panels); p < share_.end(row_panels); ++p) {
      const int panel = static_cast<int>(p), width = rows_.width(panel);
      pack_panel(instructions_, row_operand_, {row0_ + rows_.first(panel), k0, width, depth, width},
                 row_panel(panel, depth));
      if (work_.sums_rows && !product_.swapped)
        sum_lines(instructions_, row_panel(panel, depth), width, depth, width, k0 > work_.k_begin,
                  line_sums_ + rows_.first(panel));
    }
    for (auto p = share_.begin(columns_.panels); p < share_.end(columns_.panels); ++p) {
      const int panel = static_cast<int>(p);
      if (is_in_place(panel)) continue;
      const int width = columns_.width(panel), pitch = columns_.padded(panel);
      pack_panel(instructions_, column_operand_, {column0_ + columns_.first(panel), k0, width, depth, pitch},
                 column_panel(panel, depth));
      if (work_.sums_rows && product_.swapped)
        sum_lines(instructions_, column_panel(panel, depth), width, depth, pitch, k0 > work_.k_begin,
                  line_sums_ + columns_.first(panel));
    }
  }

  // Column panels run fastest, so that a row panel stays in the first cache while they stream from the second.
  void multiply(std::int64_t k0, std::int64_t depth) const {
    const std::int64_t tiles = static_cast<std::int64_t>(rows_.panels) * columns_.panels;
    for (auto t = share_.begin(tiles); t < share_.end(tiles); ++t)
      multiply(static_cast<int>(t / columns_.panels), static_cast<int>(t % columns_.panels), k0, depth);
  }

  void multiply(int row, int column, std::int64_t k0, std::int64_t depth) const {
    constexpr std::size_t most_sums = 16 * longest_run;
    alignas(PanelScratch::alignment) T one_step[most_sums];
    const int height = rows_.width(row), width = columns_.width(column), padded = columns_.padded(column);
    RegisterProduct<T> p;
    p.depth = depth;
    p.add   = k0 > work_.k_begin;
    p.pitch = padded;
    p.sums  = sums_ == nullptr ? one_step : sums_ + columns_.first(column) * rows_.lines + rows_.first(row) * padded;
    set_rows(p, row, k0);
    set_columns(p, column, k0);
    const bool last           = k0 + depth == work_.k_end;
    const std::int64_t at_row = row0_ + rows_.first(row), at_column = column0_ + columns_.first(column);
    const std::int64_t i = product_.swapped ? at_column : at_row, j = product_.swapped ? at_row : at_column;
    const Along along = product_.swapped ? Along::column : Along::row;
    if (last) prefetch_tile(product_, i, j, along, height, width);
    microkernels_(height, padded)(p);
    if (last) store_tile(instructions_, product_, work_, i, j, along, height, width, p.sums, padded);
  }

  void set_rows(RegisterProduct<T>& p, int panel, std::int64_t k0) const {
    if (packs_rows_) {
      p.rows       = row_panel(panel, p.depth);
      p.row_stride = 1;
      p.row_step   = rows_.width(panel);
    } else {
      const MatrixRef<const T> matrix = in_place<T>(row_operand_);
      p.rows                          = &matrix(row0_ + rows_.first(panel), k0);
      p.row_stride                    = matrix.row_stride;
      p.row_step                      = matrix.column_stride;
    }
  }

  void set_columns(RegisterProduct<T>& p, int panel, std::int64_t k0) const {
    if (is_in_place(panel)) {
      const MatrixRef<const T> matrix = in_place<T>(column_operand_);
      p.columns                       = &matrix(column0_ + columns_.first(panel), k0);
      p.column_step                   = matrix.column_stride;
    } else {
      p.columns     = column_panel(panel, p.depth);
      p.column_step = columns_.padded(panel);
    }
  }

  // Each thread stores the sums of the lines that it packed.
  void store_line_sums() const {
    const auto store = [&](const auto& panels) {
      for (auto p = share_.begin(panels.panels); p < share_.end(panels.panels); ++p) {
        const int first = panels.first(static_cast<int>(p));
        for (int line = first; line < first + panels.width(static_cast<int>(p)); ++line)
          product_.store_row_sum(work_, work_.row0 + line, line_sums_[line]);
      }
    };
    if (product_.swapped) {
      store(columns_);
    } else {
      store(rows_);
    }
  }

  const Member& team_;
  TeamShare share_;
  Instructions instructions_;
  Microkernels<T> microkernels_;
  const Product& product_;
  const TeamWork& work_;
  const RowOperand& row_operand_;
  const ColumnOperand& column_operand_;
  EvenPanels rows_;
  VectorPanels columns_;
  std::int64_t row0_, column0_;
  bool packs_rows_, packs_columns_;
  T *row_panels_, *column_panels_, *sums_, *line_sums_;
};

}  // namespace Tegula::Impl

#endif
