// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_GRADIENTS_HPP
#define TEGULA_NARROW_GRADIENTS_HPP

#include <array>

#include "../Tegula_ConfigList.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_GradientResult.hpp"
#include "../Tegula_OutputSlope.hpp"
#include "Tegula_Plan.hpp"

/// All gradients of a layer with few columns, or few rows, in one pass over what is large: A and dA, or B and dB. With
/// dZ = dC act'(saved) of m x n, and n small,
///
///     dA = alpha dZ B^T + beta dA,   dB^T = alpha dZ^T A + beta dB^T,
///
/// which with m small is the same of the transposes: dB^T = alpha dZ^T A, dA = alpha dZ B^T, where B^T is what is
/// large. Kernels see it so: rows of `large` go by, those of `product` leave, and sums of all rows stay.

namespace Tegula::Impl {

/// Columns of dZ, at most; lines of a product along the depth that a team has, its panel; warps of a team, one below
/// the other; and rows of dZ that a warp multiplies at once.
struct NarrowGradientsTeam {
  static constexpr int warps = 4, threads = 32 * warps, depth = 64, warp_rows = 32, rows = warps * warp_rows;
};

/// Where a lane's elements lie. In a step a lane has 8 words of `large`, each 8 neighbours in memory: of 8 rows, or of
/// 8 places of the depth. Tensor cores multiply with places of the depth as lines of the left operand, 16 at a time,
/// and with rows as steps of depth or lines of the right one, in 4 tiles of 8. Which of the rows and places these are
/// is nobody's business, as long as both operands agree; it is chosen so that registers hold what a word is made of.
template <bool by_rows>
struct NarrowGradientsPlace {
  static constexpr int tiles = 4, blocks = 4, words = 8, run = 8;

  /// The row of a line of a tile, in the step.
  TEGULA_HOST_DEVICE static constexpr int row(int tile, int line) {
    return by_rows ? line / 2 * run + 2 * tile + line % 2 : tile * 8 + line;
  }
  /// Where a row lies among the lines of all tiles.
  TEGULA_HOST_DEVICE static constexpr int slot(int row) {
    return by_rows ? row % run / 2 * 8 + row / run * 2 + row % 2 : row;
  }
  /// The place of a line of a block of 16: line / 8 is `half`.
  TEGULA_HOST_DEVICE static constexpr int at(int block, int half, int line) {
    return by_rows ? block * 16 + half * 8 + line : line * run + 2 * block + half;
  }
  /// Where word `word` of a lane begins.
  TEGULA_HOST_DEVICE static constexpr int word_row(int word, int lane) {
    return by_rows ? lane % 4 * run : row(word / 2, lane % 4 * 2 + word % 2);
  }
  TEGULA_HOST_DEVICE static constexpr int word_at(int word, int lane) {
    return by_rows ? word * 8 + lane / 4 : lane / 4 * run;
  }
  /// How many lines of memory it lies behind the first one: places of the depth, or rows.
  TEGULA_HOST_DEVICE static constexpr int word_line(int word) { return by_rows ? word * 8 : word / 2 * 8 + word % 2; }
  /// Where a place of the depth lies among the lines of all blocks.
  TEGULA_HOST_DEVICE static constexpr int slot_at(int place) {
    return by_rows ? place : place % 8 / 2 * 16 + place % 2 * 8 + place / 8;
  }
};

/// For up to so many columns; Teams are on a multiprocessor.
template <int Columns, int Teams>
struct NarrowGradientsConfig : NarrowGradientsTeam {
  static constexpr int columns = Columns, teams = Teams, group = 8, groups = columns / group;
  static_assert(groups * group == columns);

