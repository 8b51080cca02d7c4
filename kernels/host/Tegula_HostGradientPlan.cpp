// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostGradientPlan.hpp"

#include <algorithm>

namespace Tegula::Impl {
namespace {

/// Bytes of what a block works on, its lines of dC, saved, dZ, A and dA: about what the first cache has, the second
/// one, and a large part of that.
constexpr std::array<std::int64_t, 3> working_sets{48 * 1024, 192 * 1024, 640 * 1024};

/// A block has at most so many columns: steps of dA, as many as its tiles have elsewhere.
constexpr std::int64_t most_columns = 512;

/// Sums that wait for the next block are read and written by every block: they are to be a small part of the last
/// cache.
constexpr double waiting_share = 1.0 / 8;

/// Cycles of HostRates::cycles.
constexpr double block_overhead = 400;  // of a block: two tiles, which begin and end
constexpr double formed_vector  = 1.5;  // of dZ, beside the derivative
constexpr double gathered_line  = 8;    // of dC or saved that does not lie by the next one
constexpr double summed_vector  = 1.2;  // of dZ, added to the sums of its columns
constexpr double summed_line    = 25;   // the same of lines each of which has a sum, when its elements were added

std::int64_t rounded_up(std::int64_t count, std::int64_t multiple) { return parts_of(count, multiple) * multiple; }

/// dC and how it is cut.
struct Cut {
  std::int64_t m, n, k, rows, columns;  // of a block

