// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_TILE_PRODUCT_HPP
#define TEGULA_HOST_TILE_PRODUCT_HPP

#include "Tegula_HostKernel.hpp"
#include "Tegula_HostPack.hpp"
#include "Tegula_HostPanels.hpp"
#include "Tegula_HostStore.hpp"

/// What a team does, step by step along the inner dimension. Its threads share the packing of the tile's rows. Then
/// they take as many columns at a time as stay in the second cache, and share packing them and multiplying them with
/// all rows. After the last step the sums of a register tile go through the epilogue while they are at hand.

namespace Tegula::Impl {

/// Where a team has panels of both operands, the sums of a tile between steps, and sums of lines.
template <class T>
struct TileScratch {
  T *rows, *columns, *sums, *line_sums;

  TileScratch(char* begin, const PanelScratch& scratch)
      : rows(behind(reinterpret_cast<T*>(begin), 0)),
        columns(behind(rows, scratch.rows)),
        sums(behind(columns, scratch.columns)),
        line_sums(behind(sums, scratch.sums)) {}

  /// The next part, behind `count` elements.
  static T* behind(T* from, std::size_t count) {
    const auto end = reinterpret_cast<std::uintptr_t>(from) + count * sizeof(T);
    return reinterpret_cast<T*>((end + PanelScratch::alignment - 1) / PanelScratch::alignment *
                                PanelScratch::alignment);
  }
};

/// The left operand of a tile, and which of its elements is at (0, 0) of what is given: a part of it may be.
template <class T>
struct LeftOperand {
  const HostOperand<T>& operand;
  std::int64_t line = 0, step = 0;
};

/// One tile of one product. One operand supplies the rows of the register tiles, the other their columns.
template <class T>
class HostTileProduct {
 public:
  HostTileProduct(const HostThread& thread, Instructions instructions, const HostProduct<T>& product,
                  const TeamWork& work, const LeftOperand<T>& left, const TileScratch<T>& scratch)
      : thread_(thread),
        instructions_(instructions),
        microkernels_(instructions),
        product_(product),
        work_(work),
        row_operand_(product.transposed ? product.right : left.operand),
        column_operand_(product.transposed ? left.operand : product.right),
        rows_in_place_(row_operand_.in_place()),
        columns_in_place_(column_operand_.in_place()),
        rows_(product.transposed ? width(product, work) : height(product, work),
              product.inner ? inner_rows : microkernels_.shape.rows),
        columns_(product.transposed ? height(product, work) : width(product, work), microkernels_.shape),
        row0_(product.transposed ? work.column0 : work.row0),
        column0_(product.transposed ? work.row0 : work.column0),
        row_line0_(row0_ - (product.transposed ? 0 : left.line)),
        row_step0_(product.transposed ? 0 : left.step),
        column_line0_(column0_ - (product.transposed ? left.line : 0)),
        column_step0_(product.transposed ? left.step : 0),
        packs_rows_(product.transposed ? product.packs_right : product.packs_left),
        packs_columns_(product.transposed ? product.packs_left : product.packs_right),
        direct_(direct_rows(product, work, product.transposed ? Along::column : Along::row)),
        scratch_(scratch) {}

  void compute() const {
    std::int64_t k0 = work_.k_begin;
    do {  // an empty sum takes a step too
      const std::int64_t depth = std::min<std::int64_t>(product_.tile.k, work_.k_end - k0);
      step(k0, depth);
      k0 += depth;
    } while (k0 < work_.k_end);
    if (work_.sums_rows) store_line_sums();
  }

  /// The products of inner indices [k0, k0 + depth). Sums wait in scratch for the next step; the last one stores them.
  void step(std::int64_t k0, std::int64_t depth) const {
    pack_rows(k0, depth);
    const int most = product_.panels_at_once;
    for (int begin = 0; begin == 0 || begin < columns_.panels; begin += most) {
      const int end = std::min(begin + most, columns_.panels);
      pack_columns(begin, end, k0, depth);
      thread_.wait();
      multiply(begin, end, k0, depth);
      thread_.wait();
    }
  }

 private:
  // Extents of the tile, which may be cut off at the end of the product.
  static int height(const HostProduct<T>& product, const TeamWork& work) {
    return static_cast<int>(std::min<std::int64_t>(product.tile.m, product.shape.m - work.row0));
  }
  static int width(const HostProduct<T>& product, const TeamWork& work) {
    return static_cast<int>(std::min<std::int64_t>(product.tile.n, product.shape.n - work.column0));
  }

  // Whether the microkernel needs no padding of a panel's columns: they are whole vectors, parts of vectors can be
  // read, or vectors lie along the inner dimension.
  bool is_exact(int column_panel) const {
    return product_.inner || microkernels_.shape.reads_parts ||
           columns_.width(column_panel) == columns_.padded(column_panel);
  }

