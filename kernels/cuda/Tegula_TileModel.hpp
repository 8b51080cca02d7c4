// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TILE_MODEL_HPP
#define TEGULA_TILE_MODEL_HPP

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "Tegula_Call.hpp"
#include "Tegula_ConfigList.hpp"
#include "Tegula_CudaMachine.hpp"
#include "Tegula_CudaOutput.hpp"
#include "Tegula_OperandCopies.hpp"
#include "Tegula_Proposal.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// The time that a kernel takes whose teams compute tiles of a product, and what families propose by it. Times are of
/// an idle device, with operands in memory, in a graph. What families differ in is data: numbers that were fitted to
/// measured times of all ways to compute several hundred calls (perf_tests/README.md says how).

namespace Tegula::Impl {

constexpr double number(std::int64_t count) { return static_cast<double>(count); }

/// How the tiles of an operand are fetched: in runs of 16 bytes along contiguous lines, or along a contiguous depth; or
/// one element after the other, because lines are not aligned, or nothing is contiguous; or in words of two elements.
enum class Fetched : std::uint8_t { lines, depth, depth_one_by_one, lines_one_by_one, lines_in_words, depth_in_words };
inline constexpr std::size_t fetched_kinds = 6;

constexpr bool has_contiguous_depth(Fetched fetched) {
  return fetched == Fetched::depth || fetched == Fetched::depth_one_by_one || fetched == Fetched::depth_in_words;
}

/// How the copy of an operand that was not aligned is fetched: it lies in the same direction.
constexpr Fetched as_copied(Fetched fetched) { return has_contiguous_depth(fetched) ? Fetched::depth : Fetched::lines; }

/// The same in words, as families fetch them that take such operands.
constexpr Fetched in_words(Fetched fetched) {
  return has_contiguous_depth(fetched) ? Fetched::depth_in_words : Fetched::lines_in_words;
}

/// How results are stored: in runs of 16 bytes, or otherwise; and the same where C is read, too.
enum class Stored : std::uint8_t { runs, runs_added, unaligned, unaligned_added };

/// How lines of 128 bytes that TMA fetches lie on those of the cache: an operand's lines are multiples of 64 bytes
/// apart, or odd multiples of 32, or of 16. The more of them lie on two, the more the cache is asked for.
enum class Straddles : std::uint8_t { little, by_32_bytes, by_16_bytes };

/// How a configuration uses a multiprocessor. Rates are fractions of the machine's.
struct TileRates {
  double alone, full;  // of the multiply-adds: of one team, and of all that fit
  double start;        // cycles of a team around a tile
  double stored;       // elements that a multiprocessor stores a cycle, of the cheapest kind
  // Of both rates, where kernels of each pair of directions are code of their own: contiguous lines of both operands,
  // contiguous depth of the right one, of the left one, of both.
  std::array<double, 4> directions{1, 1, 1, 1};
};

/// What the model of a family consists of, for elements of one type.
struct TileModel {
  std::span<const ConfigChoice> choices;
  std::span<const TileRates> rates;  // one for each choice
  double CudaRates::*multiply_adds;  // those of the machine that the kernel uses
  std::size_t element_bytes, sum_bytes;
  std::int64_t shortest;  // depth of a part of split-k, at least