  // Scratch: of every warp a tile of the product, if that leaves through it, or in the end its sums, lines of the
  // panel's depth, and those of columns of dZ; the team's panel of the other operand, lines of columns; and of every
  // warp rows of dZ. Those lines and rows are an odd multiple of 16 bytes each, so that 8 of them reach all banks.
  static constexpr int pitch = depth + 2, warp_sums = columns * pitch, warp_tile = warp_rows * pitch;
  static constexpr int totals_at = warps * warp_tile;
  static_assert(warp_sums <= warp_tile);
  static constexpr int other_at  = (totals_at + warps * columns) * int(sizeof(float));
  static constexpr int row_bytes = (columns / 8 | 1) * 16, warp_rows_bytes = warp_rows * row_bytes;
  static constexpr int rows_at    = other_at + depth * row_bytes;
  static constexpr int used_bytes = rows_at + warps * warp_rows_bytes, alignment = 16;
  static_assert(other_at % alignment == 0 && rows_at % alignment == 0);
  static constexpr int scratch_bytes = used_bytes + alignment;

  /// Whether another group of columns follows this one.
  TEGULA_HOST_DEVICE static constexpr bool has_next(int group) { return group + 1 < groups; }
  /// Where in the panel of the other operand this lane's line of four matrices is, in bytes: of a block of 16 places
  /// and this group of columns, and of the next one. Where there is none its lanes read the same again: behind the last
  /// line lies what warps are writing.
  TEGULA_HOST_DEVICE static constexpr int line_of_other(int block, int group, int lane) {
    return (block * 16 + lane % 16) * row_bytes + (has_next(group) ? lane / 16 * 16 : 0) + group * 16;
  }

  /// Teams that there are registers for, where what is large is read in words, or not.
  static constexpr int teams_of(bool in_words) { return in_words || teams < 4 ? teams : 3; }

  static constexpr ConfigChoice choice() { return {{rows, columns, depth}, threads, scratch_bytes, teams}; }
};

using NarrowGradientsConfigs = ConfigList<NarrowGradientsConfig<8, 4>, NarrowGradientsConfig<16, 3>,
                                          NarrowGradientsConfig<24, 2>, NarrowGradientsConfig<32, 2>>;

/// A tile of dC as kernels see it, and the depth.
struct NarrowGradientsTile {
  ConfigChoice choice;
  int teams_without_words;

  constexpr int teams(bool in_words) const { return in_words ? choice.teams : teams_without_words; }
};

template <class... Configs>
constexpr auto narrow_gradients_tiles_of(ConfigList<Configs...>) {
  return std::array{NarrowGradientsTile{Configs::choice(), Configs::teams_of(false)}...};
}
/// By columns.
inline constexpr auto narrow_gradients_tiles = narrow_gradients_tiles_of(NarrowGradientsConfigs());

/// How the product leaves: in whole words of 16 bytes; in pairs of neighbours, wherever lines begin, both of them in
/// the direction in which `large` is contiguous, in 16 bits, and nothing is added to; or by elements.
enum class NarrowGradientsStore : std::uint8_t { words, lines, elements };

/// How rows of dC are read: in words of 16 bytes; in pairs of neighbours; or element by element.
enum class NarrowGradientsReads : std::uint8_t { words, pairs, elements };

/// What the product is multiplied by for the layer below: nothing; relu's slopes, which pairs of 16 bits have; or a
/// step or a curve of what that layer saved.
enum class NarrowGradientsBelow : std::uint8_t { one, relu, step, curve };

/// Arguments of the kernels.
struct NarrowGradients {
  using Matrix = MatrixRef<const std::uint16_t>;

  Matrix dC, saved;     // rows x columns; saved without data: the derivative is a constant
  Matrix large, other;  // rows x depth; columns x depth
  OutputSlope<float> slope;
  GradientResult<float> product, sums;  // rows x depth, which leaves at once; columns x depth, which are summed
  bool by_rows                = false;  // columns of `large` are contiguous, or else its rows
  bool in_words               = false;  // lines of `large` are whole words of 16 bytes
  bool other_in_pairs         = false;  // lines of `other`, down its columns, are neighbours and begin on 4 bytes
  NarrowGradientsReads reads  = NarrowGradientsReads::elements;  // of dC and what was saved
  NarrowGradientsStore stores = NarrowGradientsStore::elements;
  std::int32_t panels = 0, part_rows = 0;  // teams side by side along the depth; rows of a team

