// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_GRADIENTS_HPP
#define TEGULA_DIRECT_GRADIENTS_HPP

#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_OutputSlope.hpp"
#include "Tegula_DirectArguments.hpp"

/// Arguments of the kernels of the direct family that compute all gradients.

namespace Tegula::Impl {

/// A gradient: alpha dZ right^T + beta C, for dA, or the same with dZ^T for dB^T, whose sums of rows are dbias. The
/// left operand is dC, or dC^T, which becomes dZ = dC act'(saved) when it has been read.
template <class Bits>
struct DirectGradient : DirectArguments<Bits> {
  static constexpr bool sums_rows = true;

  std::int64_t saved;  // how many elements it lies behind dC
  OutputSlope<sum_t<Bits>> slope;
  bool accumulates_dbias;
  AnyMatrix dbias;  // 1 x rows; null: not wanted, or another product's
};

/// Both products. Their teams follow each other.
template <class Bits>
struct DirectGradients {
  DirectGradient<Bits> products[2];
  std::int32_t first_teams;  // of dA
};

/// Chunks that are on their way at a time: a formed operand is two matrices, and there are no more registers for them.
constexpr int direct_gradient_batch(int usual) { return (usual + 1) / 2; }

/// How both products read their operands: all rows contiguous, in aligned runs; or any strides.
enum class DirectGradientReads : std::uint8_t { rows, elements };

constexpr DirectRead direct_read_of(DirectGradientReads reads, std::size_t product) {
  if (reads == DirectGradientReads::elements) return DirectRead::elements;
  return product == 0 ? DirectRead::depth : DirectRead::lines;
}

/// The same as a constant, which code for devices can name.
template <DirectGradientReads reads, std::size_t product>
inline constexpr DirectRead direct_read_in = direct_read_of(reads, product);

/// Whether `saved` lies as dC does, so that it is as far from it everywhere.
inline bool saved_lies_as_dC(const Call& call) {
  const auto distance =
      reinterpret_cast<std::intptr_t>(call.saved.data) - reinterpret_cast<std::intptr_t>(call.dC.data);
  return call.has_constant_slope ||
         (call.saved.element == call.dC.element && call.saved.row_stride == call.dC.row_stride &&
          call.saved.column_stride == call.dC.column_stride &&
          distance % static_cast<std::intptr_t>(call.dC.element_bytes) == 0);
}

/// How the products of a call read their operands, which a lane has so many lines of.
template <class Bits>
DirectGradientReads direct_gradient_reads(const Call& call, std::int64_t lane_rows, std::int64_t lane_columns) {
  const auto products = gradient_products(call, call.dC);
  for (std::size_t p = 0; p < products.size(); ++p) {
    if (!is_wanted(products[p])) continue;
    const auto product = product_call<Bits>(products[p]);
    const auto by      = direct_read_of(DirectGradientReads::rows, p);
    if (direct_read(product.left, lane_rows) != by || direct_read(product.right, lane_columns) != by)
      return DirectGradientReads::elements;
    // What was saved is read in the same runs.
    if (call.has_constant_slope) continue;
    auto saved = product.left;
    saved.data = static_cast<const Bits*>(call.saved.data);
    if (direct_read(saved, lane_rows) != by) return DirectGradientReads::elements;
  }
  return DirectGradientReads::rows;
}

/// The arguments of a product of a call, but for how it is cut.
template <class Bits>
DirectGradient<Bits> direct_gradient(const Call& call, std::size_t product, DirectGradientReads reads,
                                     std::int64_t lane_rows, std::int64_t lane_columns) {
  const Call as_gemm = gradient_products(call, call.dC)[product];
  DirectGradient<Bits> gradient{
      direct_arguments(product_call<Bits>(as_gemm), as_gemm.shape(), lane_rows, lane_columns), 0, {}, false, {}};
  gradient.how.read_left = gradient.how.read_right = direct_read_of(reads, product);
  if (!call.has_constant_slope) {
    const auto distance =
        reinterpret_cast<std::intptr_t>(call.saved.data) - reinterpret_cast<std::intptr_t>(call.dC.data);
    gradient.saved = distance / static_cast<std::intptr_t>(sizeof(Bits));
  }
  gradient.slope = output_slope<sum_t<Bits>>(call);
  if (product == 1) {
    gradient.dbias             = call.dbias.any();
    gradient.accumulates_dbias = call.update_dbias == Update::accumulate;
  }
  return gradient;
}

}  // namespace Tegula::Impl

#endif