  std::array<double, fetched_kinds> fetched{};  // cycles for an element of a tile of an operand, by Fetched
  std::array<double, fetched_kinds> missed{};   // share of that for one of the tile beyond the operand's last line
  std::array<double, 3> straddled{1, 1, 1};     // by this factor fetching takes longer, by Straddles
  double crowded = 0;                  // how much longer lines one by one take where all multiprocessors fetch them
  double waiting = 1;                  // by this factor a team alone, which waits for memory, fetches more slowly
  double exposed = 0;                  // what the shorter of fetching and multiplying adds to the longer: 0 is hidden
  double uneven  = 0;                  // what the slowest of multiprocessors adds to the usual one, of a round of teams
  std::array<double, 4> stored{};      // what it takes to store an element, by Stored
  std::array<double, 4> walked{};      // the same for every element of a tile, also beyond the edge of the result
  double widened = 1;                  // by this factor results of float take longer than those of 16 bits
  std::array<double, 4> results{};     // bytes of memory for a byte of the result, by Stored
  double memory = 1, cache = 1;        // of the machine's bandwidths
  double apart = 0;                    // what the shorter of arithmetic and memory adds: 0 if one hides the other
  double added = 0, biased = 0;        // seconds until a C that is read, or a bias, is there
  double activated = 0;                // cycles for an element of a tile: of an activation that takes an exponential
  double kept      = 0;                // the same of a Z that is stored
  double beside    = 0;                // share of a start and an end that shows beside another multiplication
  double slices = 1, slice_bytes = 1;  // the kernel that adds slices: of a kernel's time, and of the bandwidth
  double slice     = 0;                // seconds that every slice takes
  double scattered = 1;                // by this factor slices of results that are not stored in runs take longer
  double copy = 1, copy_bytes = 1;     // a kernel that copies an operand: likewise
  bool leaves_waves_whole = false;     // whether the kernel can cut some tiles along k, and others not
  double multiply_share   = 1;  // of multiply_adds that there are: by mma.sync half as many of TF32 as of 16 bits
  double again            = 1;  // share of a start that later tiles of a team take, whose producer fetches ahead
};

/// A product as models see it.
struct ModelledProduct {
  GemmShape shape;
  double operand_bytes, result_bytes;  // that must be moved at least
  std::array<Fetched, 2> fetched;      // left, right
  Stored stored;
  bool adds, has_bias;                   // C is read, there is a bias
  bool takes_exponentials, stores_Z;     // the activation does
  bool is_widened;                       // operands have 16 bits, and results are float
  std::array<Straddles, 2> straddles{};  // left, right
};

/// How a call of gemm looks to a kernel. TMA stores no runs with ragged ends.
ModelledProduct modelled(const Call& product, RunsBy runs_by = RunsBy::threads);

/// What a call's activation, if it takes an exponential, and a Z, which takes `widened` times as long as one of 16
/// bits, add to its results, by a family's numbers.
template <class Model>
double finish_of(const Model& model, const ModelledProduct& product, double widened = 1) {
  return (product.takes_exponentials ? model.activated : 0) + (product.stores_Z ? model.kept * widened : 0);
}

/// Bytes that a product moves at least: operands are read once, results written once.
double product_bytes(const Call& product);

/// Seconds of the multiply-adds of a product, where a multiprocessor forms so many a cycle.
double arithmetic_seconds(const CudaMachine& machine, const GemmShape& shape, double multiply_adds);

/// Seconds of a kernel that reads and writes so many bytes, one element after the other.
double pass_seconds(const CudaMachine& machine, double bytes);

/// A kernel is limited by one of several things, and close to where two of them meet a little by both.
double slowest_of(std::initializer_list<double> seconds);

/// How the inner dimension of a product is cut: into so many parts, that of all tiles but the whole ones. These are
/// some of the first rows, {rows, 0}, or columns, {0, columns}.
struct Cut {
  std::int64_t parts = 1;
  GemmShape whole{};
};

/// Seconds of a product by one configuration, cut so. The tile is that of the configuration, or its transpose.
double tile_seconds(const TileModel& model, std::size_t config, const TileShape& tile, const ModelledProduct& product,
                    const Cut& cut, const CudaMachine& machine);

/// Seconds that copies of operands take before the kernel of a family.
double copies_seconds(const TileModel& model, const CudaMachine& machine, const OperandCopies& copies);

/// Calls visit(parts) with split-k as options ask, or with every one that may be the fastest: none, few, and as many as
/// fill the machine once or several times. `teams` run at once.
void for_each_split(const GemmShape& shape, const TileShape& tile, std::int64_t teams, std::int64_t shortest,
                    const PlanOptions& options, const std::function<void(std::int64_t)>& visit);

/// Calls visit(waves, whole, parts) for ways to leave waves of tiles whole and to cut the rest, so that its parts fill
/// the device once or a few times: all full waves, or all but one of them, or as options ask.
void for_each_rest(const GemmShape& shape, const TileShape& tile, std::int64_t teams, std::int64_t shortest,
                   const PlanOptions& options,
                   const std::function<void(int waves, const GemmShape& whole, std::int64_t parts)>& visit);

/// Whether the machine has the scratch that a configuration needs and, where teams form clusters, can launch them.
bool can_run(const ConfigChoice& choice, const CudaMachine& machine);

/// The clusters of so many teams that run at once where each team has a multiprocessor for itself.
std::int64_t clusters_at_once(std::int64_t multiprocessors, int cluster);

/// The tiles that the machine computes at once.
std::int64_t tiles_at_once(const ConfigChoice& choice, const CudaMachine& machine);

/// Proposes every configuration of a model that fits the machine, with every split. `more` seconds come on top.
void propose_tiles(const TileModel& model, const ModelledProduct& product, const CudaMachine& machine,
                   const PlanOptions& options, const Propose& propose, double more = 0, bool is_transposed = false);

/// The first choice with this tile, or its transpose.
const ConfigChoice& choice_of_tile(std::span<const ConfigChoice> choices, const TileShape& tile);

/// Of those with this tile the one that computes so many of them, or parts: a later one, of more teams a tile, if it
/// computes all of them at once, and the first one otherwise.
const ConfigChoice& choice_of_works(std::span<const ConfigChoice> choices, const TileShape& tile, std::int64_t works,
                                    const CudaMachine& machine);

/// Cuts a product as proposed. `teams` run at once.
ProductPlan cut_as_proposed(const char* family, const Call& product, const ConfigChoice& choice, std::int64_t teams,
                            std::size_t sum_bytes, const PlanOptions& options, const Proposal& proposal);

/// The same by a model.
ProductPlan cut_as_proposed(const char* family, const TileModel& model, const Call& product, const CudaMachine& machine,
                            const PlanOptions& options, const Proposal& proposal);

}  // namespace Tegula::Impl

#endif