  // Of the layer below, by whose derivative the product is multiplied: what it saved, rows x depth, where that is not
  // `large`, which a kernel that sums has got; and sums of the product's columns, of every part of the rows, or, where
  // there is one part, of all.
  Matrix saved_below;
  OutputSlope<float> slope_below;
  NarrowGradientsBelow below = NarrowGradientsBelow::one;
  float* sums_below          = nullptr;
  AnyMatrix total_below{};
  bool adds_total_below = false, has_sums_below = false;
};

/// Whether kernels see the transposes: there are fewer rows than columns.
inline bool narrow_gradients_transpose(const Call& call) { return call.dC.rows < call.dC.columns; }

/// Rows and columns of dC, and the depth, as kernels see them.
inline GemmShape narrow_gradients_shape(const Call& call) {
  const GemmShape shape{call.dC.rows, call.dC.columns, call.A.columns};
  return narrow_gradients_transpose(call) ? shape.transposed() : shape;
}

/// Whether two matrices are one.
inline bool are_same(const NarrowGradients::Matrix& a, const NarrowGradients::Matrix& b) {
  return a.data == b.data && a.row_stride == b.row_stride && a.column_stride == b.column_stride;
}

/// Whether the rows of a matrix, if there is one, are contiguous and begin at multiples of so many bytes: the words
/// that their elements are in can be read whole.
inline bool rows_begin_on(std::int64_t bytes, const NarrowGradients::Matrix& matrix) {
  const std::int64_t apart = matrix.rows > 1 ? matrix.row_stride * std::int64_t(sizeof(std::uint16_t)) : 0;
  return matrix.data == nullptr ||
         (matrix.columns_are_contiguous() && apart % bytes == 0 &&
          reinterpret_cast<std::uintptr_t>(matrix.data) % static_cast<std::uintptr_t>(bytes) == 0);
}

/// What the layer below of a call asks for, if it has one; the product is dA then.
inline void add_layer_below(NarrowGradients& arguments, const Call& call) {
  if (!call.below) return;
  arguments.slope_below = output_slope<float>(*call.below);
  arguments.sums_below  = static_cast<float*>(call.below->column_sums);
  if (arguments.sums_below == nullptr) arguments.total_below = call.below->dbias.any();
  arguments.adds_total_below = call.below->update_dbias == Update::accumulate;
  arguments.has_sums_below   = arguments.sums_below != nullptr || arguments.total_below.data != nullptr;
  const auto& slope          = arguments.slope_below;
  if (slope.is_one) return;
  arguments.below  = slope.is_relu()   ? NarrowGradientsBelow::relu
                     : slope.is_curved ? NarrowGradientsBelow::curve
                                       : NarrowGradientsBelow::step;
  const auto saved = call.below->saved.as<const std::uint16_t>();
  if (!are_same(saved, arguments.large) || !arguments.sums.is_wanted()) arguments.saved_below = saved;
}

/// The arguments of a call, but for how it is cut.
inline NarrowGradients narrow_gradients(const Call& call) {
  using Bits            = std::uint16_t;
  const bool transposes = narrow_gradients_transpose(call);
  const auto seen       = [&](const CallMatrix& matrix) {
    return (transposes ? matrix.transposed() : matrix).template as<const Bits>();
  };
  const auto dA = result_of_dA<float>(call), dB = result_of_dB<float>(call);
  const auto A = call.A.as<const Bits>(), B = call.B.transposed().as<const Bits>();

  NarrowGradients arguments;
  arguments.dC = seen(call.dC);
  if (!call.has_constant_slope) arguments.saved = seen(call.saved);
  arguments.slope   = output_slope<float>(call);
  arguments.large   = transposes ? B : A;
  arguments.other   = transposes ? A : B;
  arguments.product = transposes ? dB : dA;
  arguments.sums    = transposes ? dA : dB;
  const auto& large = arguments.large;
  arguments.by_rows = !large.columns_are_contiguous();
  const auto any_of = [](const NarrowGradients::Matrix& matrix) {
    return AnyMatrix{const_cast<std::uint16_t*>(matrix.data), Element::bf16, matrix.row_stride, matrix.column_stride};
  };
  const auto reads_of = [&](const AnyMatrix& matrix) {
    return run_reads<Bits>(matrix, !arguments.by_rows, arguments.by_rows ? large.rows : large.columns);
  };
  const auto goes_in_words = [&](const NarrowGradients::Matrix& matrix) {
    return matrix.data == nullptr || reads_of(any_of(matrix)) == RunReads::words;
  };
  add_layer_below(arguments, call);
  arguments.in_words             = goes_in_words(large) && goes_in_words(arguments.saved_below);
  const auto rows_of_dC_begin_on = [&](std::int64_t bytes) {
    return rows_begin_on(bytes, arguments.dC) && rows_begin_on(bytes, arguments.saved);
  };
  if (rows_of_dC_begin_on(4)) arguments.reads = NarrowGradientsReads::pairs;
  if (rows_of_dC_begin_on(16)) arguments.reads = NarrowGradientsReads::words;
  arguments.other_in_pairs = rows_begin_on(4, arguments.other.transposed());
  if (arguments.product.is_wanted() && !arguments.product.adds) {
    const RunReads runs = reads_of(arguments.product.result);
    if (runs == RunReads::words) arguments.stores = NarrowGradientsStore::words;
    if (runs == RunReads::split_words) arguments.stores = NarrowGradientsStore::lines;
  }
  return arguments;
}

/// How teams share a call.
struct NarrowGradientsCut {
  std::int64_t panels, part_rows, parts;  // side by side; rows of a team; teams below each other, each with a slice

