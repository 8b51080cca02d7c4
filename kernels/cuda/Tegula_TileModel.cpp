// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TileModel.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "product/Tegula_UncutCall.hpp"

namespace Tegula::Impl {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

double matrix_bytes(const CallMatrix& matrix) {
  return number(matrix.rows) * number(matrix.columns) * static_cast<double>(matrix.element_bytes);
}

/// Cycles of the multiprocessor with most tiles, which computes as many at a time as it holds.
double cycles_of(const TileRates& rates, const TileShape& tile, int teams, std::int64_t steps, std::int64_t tiles,
                 double multiply_adds) {
  const double products = number(tile.m) * tile.n * tile.k * number(steps) / multiply_adds;
  const double sums     = number(tile.m) * tile.n / rates.stored;
  const auto round      = [&](std::int64_t at_once) {
    return rates.start + std::max(products / rates.alone, number(at_once) * products / rates.full) +
           number(at_once) * sums;
  };
  const std::int64_t rest = tiles % teams;
  return number(tiles / teams) * round(teams) + (rest > 0 ? round(rest) : 0);
}

/// Bytes that tiles load, most of them out of the cache.
double loaded_bytes(const GemmShape& shape, const TileShape& tile, std::size_t element_bytes) {
  return static_cast<double>(element_bytes) * number(shape.k) *
         (number(shape.m) * number(ceil_div(shape.n, tile.n)) + number(shape.n) * number(ceil_div(shape.m, tile.m)));
}

/// A kernel is limited by one of several things, and close to where two of them meet a little by both.
double slowest_of(std::initializer_list<double> seconds) {
  constexpr double sharpness = 4;
  double sum                 = 0;
  for (const double s : seconds) sum += std::pow(s, sharpness);
  return std::pow(sum, 1 / sharpness);
}

/// The kernel that adds the slices.
double slices_seconds(const TileModel& model, const GemmShape& shape, std::int64_t parts, const CudaMachine& machine) {
  if (parts == 1) return 0;
  return pass_seconds(machine, static_cast<double>(model.sum_bytes) * number(shape.m) * number(shape.n) *
                                   number(parts + 1));
}

}  // namespace

double product_bytes(const Call& product) {
  double bytes = matrix_bytes(product.C) * (product.beta == 0 ? 1 : 2);
  if (product.shape().k > 0) bytes += matrix_bytes(product.A) + matrix_bytes(product.B);
  if (product.Z.data != nullptr) bytes += matrix_bytes(product.Z);
  return bytes;
}

double pass_seconds(const CudaMachine& machine, double bytes) {
  return machine.rates->kernel + bytes / machine.rates->memory;
}

double tile_seconds(const TileModel& model, std::size_t config, const TileShape& tile, const Call& product,
                    std::int64_t parts, const CudaMachine& machine) {
  const CudaRates& rates     = *machine.rates;
  const ConfigChoice& choice = model.choices[config];
  const GemmShape shape      = product.shape();
  const std::int64_t steps   = ceil_div(ceil_div(shape.k, tile.k), parts);
  const std::int64_t tiles   = ceil_div(shape.m, tile.m) * ceil_div(shape.n, tile.n) * parts;
  const std::int64_t most    = ceil_div(tiles, machine.multiprocessors);
  const double arithmetic =
      cycles_of(model.rates[config], tile, choice.teams, steps, most, rates.*model.multiply_adds) / rates.clock;
  const double memory = product_bytes(product) / (model.memory * rates.memory);
  const double cache  = loaded_bytes(shape, tile, model.element_bytes) / rates.cache;
  return rates.kernel + slowest_of({arithmetic, memory, cache}) + slices_seconds(model, shape, parts, machine);
}

void for_each_split(const GemmShape& shape, const TileShape& tile, std::int64_t teams, std::int64_t shortest,
                    const PlanOptions& options, const std::function<void(std::int64_t)>& visit) {
  if (options.split_k > 0) return visit(options.split_k);
  constexpr std::int64_t few = 4, fills = 4;
  const std::int64_t tiles = std::max<std::int64_t>(1, ceil_div(shape.m, tile.m) * ceil_div(shape.n, tile.n));
  const std::int64_t most  = std::max<std::int64_t>(1, std::min(ceil_div(shape.k, tile.k) / shortest, fills * teams / tiles));
  for (std::int64_t parts = 1; parts <= std::min(few, most); ++parts) visit(parts);
  std::int64_t last = few;
  for (std::int64_t fill = 1; fill <= 2 * fills; ++fill) {
    const std::int64_t parts = std::min(most, fill * teams / (2 * tiles));
    if (parts <= last) continue;
    visit(parts);
    last = parts;
  }
}

void propose_tiles(const TileModel& model, const Call& product, const CudaMachine& machine, const PlanOptions& options,
                   const Propose& propose, double more, bool is_transposed) {
  for (std::size_t config = 0; config < model.choices.size(); ++config) {
    const ConfigChoice& choice = model.choices[config];
    const TileShape tile       = is_transposed ? choice.tile.transposed() : choice.tile;
    if (static_cast<std::size_t>(choice.scratch_bytes) > machine.scratch_max) continue;
    if (options.tile != TileShape{} && options.tile != tile && options.tile != choice.tile) continue;
    const std::int64_t teams = std::int64_t(machine.multiprocessors) * choice.teams;
    for_each_split(product.shape(), tile, teams, model.shortest, options, [&](std::int64_t parts) {
      propose({tile, {parts, 1}, false, more + tile_seconds(model, config, tile, product, parts, machine)});
    });
  }
}

const ConfigChoice& choice_of_tile(std::span<const ConfigChoice> choices, const TileShape& tile) {
  for (const TileShape& own : {tile, tile.transposed()})
    for (const ConfigChoice& choice : choices)
      if (choice.tile == own) return choice;
  throw std::logic_error("Tegula: no tile " + text(tile) + " was proposed");
}

ProductPlan cut_as_proposed(const char* family, const Call& product, const ConfigChoice& choice, std::int64_t teams,
                            std::size_t sum_bytes, const PlanOptions& options, const Proposal& proposal) {
  ProductPlan plan   = uncut_products(product)[0];
  plan.family        = family;
  plan.threads       = choice.threads;
  plan.scratch_bytes = static_cast<std::size_t>(choice.scratch_bytes);
  plan.seconds       = proposal.seconds;
  cut_into_tiles(plan, proposal.tile, teams, options);
  cut_inner_dimension(plan, proposal.parts[0], sum_bytes);
  return plan;
}

ProductPlan cut_as_proposed(const char* family, const TileModel& model, const Call& product, const CudaMachine& machine,
                            const PlanOptions& options, const Proposal& proposal) {
  const ConfigChoice& choice = choice_of_tile(model.choices, proposal.tile);
  return cut_as_proposed(family, product, choice, std::int64_t(machine.multiprocessors) * choice.teams, model.sum_bytes,
                         options, proposal);
}

}  // namespace Tegula::Impl
