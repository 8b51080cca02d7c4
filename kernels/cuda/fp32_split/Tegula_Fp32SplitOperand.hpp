// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_OPERAND_HPP
#define TEGULA_FP32_SPLIT_OPERAND_HPP

#include "Tegula_Fp32SplitScheme.hpp"
#include "Tegula_MatrixRef.hpp"
#include "Tegula_TileOrder.hpp"

/// Where the parts of operands lie in the workspace.

namespace Tegula::Impl {

/// How a pass reads an operand: along the depth; or through scratch along the lines, if only they are contiguous.
struct Fp32SplitReader {
  MatrixRef<const float> matrix;  // lines x depth
  bool along_lines = false;
  bool by_words    = false;  // runs of 4 elements begin at multiples of 16 bytes
};

/// An operand, the scales of its lines, and its parts, which have contiguous depth whatever the operand has.
struct Fp32SplitOperand {
  static constexpr int most_parts = 3;

  Fp32SplitReader reader;
  std::uint16_t* parts = nullptr;  // part p of element (line, k) is parts[(p lines + line) pitch + k]
  float* scales        = nullptr;  // of the lines, rounded up to whole blocks of them
  std::int64_t pitch = 0, blocks = 0, line_blocks = 0;

  TEGULA_HOST_DEVICE std::int64_t lines() const { return reader.matrix.rows; }
  TEGULA_HOST_DEVICE std::int64_t depth() const { return reader.matrix.columns; }
  TEGULA_HOST_DEVICE std::int64_t tiles() const { return line_blocks * blocks; }
};

inline Fp32SplitReader split_reader(const MatrixRef<const float>& matrix) {
  const bool along_lines = matrix.column_stride != 1 && matrix.row_stride == 1;
  const auto pitch       = along_lines ? matrix.column_stride : matrix.row_stride;
  const bool contiguous  = along_lines || matrix.column_stride == 1;
  const bool by_words    = contiguous && pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0;
  return {matrix, along_lines, by_words};
}

/// Bytes of the parts and of the scales of an operand; both are multiples of 16.
struct Fp32SplitBytes {
  std::size_t parts = 0, scales = 0;

  std::size_t all() const { return parts + scales; }
};

/// The operand with its places in memory, which is aligned to 16 bytes.
inline Fp32SplitOperand split_operand(const MatrixRef<const float>& matrix, char* memory, Fp32SplitBytes& bytes) {
  Fp32SplitOperand operand;
  operand.reader      = split_reader(matrix);
  operand.blocks      = ceil_div(matrix.columns, split_depth);
  operand.pitch       = operand.blocks * split_depth;
  operand.line_blocks = ceil_div(matrix.rows, split_lines);
  bytes.parts         = static_cast<std::size_t>(Fp32SplitOperand::most_parts * matrix.rows * operand.pitch) * 2;
  bytes.scales        = static_cast<std::size_t>(operand.line_blocks * split_lines) * 4;
  operand.parts       = reinterpret_cast<std::uint16_t*>(memory);
  operand.scales      = reinterpret_cast<float*>(memory + bytes.parts);
  return operand;
}

}  // namespace Tegula::Impl

#endif