  bool is_in_place(int column_panel) const { return !packs_columns_ && is_exact(column_panel); }

  void pack_rows(std::int64_t k0, std::int64_t depth) const {
    if (!packs_rows_) return;
    const bool sums          = !product_.transposed;
    const std::int64_t step0 = k0 - row_step0_;
    if (!product_.inner)
      return pack(row_operand_, row_line0_, rows_, 0, rows_.panels, step0, depth, scratch_.rows, sums);
    if (thread_.rank != 0) return;  // there is one panel
    pack_vectors(instructions_, row_operand_, row_line0_, step0, rows_.lines, depth, scratch_.rows);
    if (work_.sums_rows && sums)
      sum_lines_of_vectors(instructions_, scratch_.rows, rows_.lines, depth, k0 > work_.k_begin, scratch_.line_sums);
  }

  // If the column operand is read in place, only its last panel is packed, and only if that is not of whole vectors.
  void pack_columns(int begin, int end, std::int64_t k0, std::int64_t depth) const {
    int first = begin;
    if (!packs_columns_) first = end == columns_.panels && end > begin && !is_in_place(end - 1) ? end - 1 : end;
    pack(column_operand_, column_line0_, columns_, first, end, k0 - column_step0_, depth,
         packed_columns(begin, first, depth), product_.transposed);
  }

  // Where a column panel is packed, while scratch holds the panels from `begin` on.
  T* packed_columns(int begin, int panel, std::int64_t depth) const {
    return packs_columns_ ? scratch_.columns + offset(columns_, begin, panel, depth) : scratch_.columns;
  }

  // Elements from the beginning of a packed panel to that of another.
  template <class Panels>
  static std::int64_t offset(const Panels& panels, int from, int panel, std::int64_t depth) {
    return (panels.first(panel) - panels.first(from)) * depth;
  }

  // Multiplies this thread's share of register tiles. A row panel meets all column panels before the next one does.
  void multiply(int begin, int end, std::int64_t k0, std::int64_t depth) const {
    const std::int64_t width = end - begin, tiles = width * rows_.panels;
    std::int64_t t          = thread_.begin(tiles);
    const std::int64_t last = thread_.end(tiles);
    if (width == 0) return;
    RegisterProduct<T> p;
    p.depth = depth;
    int row = t == 0 ? 0 : static_cast<int>(t / width);
    for (int column = begin + static_cast<int>(t - row * width); t < last; column = begin, ++row) {
      const int last_column = static_cast<int>(std::min<std::int64_t>(end, column + last - t));
      set_rows(p, row, k0);
      for (int c = column; c < last_column; c += panels_in_a_strip)
        multiply_strip(p, row, c, std::min(c + panels_in_a_strip, last_column), begin, k0);
      t += last_column - column;
    }
  }

  // Packs this thread's share of the panels [first, last). Panel `first` is stored at base.
  template <class Panels>
  void pack(const HostOperand<T>& operand, std::int64_t line0, const Panels& panels, int first, int last,
            std::int64_t k0, std::int64_t depth, T* base, bool sums) const {
    const int begin = first + static_cast<int>(thread_.begin(last - first));
    const int end   = first + static_cast<int>(thread_.end(last - first));
    if (begin == end) return;
    base += offset(panels, first, begin, depth);
    pack_panels(instructions_, operand, line0, k0, depth, panels, begin, end, base);
    if (!work_.sums_rows || !sums) return;
    for (int p = begin; p < end; ++p)
      sum_lines(instructions_, base + offset(panels, begin, p, depth), panels.width(p), depth, panels.padded(p),
                k0 > work_.k_begin, scratch_.line_sums + panels.first(p));
  }

  // Multiplies a row panel with the column panels [column, end), while scratch holds those from `begin` on.
  void multiply_strip(RegisterProduct<T>& p, int row, int column, int end, int begin, std::int64_t k0) const {
    const bool is_last = k0 + p.depth >= work_.k_end;
    const bool stores  = is_last && direct_.matrix.data != nullptr && (k0 == work_.k_begin || !direct_.adds);
    for (int c = column; c < end; ++c) {
      set_columns(p, c, packed_columns(begin, c, p.depth), k0);
      if (stores) {
        set_direct_sums(p, row, c, k0);
        run_microkernel(p, row, c);
      } else {
        multiply_in_scratch(p, row, c, k0, is_last);
      }
    }
    if (!stores) return;
    direct_.finish(row0_ + rows_.first(row), column0_ + columns_.first(column), rows_.width(row),
                   columns_.first(end - 1) + columns_.width(end - 1) - columns_.first(column));
  }

