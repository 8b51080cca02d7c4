// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_ARGUMENTS_HPP
#define TEGULA_STREAM_ARGUMENTS_HPP

#include <array>
#include <optional>

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LongRows.hpp"
#include "Tegula_StreamMatrix.hpp"

/// Arguments of the kernels of the stream family.

namespace Tegula::Impl {

/// C = act(alpha streamed held^T + beta C + bias), and Z the argument of act.
template <class T>
struct StreamArguments {
  StreamedMatrix streamed, C;
  T* Z = nullptr;  // lies as C does
  MatrixRef<const T> held;
  void *bias_of_columns = nullptr, *bias_of_lines = nullptr;
  std::int64_t bias_stride = 0;  // elements
  std::int64_t lines       = 0;
  std::int32_t depth       = 0;
  sum_t<T> alpha = 1, beta = 0;
  ActivationChoice activation{};
  bool is_plain        = false;  // beta = 0, no Z, with or without relu
  Element bias_element = Element::f32;
};

/// How chunks are dealt of a matrix whose elements have so many bytes in scratch.
inline ChunkDeal deal_of(const StreamedMatrix& matrix, int size, int beside) {
  const int chunk = 16 / size;
  return matrix.is_packed() && matrix.has_runs_of(chunk) ? chunk_deal(matrix.columns / chunk, beside) : ChunkDeal{};
}

/// Whether Z lies as C does.
template <class T>
bool lies_as(const AnyMatrix& Z, const StreamedMatrix& C, Element element, StreamedBy by) {
  const auto streamed = streamed_matrix<T>(Z, C.columns, by);
  return Z.element == element && streamed && streamed->run == C.run && streamed->first_off == C.first_off;
}

/// The arguments for a call with long rows whose long operand and results lie so; nothing if they do not.
template <class T>
std::optional<StreamArguments<T>> stream_arguments(const ProductCall<T>& call, const GemmShape& shape, StreamedBy by,
                                                   StreamedBy results_by) {
  const AnyMatrix left{const_cast<T*>(call.left.data), call.input, call.left.row_stride, call.left.column_stride};
  const auto streamed = streamed_matrix<T>(left, shape.k, by), C = streamed_matrix<T>(call.C, shape.n, results_by);
  if (!streamed || !C) return std::nullopt;
  if (call.Z.data != nullptr && !lies_as<T>(call.Z, *C, call.input, results_by)) return std::nullopt;
  StreamArguments<T> arguments{.streamed   = *streamed,
                               .C          = *C,
                               .Z          = static_cast<T*>(call.Z.data),
                               .held       = call.right,
                               .lines      = shape.m,
                               .depth      = static_cast<std::int32_t>(shape.k),
                               .alpha      = call.alpha,
                               .beta       = call.beta,
                               .activation = call.activation};
  arguments.streamed.deal = deal_of(*streamed, int(sizeof(T)), 1);
  arguments.is_plain      = call.beta == 0 && call.Z.data == nullptr &&
                       (is_activation<Identity>(call.activation) || is_activation<Relu>(call.activation));
  // In 16 bits, what is more than rounded is in scratch as floats, pairs of which a lane puts there.
  const bool has_floats  = sizeof(T) == 2 && !arguments.is_plain;
  arguments.C.deal       = has_floats ? deal_of(*C, sizeof(float), 2) : deal_of(*C, sizeof(T), 1);
  const bool is_common   = call.bias.row_stride == 0;
  arguments.bias_stride  = is_common ? call.bias.column_stride : call.bias.row_stride;
  arguments.bias_element = call.bias.element;
  (is_common ? arguments.bias_of_columns : arguments.bias_of_lines) = call.bias.data;
  return arguments;
}

/// The same of any call, whose long matrices may lie each for itself. Rows without gaps come first, which a single
/// column has, too.
template <class T>
std::optional<StreamArguments<T>> stream_arguments(const Call& call) {
  constexpr std::array ways{StreamedBy::rows_without_gaps, StreamedBy::contiguous_columns};
  const auto [rows, shape] = with_long_rows(product_call<T>(call), call.shape());
  for (const StreamedBy by : ways)
    for (const StreamedBy results_by : ways)
      if (const auto arguments = stream_arguments(rows, shape, by, results_by)) return arguments;
  return std::nullopt;
}

}  // namespace Tegula::Impl

#endif
