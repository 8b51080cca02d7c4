// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_GRADIENTS_HPP
#define TEGULA_HOST_GRADIENTS_HPP

#include "Tegula_HostGradientBlock.hpp"
#include "Tegula_HostTileProduct.hpp"

/// All gradients by one team. It takes some rows of dC after the other, a block at a time, forms dZ of the block, adds
/// up its columns, and multiplies it for both products while it is near: rows of dA are done when all columns of dC
/// were, dB and dbias at the end. So dC and what was saved are read once, and an activation's derivative is formed
/// once.

namespace Tegula::Impl {

/// Part number `part` of the rows of dC.
template <class T>
class HostGradients {
 public:
  HostGradients(const HostCall<T>& call, std::int64_t part, const HostThread& thread)
      : instructions_(call.instructions),
        thread_(thread),
        dA_(call.products[0]),
        dB_(call.products[1]),
        dC_(call.products[0].left),
        block_(call.plan->gradient_blocks),
        rows_(dA_.teams() > 0 ? dA_.shape.m : dB_.shape.k),
        columns_(dA_.teams() > 0 ? dA_.shape.k : dB_.shape.m),
        part_(part),
        direct_dA_(dA_.teams() > 0 ? direct_rows(dA_, 0) : DirectResult<T>{}),
        direct_dB_(dB_.teams() > 0 ? direct_rows(dB_, part) : DirectResult<T>{}),
        dZ_(TileScratch<T>::behind(reinterpret_cast<T*>(thread.scratch), 0)),
        of_dA_(reinterpret_cast<char*>(dZ_ + block_.elements), dA_.scratch),
        of_dB_(reinterpret_cast<char*>(of_dA_.line_sums), dB_.scratch) {}

  void compute() const {
    const std::int64_t begin = part_ * block_.part_rows, end = std::min(begin + block_.part_rows, rows_);
    for (std::int64_t i = begin; i < end; i += block_.rows) {
      const std::int64_t rows = std::min<std::int64_t>(block_.rows, end - i);
      for (std::int64_t j = 0; j < columns_; j += block_.columns)
        compute_block({i, j, rows, std::min<std::int64_t>(block_.columns, columns_ - j)}, begin, end);
    }
    if (dB_.result.sums_rows()) store_line_sums_of(dB_, {0, 0, 0, 0, part_, true}, 0, columns_, of_dB_.line_sums);
  }

 private:
  /// Rows and columns of dC.
  struct Block {
    std::int64_t i, j, rows, columns;
  };

  void compute_block(const Block& b, std::int64_t begin, std::int64_t end) const {
    const HostOperand<T> dZ = is_formed() ? formed(b) : dC_;
    // Which element of dC is the first of dZ.
    const std::int64_t row = is_formed() ? b.i : 0, column = is_formed() ? b.j : 0;
    if (dB_.result.sums_rows()) sum_columns(dZ, b, row, column, b.i > begin);
    if (dA_.teams() > 0)
      HostTileProduct<T>(thread_, instructions_, dA_, {b.i, 0, 0, columns_, 0, false}, {dZ, row, column}, direct_dA_,
                         of_dA_)
          .step(b.j, b.columns);
    if (dB_.teams() == 0 || dB_.shape.n == 0) return;
    const HostOperand<T> transposed{dZ.matrix.transposed()};
    TileScratch<T> scratch = of_dB_;
    scratch.sums += b.j / block_.columns * block_.sums;
    HostTileProduct<T>(thread_, instructions_, dB_, {b.j, 0, begin, end, part_, false}, {transposed, column, row},
                       direct_dB_, scratch)
        .step(b.i, b.rows);
  }

  bool is_formed() const { return block_.elements > 0; }

  // dC, or what was saved, along its contiguous direction.
  BlockLines<T> lines(const HostMatrix<T>& matrix, const Block& b) const {
    if (block_.by_columns) return {matrix.transposed(), b.j, b.i, b.columns, b.rows};
    return {matrix, b.i, b.j, b.rows, b.columns};
  }

  HostOperand<T> formed(const Block& b) const {
    form_lines(dC_.slope, lines(dC_.matrix, b), lines(dC_.saved, b), block_.pitch, dZ_);
    const HostMatrix<T> by_lines{dZ_, block_.pitch, 1, {}};
    return {block_.by_columns ? by_lines.transposed() : by_lines};
  }

  void sum_columns(const HostOperand<T>& dZ, const Block& b, std::int64_t row, std::int64_t column, bool add) const {
    const BlockLines<T> of_dZ = lines(dZ.matrix, {b.i - row, b.j - column, b.rows, b.columns});
    T* const sums             = of_dB_.line_sums + b.j;
    if (block_.by_columns) {
      sum_of_lines(instructions_, of_dZ.at(0), of_dZ.matrix.row_stride, of_dZ.lines, of_dZ.length, add, sums);
    } else {
      sum_over_lines(instructions_, of_dZ.at(0), of_dZ.matrix.row_stride, of_dZ.lines, of_dZ.length, add, sums);
    }
  }

  Instructions instructions_;
  const HostThread& thread_;
  const HostProduct<T>&dA_, &dB_;
  const HostOperand<T>& dC_;
  const GradientBlocks& block_;
  std::int64_t rows_, columns_;  // of dC
  std::int64_t part_;
  DirectResult<T> direct_dA_, direct_dB_;
  T* dZ_;
  TileScratch<T> of_dA_, of_dB_;
};

}  // namespace Tegula::Impl

#endif