  std::int64_t teams() const { return panels * parts; }
};

/// About so many parts of whole steps of a team.
inline NarrowGradientsCut narrow_gradients_cut(const GemmShape& shape, std::int64_t parts) {
  constexpr std::int64_t rows  = NarrowGradientsTeam::rows;
  const std::int64_t part_rows = ceil_div(ceil_div(shape.m, rows), parts) * rows;
  return {ceil_div(shape.k, std::int64_t(NarrowGradientsTeam::depth)), part_rows, ceil_div(shape.m, part_rows)};
}

/// What a plan says of it.
struct NarrowGradientsPlan {
  int columns;         // of the tile
  std::size_t summed;  // the product whose sums stay: 0 is dA, 1 is dB^T
  NarrowGradientsCut cut;
};

/// The tiles of dA and of dB^T for one of dC as kernels see it.
constexpr std::array<TileShape, 2> narrow_gradients_product_tiles(const TileShape& tile, bool transposes) {
  const TileShape product{tile.m, tile.k, tile.n}, summed{tile.n, tile.k, tile.m};
  return transposes ? std::array{summed, product} : std::array{product, summed};
}

/// That of a planned call.
inline NarrowGradientsPlan narrow_gradients_plan(const Call& call, const Plan& plan) {
  const bool transposes      = narrow_gradients_transpose(call);
  const std::size_t summed   = transposes ? 0 : 1;
  const ProductPlan& wanted  = plan.products[plan.products[0].teams() > 0 ? 0 : 1];
  const bool is_summed       = &wanted == &plan.products[summed];
  const GemmShape shape      = narrow_gradients_shape(call);
  const std::int64_t panels  = narrow_gradients_cut(shape, 1).panels;
  const std::int64_t columns = is_summed ? wanted.tile.m : wanted.tile.k;
  return {static_cast<int>(columns), summed, narrow_gradients_cut(shape, wanted.holding_teams / panels)};
}

}  // namespace Tegula::Impl

#endif
