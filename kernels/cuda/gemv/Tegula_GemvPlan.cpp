// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_GemvPlan.hpp"

#include <algorithm>

#include "../async/Tegula_AsyncPlan.hpp"
#include "Tegula_GemvArguments.hpp"
#include "Tegula_GemvConfig.hpp"

namespace Tegula::Impl {
namespace {

/// The tile of a product. Where columns of the result are lines of the long operand, the tile is transposed.
template <class T>
ConfigChoice tile_for(const GemmShape& shape, Major major) {
  ConfigChoice choice =
      major == Major::depth ? choice_of<GemvTile<T, Major::depth>>() : choice_of<GemvTile<T, Major::lines>>();
  if (!streams_left(shape)) choice.tile = choice.tile.transposed();
  return choice;
}

// Measured on an H200. Memory is the limit: a multiply-add takes as long as the bytes that it needs.
template <class T>
constexpr AsyncRate rate{146.0 / sizeof(T), 148.0 / sizeof(T), 5000, 4};

}  // namespace

template <class T>
bool is_gemv(const GemmShape& shape, Major major, const CudaMachine& machine, const PlanOptions& options) {
  const ConfigChoice choice = tile_for<T>(shape, major);
  return std::min(shape.m, shape.n) <= gemv_lines &&
         static_cast<std::size_t>(choice.scratch_bytes) <= machine.scratch_max &&
         (options.tile == TileShape{} || options.tile == choice.tile);
}

// Measured on an H200. For float with contiguous lines the simt family's tiles of few lines are about as fast, until
// the operand is so large that this family reaches the full rate of memory.
template <class T>
bool is_best_gemv(const GemmShape& shape, Major major) {
  constexpr std::int64_t short_side = 256, small = 1 << 20, large = 1 << 28;  // lines or depth; bytes
  const std::int64_t lines = std::max(shape.m, shape.n), bytes = lines * shape.k * std::int64_t(sizeof(T));
  const bool is_rivalled = sizeof(T) == sizeof(float) && major == Major::lines;
  return lines >= short_side && shape.k >= short_side && bytes >= (is_rivalled ? large : small);
}

template <class T>
void plan_gemv_product(Plan& plan, Major major, const CudaMachine& machine, const PlanOptions& options,
                       const ArgumentList& arguments) {
  const ConfigChoice choice = tile_for<T>(plan.products[0].shape, major);
  plan_async_products({{&choice, 1}, {&rate<T>, 1}, sizeof(T)}, plan, machine, options, arguments);
  if (options.tile == TileShape{}) plan.reason = "it lies as the long operand does";
}

template bool is_gemv<float>(const GemmShape&, Major, const CudaMachine&, const PlanOptions&);
template bool is_gemv<double>(const GemmShape&, Major, const CudaMachine&, const PlanOptions&);
template bool is_best_gemv<float>(const GemmShape&, Major);
template bool is_best_gemv<double>(const GemmShape&, Major);
template void plan_gemv_product<float>(Plan&, Major, const CudaMachine&, const PlanOptions&, const ArgumentList&);
template void plan_gemv_product<double>(Plan&, Major, const CudaMachine&, const PlanOptions&, const ArgumentList&);

}  // namespace Tegula::Impl