  std::int64_t row_blocks() const { return parts_of(m, rows); }
  std::int64_t column_blocks() const { return parts_of(n, columns); }
};

/// Extents of the gradients, by those that are wanted.
Cut uncut(const Plan& plan) {
  const GemmShape &dA = plan.products[0].shape, &dB = plan.products[1].shape;
  if (is_wanted(plan.products[0])) return {dA.m, dA.k, dA.n, dA.m, dA.k};
  return {dB.k, dB.m, dB.n, dB.k, dB.m};
}

/// Blocks of about so many bytes, evenly cut, by whole register tiles and vectors.
Cut cut_into_blocks(Cut cut, std::int64_t bytes, const GradientTraits& gradient, const HostMachine& machine) {
  const auto& [registers, element_bytes, threads, scratch_max, rates] = machine;
  cut.columns =
      rounded_up(parts_of(cut.n, parts_of(cut.n, most_columns)), cut.n > most_columns ? registers.columns : 1);
  // Of dC, of what was saved, and of the dZ that is formed; of A and of dA.
  const std::int64_t matrices = gradient.in_place ? 1 : gradient.reads_saved ? 3 : 2;
  const std::int64_t row      = (matrices * cut.columns + 2 * cut.k) * static_cast<std::int64_t>(element_bytes);
  const std::int64_t least    = 2 * registers.rows;
  const std::int64_t rows     = std::max(least, bytes / row);
  if (cut.m > rows) cut.rows = rounded_up(parts_of(cut.m, parts_of(cut.m, rows)), registers.rows);
  return cut;
}

/// Bytes of sums that wait from block to block.
double waiting_bytes(const Cut& cut, const HostMachine& machine) {
  const std::int64_t sums =
      (cut.row_blocks() > 1 ? cut.n * cut.k : 0) + (cut.column_blocks() > 1 ? cut.rows * cut.k : 0);
  return number(sums) * static_cast<double>(machine.element_bytes);
}

/// Seconds in which the last cache gives and takes what waits, if a thread's own caches do not hold it.
double waiting_seconds(const Cut& cut, const HostMachine& machine) {
  const double bytes = waiting_bytes(cut, machine);
  return bytes <= second_cache_share ? 0 : number(cut.row_blocks()) * 2 * bytes / machine.rates->cache_rate;
}

GradientBlocks blocks_of(const Cut& cut, const GradientTraits& gradient, const HostMachine& machine) {
  GradientBlocks blocks;
  const std::int64_t parts = std::min<std::int64_t>(machine.threads, cut.row_blocks());
  blocks.part_rows         = parts_of(cut.row_blocks(), parts) * cut.rows;
  blocks.parts             = parts_of(cut.m, blocks.part_rows);
  blocks.rows              = static_cast<int>(cut.rows);
  blocks.columns           = static_cast<int>(cut.columns);
  blocks.by_columns        = gradient.row_stride == 1 && gradient.column_stride != 1;
  blocks.pitch             = blocks.by_columns ? blocks.rows : blocks.columns;
  // Lines a power of two apart compete for sets of the first cache.
  constexpr std::size_t far_apart = 2048;
  if (static_cast<std::size_t>(blocks.pitch) * machine.element_bytes % far_apart == 0)
    blocks.pitch += machine.registers.lanes;
  const bool is_read_in_place = gradient.in_place && (gradient.row_stride == 1 || gradient.column_stride == 1);
  if (!is_read_in_place)
    blocks.elements = static_cast<std::size_t>(blocks.pitch) *
                      static_cast<std::size_t>(blocks.by_columns ? blocks.columns : blocks.rows);
  return blocks;
}

/// The products with dZ as it lies in a block.
std::array<ProductTraits, 2> block_traits(std::array<ProductTraits, 2> traits, const GradientBlocks& blocks,
                                          const GradientTraits& gradient) {
  OperandTraits dZ{true, gradient.row_stride, gradient.column_stride};
  if (blocks.elements > 0)
    dZ = blocks.by_columns ? OperandTraits{true, 1, blocks.pitch} : OperandTraits{true, blocks.pitch, 1};
  traits[0].left = dZ;
  traits[1].left = {true, dZ.step_stride, dZ.line_stride};
  return traits;
}

/// Cycles of forming dZ and summing its columns, of all blocks.
double forming(const Cut& cut, const GradientBlocks& blocks, const GradientTraits& gradient,
               const HostMachine& machine) {
  const int lanes             = machine.registers.lanes;
  const std::int64_t length   = blocks.by_columns ? cut.rows : cut.columns;
  const std::int64_t all      = blocks.by_columns ? cut.n : cut.m;  // lines
  const std::int64_t per_line = blocks.by_columns ? cut.row_blocks() : cut.column_blocks();
  const double lines          = number(all * per_line);
  const double elements       = number(cut.m * cut.n);
  const std::int64_t stride   = blocks.by_columns ? gradient.column_stride : gradient.row_stride;
  double cycles               = number(cut.row_blocks() * cut.column_blocks()) * block_overhead;
  if (blocks.elements > 0) {
    cycles += elements * gradient.slope + elements / lanes * formed_vector;
    if (stride != length || blocks.pitch != length) cycles += lines * (gradient.reads_saved ? 2 : 1) * gathered_line;
  }
  if (gradient.sums_columns)
    cycles += lines * number(parts_of(length, lanes)) * summed_vector + (blocks.by_columns ? lines * summed_line : 0);
  return cycles;
}

/// Plans the products of blocks cut so; seconds are those of all of the call.
void cut_products(Plan& plan, const Cut& cut_as, std::array<ProductTraits, 2> traits, const GradientTraits& gradient,
                  const HostMachine& machine) {
  GradientBlocks& blocks = plan.gradient_blocks;
  blocks                 = blocks_of(cut_as, gradient, machine);
  traits                 = block_traits(traits, blocks, gradient);
  const auto parts       = static_cast<int>(blocks.parts);
  const Teams teams{parts, 1, CountedLaunch::never};
  const int k = std::max(1, static_cast<int>(cut_as.k));
  PlanOptions options[2]{{.tile = {blocks.rows, k, blocks.columns}, .split_k = 1},
                         {.tile = {blocks.columns, k, blocks.rows}, .split_k = parts}};
  plan.threads = 1;
  double bytes = 0;
  for (std::size_t p = 0; p < plan.products.size(); ++p) {
    ProductPlan& product = plan.products[p];
    if (!is_wanted(product)) continue;
    product.workspace_bytes = 0;
    const Way way           = choose(product.shape, traits[p], machine, teams, options[p]);
    cut(product, traits[p], way, teams, machine, options[p]);
    product.seconds = way.seconds;
    bytes += bytes_of(product);
  }
  ProductPlan &dA = plan.products[0], &dB = plan.products[1];
  if (dB.teams() > 0) {
    blocks.sums = dB.panels.sums;
    dB.panels.sums *= static_cast<std::size_t>(cut_as.column_blocks());
    dB.panels.line_sums = gradient.sums_columns ? static_cast<std::size_t>(cut_as.n) : 0;
  }
  if (dA.teams() > 0 && dB.teams() > 0)  // both count dC
    bytes -= number(cut_as.m * cut_as.n) * static_cast<double>(dA.left_bytes);
  plan.scratch_bytes  = scratch_bytes_of(plan, machine.element_bytes);
  const bool launches = parts > 1 || plan.scratch_bytes > most_scratch_at_once;
  plan.products[dA.teams() > 0 ? 0 : 1].seconds +=
      forming(cut_as, blocks, gradient, machine) / parts / machine.rates->cycles + memory_seconds(bytes, machine) +
      waiting_seconds(cut_as, machine) / parts + (launches ? launch_seconds(machine) : 0);
}

}  // namespace

std::span<const std::int64_t> block_bytes_considered() { return working_sets; }

void plan_gradient_blocks(Plan& plan, const std::array<ProductTraits, 2>& traits, const GradientTraits& gradient,
                          const HostMachine& machine) {
  const Cut whole = uncut(plan);
  if (whole.m == 0 || whole.n == 0) return;
  Plan best              = plan;
  std::int64_t last_rows = 0;
  for (const std::int64_t bytes : working_sets) {
    const Cut cut_as = cut_into_blocks(whole, bytes, gradient, machine);
    if (cut_as.rows == last_rows || waiting_bytes(cut_as, machine) > waiting_share * machine.rates->cache) continue;
    last_rows = cut_as.rows;
    Plan way  = plan;
    cut_products(way, cut_as, traits, gradient, machine);
    if (way.scratch_bytes <= machine.scratch_max && way.seconds() < best.seconds()) best = way;
  }
  plan = best;
}

Plan gradient_block_plan(const Plan& uncut_plan, const std::array<ProductTraits, 2>& traits,
                         const GradientTraits& gradient, const HostMachine& machine, std::int64_t bytes) {
  Plan plan = uncut_plan;
  cut_products(plan, cut_into_blocks(uncut(plan), bytes, gradient, machine), traits, gradient, machine);
  return plan;
}

}  // namespace Tegula::Impl