  void multiply_in_scratch(RegisterProduct<T>& p, int row, int column, std::int64_t k0, bool is_last) const {
    alignas(PanelScratch::alignment) T one_step[16 * longest_run];
    const int height = rows_.width(row), width = columns_.width(column), padded = columns_.padded(column);
    p.sums   = product_.scratch.sums == 0 ? one_step : scratch_sums(row, column);
    p.before = k0 == work_.k_begin ? nullptr : p.sums;
    p.bias   = nullptr;
    p.pitch = p.before_pitch = padded;
    p.sum_stride = p.before_stride = 1;
    run_microkernel(p, row, column);
    if (!is_last) return;
    // The epilogue computes all that lies there.
    for (int i = 0; i < height && width < padded; ++i)
      std::fill(p.sums + i * padded + width, p.sums + (i + 1) * padded, T(0));
    const std::int64_t at_row = row0_ + rows_.first(row), at_column = column0_ + columns_.first(column);
    store_tile(instructions_, product_, work_,
               product_.transposed ? SumTile<T>{at_column, at_row, Along::column, height, width, p.sums, padded}
                                   : SumTile<T>{at_row, at_column, Along::row, height, width, p.sums, padded});
  }

  // Where the sums of a register tile wait for the next step.
  T* scratch_sums(int row, int column) const {
    return scratch_.sums + columns_.first(column) * rows_.lines + rows_.first(row) * columns_.padded(column);
  }

  void set_direct_sums(RegisterProduct<T>& p, int row, int column, std::int64_t k0) const {
    const std::int64_t at_row = row0_ + rows_.first(row), at_column = column0_ + columns_.first(column);
    p.sums               = &direct_.Z(at_row, at_column);
    p.pitch              = direct_.Z.row_stride;
    p.sum_stride         = direct_.Z.column_stride;
    p.bias               = direct_.bias.data == nullptr ? nullptr : &direct_.bias(at_row, at_column);
    p.bias_row_stride    = direct_.bias.row_stride;
    p.bias_column_stride = direct_.bias.column_stride;
    if (direct_.adds) {
      p.before        = &direct_.matrix(at_row, at_column);
      p.before_pitch  = direct_.matrix.row_stride;
      p.before_stride = direct_.matrix.column_stride;
    } else {
      p.before        = k0 == work_.k_begin ? nullptr : scratch_sums(row, column);
      p.before_pitch  = columns_.padded(column);
      p.before_stride = 1;
    }
  }

  void run_microkernel(const RegisterProduct<T>& p, int row, int column) const {
    const int height = rows_.width(row), width = columns_.width(column);
    (product_.inner ? inner_microkernel<T>(instructions_, height) : microkernels_(height, width))(p, width);
  }

  void set_rows(RegisterProduct<T>& p, int panel, std::int64_t k0) const {
    if (packs_rows_) {
      p.rows       = scratch_.rows + offset(rows_, 0, panel, p.depth);
      p.row_stride = 1;
      p.row_step   = rows_.width(panel);
    } else {
      p.rows       = &rows_in_place_(row_line0_ + rows_.first(panel), k0 - row_step0_);
      p.row_stride = rows_in_place_.row_stride;
      p.row_step   = rows_in_place_.column_stride;
    }
  }

  void set_columns(RegisterProduct<T>& p, int panel, const T* packed, std::int64_t k0) const {
    if (is_in_place(panel)) {
      p.columns       = &columns_in_place_(column_line0_ + columns_.first(panel), k0 - column_step0_);
      p.column_stride = columns_in_place_.row_stride;
      p.column_step   = columns_in_place_.column_stride;
    } else {
      p.columns       = packed;
      p.column_stride = 1;
      p.column_step   = columns_.padded(panel);
    }
  }

  void store_line_sums() const {
    const std::int64_t lines = product_.transposed ? columns_.lines : rows_.lines;
    const std::int64_t begin = thread_.begin(lines), count = thread_.end(lines) - begin;
    store_line_sums_of(product_, work_, begin, count, scratch_.line_sums + begin);
  }

  const HostThread& thread_;
  Instructions instructions_;
  Microkernels<T> microkernels_;
  const HostProduct<T>& product_;
  const TeamWork& work_;
  const HostOperand<T>&row_operand_, &column_operand_;
  MatrixRef<const T> rows_in_place_, columns_in_place_;
  EvenPanels rows_;
  VectorPanels columns_;
  std::int64_t row0_, column0_;               // in the result
  std::int64_t row_line0_, row_step0_;        // the line of row0_ in the row operand, the inner index of its step 0
  std::int64_t column_line0_, column_step0_;  // and of the column operand
  bool packs_rows_, packs_columns_;
  DirectResult<T> direct_;
  TileScratch<T> scratch_;
};

}  // namespace Tegula::Impl

#endif
