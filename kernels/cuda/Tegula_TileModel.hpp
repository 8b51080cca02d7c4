// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TILE_MODEL_HPP
#define TEGULA_TILE_MODEL_HPP

#include <functional>
#include <span>

#include "Tegula_Call.hpp"
#include "Tegula_ConfigList.hpp"
#include "Tegula_CudaMachine.hpp"
#include "Tegula_Proposal.hpp"
#include "product/Tegula_ProductPlan.hpp"

/// The time that a kernel takes whose teams compute tiles of a product, and what families propose by it. Times are of
/// an idle device, with operands in memory, in a graph.

namespace Tegula::Impl {

/// How a configuration uses a multiprocessor. Rates are fractions of the machine's, so that they hold for every
/// architecture, as far as kernels behave alike there.
struct TileRates {
  double alone, full;  // of the multiply-adds: of one team, and of all that fit
  double start;        // cycles of a team before its first products, and around its tile
  double stored;       // sums that all teams of a multiprocessor store a cycle, epilogue included
};

/// What the model of a family consists of, for elements of one type.
struct TileModel {
  std::span<const ConfigChoice> choices;
  std::span<const TileRates> rates;  // one for each choice
  double CudaRates::*multiply_adds;  // those of the machine that the kernel uses
  std::size_t element_bytes, sum_bytes;
  std::int64_t shortest;  // steps of a part of split-k, at least
  double memory = 1;      // of the machine's bandwidth, where memory is the limit
};

/// Bytes that a product moves at least: operands are read once, results written once.
double product_bytes(const Call& product);

/// Seconds of a kernel that reads and writes so many bytes, one element after the other.
double pass_seconds(const CudaMachine& machine, double bytes);

/// Seconds of a product by one configuration, its inner dimension cut into so many parts. The tile is that of the
/// configuration, or its transpose.
double tile_seconds(const TileModel& model, std::size_t config, const TileShape& tile, const Call& product,
                    std::int64_t parts, const CudaMachine& machine);

/// Calls visit(parts) with split-k as options ask, or with every one that may be the fastest: none, few, and as many as
/// fill the machine once or several times. `teams` run at once.
void for_each_split(const GemmShape& shape, const TileShape& tile, std::int64_t teams, std::int64_t shortest,
                    const PlanOptions& options, const std::function<void(std::int64_t)>& visit);

/// Proposes every configuration of a model that fits the machine, with every split. `more` seconds come on top.
void propose_tiles(const TileModel& model, const Call& product, const CudaMachine& machine, const PlanOptions& options,
                   const Propose& propose, double more = 0, bool is_transposed = false);

/// The choice with this tile, or its transpose.
const ConfigChoice& choice_of_tile(std::span<const ConfigChoice> choices, const TileShape& tile);

/// Cuts a product as proposed. `teams` run at once.
ProductPlan cut_as_proposed(const char* family, const Call& product, const ConfigChoice& choice, std::int64_t teams,
                            std::size_t sum_bytes, const PlanOptions& options, const Proposal& proposal);

/// The same by a model.
ProductPlan cut_as_proposed(const char* family, const TileModel& model, const Call& product, const CudaMachine& machine,
                            const PlanOptions& options, const Proposal& proposal);

}  // namespace Tegula::Impl

#endif
