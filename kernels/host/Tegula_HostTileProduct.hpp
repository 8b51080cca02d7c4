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

/// Whether columns are read where they lie, a run at each step, from beyond the first cache. A processor fetches them
/// late by itself, unless runs are as long as those of the tiles of few rows and no more than a page apart.
template <class T>
bool reads_far_columns(const HostProduct<T>& product, const RegisterTileShape& largest) {
  const bool packs = product.transposed ? product.packs_left : product.packs_right;
  if (packs || product.inner || product.right.panels != nullptr) return false;
  const std::int64_t lines = product.transposed ? product.shape.m : product.shape.n;
  const std::int64_t step_bytes =
      (product.transposed ? product.left : product.right).matrix.column_stride * std::int64_t(sizeof(T));
  const bool has_long_runs = tile_shape(product, largest, true).columns > largest.columns;
  return lines * product.shape.k * std::int64_t(sizeof(T)) > first_cache_bytes &&
         (!has_long_runs || step_bytes >= page_bytes);
}

/// One tile of one product. One operand supplies the rows of the register tiles, the other their columns.
template <class T>
class HostTileProduct {
 public:
  HostTileProduct(const HostThread& thread, Instructions instructions, const HostProduct<T>& product,
                  const TeamWork& work, const LeftOperand<T>& left, const DirectResult<T>& direct,
                  const TileScratch<T>& scratch)
      : thread_(thread),
        instructions_(instructions),
        microkernels_(instructions),
        product_(product),
        work_(work),
        row_operand_(product.transposed ? product.right : left.operand),
        column_operand_(product.transposed ? left.operand : product.right),
        rows_in_place_(row_operand_.in_place()),
        columns_in_place_(column_operand_.in_place()),
        packs_rows_(product.transposed ? product.packs_right : product.packs_left),
        packs_columns_(product.transposed ? product.packs_left : product.packs_right),
        shape_(tile_shape(product, microkernels_.shape, !packs_columns_ && column_operand_.panels == nullptr)),
        rows_(product.transposed ? width(product, work) : height(product, work),
              product.inner ? inner_rows : shape_.rows),
        columns_(product.transposed ? height(product, work) : width(product, work), shape_),
        row0_(product.transposed ? work.column0 : work.row0),
        column0_(product.transposed ? work.row0 : work.column0),
        row_line0_(row0_ - (product.transposed ? 0 : left.line)),
        row_step0_(product.transposed ? 0 : left.step),
        column_line0_(column0_ - (product.transposed ? left.line : 0)),
        column_step0_(product.transposed ? left.step : 0),
        asks_ahead_(reads_far_columns(product, microkernels_.shape)),
        direct_(direct),
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
    return product_.inner || microkernels_.shape.reads_parts || column_operand_.panels != nullptr ||
           columns_.width(column_panel) == columns_.padded(column_panel);
  }

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
    if (!packs_columns_) first = end == columns_.panels && end > begin && !is_exact(end - 1) ? end - 1 : end;
    if (first == end) return;
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
    const bool is_first = k0 == work_.k_begin, is_last = k0 + depth >= work_.k_end;
    const bool stores = is_last && direct_.matrix.data != nullptr && (is_first || !direct_.adds);
    RegisterProduct<T> p;
    p.depth                      = depth;
    const PanelPlaces row_places = places_of_rows(p, k0), column_places = places_of_columns(p, begin, k0);
    int row = t == 0 ? 0 : static_cast<int>(t / width), unfinished = row;
    for (int column = begin + static_cast<int>(t - row * width); t < last; column = begin, ++row) {
      const int last_column = static_cast<int>(std::min<std::int64_t>(end, column + last - t));
      p.rows                = row_places.of(rows_.first(row));
      if (packs_rows_) p.row_step = rows_.width(row) * (product_.inner ? microkernels_.shape.lanes : 1);
      for (int c = column; c < last_column; c += panels_in_a_strip) {
        const int strip_end = std::min(c + panels_in_a_strip, last_column);
        if (stores) {
          store_strip(p, row, c, strip_end, column_places, k0);
          if (c > 0 || strip_end < columns_.panels) {
            finish(unfinished, row, 0, columns_.panels);
            finish(row, row + 1, c, strip_end);
            unfinished = row + 1;
          }
        } else {
          for (int panel = c; panel < strip_end; ++panel) {
            set_columns(p, panel, column_places, k0);
            multiply_in_scratch(p, row, panel, is_first, is_last);
          }
        }
      }
      t += last_column - column;
      if (!stores || (lines_of(unfinished, row + 1) * columns_.lines < finished_at_once && t < last)) continue;
      finish(unfinished, row + 1, 0, columns_.panels);
      unfinished = row + 1;
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

  // Where panels of an operand begin: `pitch` apart for each of their lines, from that of line0 on.
  struct PanelPlaces {
    const T* base;
    std::int64_t pitch;
    int line0 = 0;

    const T* of(int line) const { return base + (line - line0) * pitch; }
  };

  PanelPlaces places_of_rows(RegisterProduct<T>& p, std::int64_t k0) const {
    const int lanes = microkernels_.shape.lanes;
    if (packs_rows_) {
      p.row_stride = product_.inner ? lanes : 1;
      return {scratch_.rows, p.depth};
    }
    p.row_stride = rows_in_place_.row_stride;
    p.row_step   = product_.inner ? lanes : rows_in_place_.column_stride;
    return {&rows_in_place_(row_line0_, k0 - row_step0_), rows_in_place_.row_stride};
  }

  // While scratch holds the panels from `begin` on.
  PanelPlaces places_of_columns(RegisterProduct<T>& p, int begin, std::int64_t k0) const {
    if (packs_columns_) {
      p.column_stride = 1;
      return {scratch_.columns, p.depth, columns_.first(begin)};
    }
    if (column_operand_.panels != nullptr) {
      p.column_stride = 1;
      return {column_operand_.panels + column0_ * column_operand_.depth, column_operand_.depth};
    }
    p.column_stride = columns_in_place_.row_stride;
    return {&columns_in_place_(column_line0_, k0 - column_step0_), columns_in_place_.row_stride};
  }

  void set_columns(RegisterProduct<T>& p, int panel, const PanelPlaces& places, std::int64_t k0) const {
    if (column_operand_.panels != nullptr) {
      p.column_step = columns_.padded(panel);
      p.columns     = places.of(columns_.first(panel)) + k0 * p.column_step;
      return;
    }
    const bool is_packed = packs_columns_ || !is_exact(panel);  // if the operand is not, then the last panel alone
    p.columns            = is_packed && !packs_columns_ ? scratch_.columns : places.of(columns_.first(panel));
    p.column_step        = is_packed ? columns_.padded(panel) : columns_in_place_.column_stride;
    if (asks_ahead_) p.next_columns = places.of(columns_.first(std::min(panel + 1, columns_.panels - 1)));
  }

  // Multiplies a row panel with the column panels [column, end), and stores the sums where they belong, to be finished.
  void store_strip(RegisterProduct<T>& p, int row, int column, int end, const PanelPlaces& column_places,
                   std::int64_t k0) const {
    const bool is_first       = k0 == work_.k_begin;
    const std::int64_t at_row = row0_ + rows_.first(row), height = rows_.width(row);
    p.pitch              = direct_.Z.row_stride;
    p.sum_stride         = direct_.Z.column_stride;
    p.bias               = nullptr;
    p.bias_row_stride    = direct_.bias.row_stride;
    p.bias_column_stride = direct_.bias.column_stride;
    p.before             = nullptr;
    p.clamps             = direct_.clamps;
    for (int c = column; c < end; ++c) {
      const std::int64_t at_column = column0_ + columns_.first(c);
      set_columns(p, c, column_places, k0);
      p.sums = &direct_.Z(at_row, at_column);
      if (direct_.bias.data != nullptr) p.bias = &direct_.bias(at_row, at_column);
      if (direct_.adds) {
        p.before        = &direct_.matrix(at_row, at_column);
        p.before_pitch  = direct_.matrix.row_stride;
        p.before_stride = direct_.matrix.column_stride;
      } else if (!is_first) {
        p.before        = scratch_sums(row, c);
        p.before_pitch  = columns_.padded(c);
        p.before_stride = 1;
      }
      run_microkernel(p, static_cast<int>(height), columns_.width(c));
    }
  }

  int lines_of(int row, int end) const {
    return end > row ? rows_.first(end - 1) + rows_.width(end - 1) - rows_.first(row) : 0;
  }

  // What microkernels have stored of row panels [row, end_row) and column panels [column, end).
  void finish(int row, int end_row, int column, int end) const {
    if (direct_.is_final() || row >= end_row) return;
    direct_.finish(row0_ + rows_.first(row), column0_ + columns_.first(column), lines_of(row, end_row),
                   columns_.first(end - 1) + columns_.width(end - 1) - columns_.first(column));
  }

  void multiply_in_scratch(RegisterProduct<T>& p, int row, int column, bool is_first, bool is_last) const {
    alignas(PanelScratch::alignment) T one_step[16 * longest_run];
    const int height = rows_.width(row), width = columns_.width(column), padded = columns_.padded(column);
    p.sums   = product_.scratch.sums == 0 ? one_step : scratch_sums(row, column);
    p.before = is_first ? nullptr : p.sums;
    p.bias   = nullptr;
    p.clamps = false;
    p.pitch = p.before_pitch = padded;
    p.sum_stride = p.before_stride = 1;
    run_microkernel(p, height, width);
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

  void run_microkernel(const RegisterProduct<T>& p, int height, int width) const {
    (product_.inner ? inner_microkernel<T>(instructions_, height) : microkernels_(height, width))(p, width);
  }

  void store_line_sums() const {
    const std::int64_t lines = product_.transposed ? columns_.lines : rows_.lines;
    const std::int64_t begin = thread_.begin(lines), count = thread_.end(lines) - begin;
    store_line_sums_of(product_, work_, begin, count, scratch_.line_sums + begin);
  }

  const HostThread& thread_;
  Instructions instructions_;
  const Microkernels<T> microkernels_;
  const HostProduct<T>& product_;
  const TeamWork& work_;
  const HostOperand<T>&row_operand_, &column_operand_;
  MatrixRef<const T> rows_in_place_, columns_in_place_;
  bool packs_rows_, packs_columns_;
  RegisterTileShape shape_;
  EvenPanels rows_;
  VectorPanels columns_;
  std::int64_t row0_, column0_;               // in the result
  std::int64_t row_line0_, row_step0_;        // the line of row0_ in the row operand, the inner index of its step 0
  std::int64_t column_line0_, column_step0_;  // and of the column operand
  bool asks_ahead_;
  const DirectResult<T>& direct_;
  TileScratch<T> scratch_;
};

}  // namespace Tegula::Impl

#endif
