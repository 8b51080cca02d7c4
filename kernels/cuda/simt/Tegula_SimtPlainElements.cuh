// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_PLAIN_ELEMENTS_CUH
#define TEGULA_SIMT_PLAIN_ELEMENTS_CUH

#include "Tegula_SimtElements.hpp"
#include "Tegula_SimtVectors.cuh"

namespace Tegula::Impl {

/// The usual epilogue, C = alpha sum + bias, with or without relu, where rows of C are contiguous but begin anywhere.
/// The elements that a lane stores lie in the same few columns of every line, so that their bias is read once, and the
/// same distance apart. What any epilogue takes would be as many instructions as 50 steps of depth.
template <class Config, bool along_columns>
class SimtPlainElements {
  using Vectors  = SimtVectors<Config, along_columns>;
  using Elements = SimtElements<Config, along_columns>;

 public:
  /// (i, j) is the warp's first sum.
  template <class Activation>
  __device__ SimtPlainElements(const VectorResult<float, Activation>& result, int split, std::int32_t i, std::int32_t j,
                               int lane)
      : to_(result.C.at(i + Elements::first_line(lane), j + Elements::first_at(lane)) + split * result.slice),
        row_stride_(result.C.row_stride),
        lines_left_(result.m - i - Elements::first_line(lane)),
        columns_left_(result.n - j - Elements::first_at(lane)),
        applies_(result.is_plain() && result.C.is_unaligned() && result.bias.row_stride == 0),
        is_relu_(is_activation<Relu>(result.activation)) {
    if (!applies_ || result.bias.data == nullptr) return;
    const float* const from = result.bias.at(0, result.n - columns_left_);
#pragma unroll
    for (int block = 0; block < Vectors::blocks; ++block)
#pragma unroll
      for (int column = 0; column < Elements::columns; ++column) {
        const int at = Vectors::block_offset(block) + Elements::at_offset(column);
        if (at < columns_left_) bias_[block][column] = from[at * result.bias.column_stride];
      }
  }

  /// Whether this is the epilogue of the call.
  __device__ bool applies() const { return applies_; }

  /// What a lane has of vector v.
  __device__ void store(int v, const SimtElementValues& sums) const {
    const int line = Vectors::line_offset(v), at = Vectors::block_offset(v);
    float* const to = to_ + line * row_stride_ + at;
    SimtElementValues values;
#pragma unroll
    for (int e = 0; e < simt_elements; ++e) values[e] = sums[e] + bias_of(Vectors::block(v), e % Elements::columns);
    if (is_relu_) {
#pragma unroll
      for (float& value : values) value = Relu()(value);
    }
#pragma unroll
    for (int e = 0; e < simt_elements; ++e)
      if (line + Elements::line_offset(e) < lines_left_ && at + Elements::at_offset(e) < columns_left_)
        to[Elements::line_offset(e) * row_stride_ + Elements::at_offset(e)] = values[e];
  }

 private:
  // A block is known only while the kernel runs, registers have no numbers then.
  __device__ float bias_of(int block, int column) const {
    float bias = bias_[0][column];
#pragma unroll
    for (int b = 1; b < Vectors::blocks; ++b) bias = block == b ? bias_[b][column] : bias;
    return bias;
  }

  float* to_;  // the lane's first element
  std::int64_t row_stride_;
  std::int32_t lines_left_, columns_left_;  // from there on
  bool applies_, is_relu_;
  float bias_[Vectors::blocks][Elements::columns] = {};
};

}  // namespace Tegula::Impl

#endif
