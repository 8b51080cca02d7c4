// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Plan.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace Tegula {
namespace {

// How often an element of either operand is loaded: by every tile that needs it, or by every team that holds it. The
// operand that is held is one tile.
struct Loads {
  std::int64_t left, right;
};

Loads loads_of(const ProductPlan& product) {
  const TileOrder& order = product.order;
  if (product.holding_teams == 0) return {order.columns, order.rows};
  return order.columns == 1 ? Loads{1, product.holding_teams} : Loads{product.holding_teams, 1};
}

Traffic traffic_of(const ProductPlan& product, const Loads& loads) {
  const GemmShape& shape = product.shape;
  return {shape.m * shape.k * loads.left, shape.k * shape.n * loads.right,
          shape.m * shape.n + (product.sums_rows ? shape.m : 0)};
}

double traffic_bytes(const ProductPlan& product, const Traffic& traffic) {
  return static_cast<double>(traffic.left) * static_cast<double>(product.left_bytes) +
         static_cast<double>(traffic.right) * static_cast<double>(product.right_bytes) +
         static_cast<double>(traffic.stored) * static_cast<double>(product.result_bytes) +
         2.0 * static_cast<double>(product.workspace_bytes);
}

// Bytes that no kernel can do without: every element of the operands is loaded once, every element of the result stored
// once.
double compulsory_bytes(const ProductPlan& product) {
  const GemmShape& shape = product.shape;
  const auto bytes       = [](std::int64_t rows, std::int64_t columns, std::size_t element) {
    return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(element);
  };
  return bytes(shape.m, shape.k, product.left_bytes) + bytes(shape.k, shape.n, product.right_bytes) +
         bytes(shape.m, shape.n, product.result_bytes);
}

// How the tiles of an operand come to the registers.
const char* brought(bool packed) { return packed ? "copied to scratch" : "read in place"; }

// The direction of vectors, if it is not along the rows of the result.
const char* vectors(const ProductPlan& product) {
  if (product.inner) return "; vectors along the inner dimension";
  return product.transposed ? "; vectors along the columns of the result" : "";
}

void describe_passes(std::ostream& out, const ProductPlan& product) {
  const PassPlan& passes = product.passes;
  const auto widen       = [&](const char* operand, std::size_t bytes) {
    if (bytes > 0)
      out << "    pass      before, widens the " << operand << " operand: " << bytes << " bytes of the workspace\n";
  };
  widen("left", passes.left_bytes);
  widen("right", passes.right_bytes);
  if (!passes.finishes) return;
  out << "    pass      behind, finishes the result, ";
  if (passes.sums_bytes > 0) {
    out << "out of " << passes.sums_bytes << " bytes of the workspace\n";
  } else {
    out << "in place\n";
  }
}

void describe(std::ostream& out, const ProductPlan& product) {
  const GemmShape& shape = product.shape;
  const TileShape& tile  = product.tile;
  const Loads loads      = loads_of(product);
  const Traffic traffic  = traffic_of(product, loads);
  const double bytes     = traffic_bytes(product, traffic);
  const double flops = 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
  const std::int64_t k_steps = ceil_div(shape.k, tile.k);
  out << "  " << product.name << " is " << shape.m << 'x' << shape.n << ", summed over " << shape.k << '\n'
      << "    grid      " << product.order.rows << " x " << product.order.columns << " tiles of " << text(tile) << ", "
      << k_steps << " k steps, groups of " << product.order.group << " tile rows\n";
  if (product.split_k > 1) {
    out << "    split-k   " << product.split_k << " parts of up to " << product.k_split
        << ", summed in order by a second kernel\n";
    const bool by_rows = product.whole_rows > 0;
    if (product.whole_waves > 0)
      out << "    waves     " << product.whole_waves << " of whole tiles, the first "
          << (by_rows ? product.whole_rows : product.whole_columns) << (by_rows ? " rows" : " columns")
          << "; only the rest is split\n";
  }
  if (product.sharing_teams > 1) {
    out << "    clusters  of " << product.sharing_teams << " teams, which share the sums of a tile\n";
  }
  if (product.tile_teams > 1) {
    out << "    clusters  of " << product.tile_teams
        << " teams, which share the rows of a tile and fetch its right operand together\n";
  }
  out << "    reuse     a loaded element of the left operand serves up to " << tile.n
      << " columns, of the right operand " << tile.m << " rows;\n"
      << "              each left tile is loaded " << loads.left << " times, each right tile " << loads.right
      << " times\n"
      << "    traffic   " << traffic.loaded() << " elements loaded by tiles, " << traffic.stored
      << " stored: " << std::fixed << std::setprecision(0) << bytes << " bytes\n"
      << "    intensity " << std::setprecision(2) << (bytes > 0 ? flops / bytes : 0.0) << " flop/byte ("
      << std::setprecision(0) << flops << " flop)\n"
      << "    limit     memory, on a machine that computes more than " << std::setprecision(2)
      << flops / std::max(1.0, compulsory_bytes(product)) << " flop in the time of a byte; else arithmetic\n"
      << std::setprecision(0);
  if (*product.family != '\0') out << "    kernel    of the " << product.family << " family\n";
  if (!product.packs_left || !product.packs_right || product.transposed) {
    out << "    operands  left " << brought(product.packs_left) << ", right "
        << (product.reads_panels ? "packed beforehand" : brought(product.packs_right)) << vectors(product) << '\n';
  }
  if (product.left_copy_bytes + product.right_copy_bytes > 0) {
    out << "    copies    " << product.left_copy_bytes << " bytes of the left operand and " << product.right_copy_bytes
        << " of the right one, laid out anew in the workspace\n";
  }
  describe_passes(out, product);
  if (product.forms_dZ_below) out << "    the result is multiplied by act' of the layer below\n";
  if (product.sums_rows) out << "    the first column of tiles also sums the rows of its left operand: dbias\n";
}

const char* what_is_formed(const GradientPlan& gradient) {
  return !gradient.sums_columns ? "dZ" : gradient.stores_dZ ? "dZ and dbias" : "dbias";
}

void describe(std::ostream& out, const GradientPlan& gradient) {
  out << "  " << what_is_formed(gradient) << " first, by a kernel of " << gradient.strips << " x " << gradient.parts
      << " teams: " << gradient.dZ_bytes << " bytes of the workspace for dZ, " << gradient.sums_bytes
      << " for sums of columns\n";
}

void describe_below(std::ostream& out, const GradientPlan& below) {
  out << "  " << what_is_formed(below) << " of the layer below last, ";
  if (below.teams() > 0) {
    out << "by a kernel of " << below.strips << " x " << below.parts << " teams";
  } else {
    out << "of " << below.parts << " parts that the product's kernel sums";
  }
  out << ": " << below.sums_bytes << " bytes of the workspace for sums of columns\n";
}

/// A predicted time, or nothing.
struct Microseconds {
  double seconds;
};

std::ostream& operator<<(std::ostream& out, const Microseconds& time) {
  if (time.seconds <= 0) return out;
  return out << ", " << std::fixed << std::setprecision(1) << 1e6 * time.seconds << " us";
}

void describe(std::ostream& out, const GradientBlocks& blocks) {
  out << "  gradients together: " << blocks.parts << (blocks.parts == 1 ? " team takes " : " teams take ")
      << blocks.part_rows << " rows of dC" << (blocks.parts == 1 ? "" : " each") << ", and "
      << (blocks.elements > 0 ? "forms dZ in scratch, " : "reads dC, ") << blocks.rows << 'x' << blocks.columns
      << " elements at a time\n";
}

void describe_steps(std::ostream& out, const Plan& plan) {
  int number = 0;
  for (const PlanStep& step : plan.steps())
    out << "  step " << ++number << "    " << step.label << ' ' << step.what << Microseconds{step.seconds} << '\n';
  if (plan.seconds() > 0)
    out << "  predicted to take" << std::fixed << std::setprecision(1) << ' ' << 1e6 * plan.seconds()
        << " us on an idle " << plan.machine << " (" << plan.machine_source << ")\n";
}

std::string label_of(const Plan& plan, const char* family, const TileShape& tile) {
  const auto letter = [](Op op) { return op == Op::none ? 'N' : 'T'; };
  return std::string("Tegula::") + plan.call + '[' + family + ',' + plan.scalar + ',' + letter(plan.op_a) +
         letter(plan.op_b) + ',' + plan.activation + ',' + text(tile) + ']';
}

}  // namespace

std::string text(const TileShape& tile) {
  return std::to_string(tile.m) + 'x' + std::to_string(tile.n) + 'x' + std::to_string(tile.k);
}

std::string Plan::label() const { return label_of(*this, family, tile()); }

std::string Plan::label(const ProductPlan& product, const char* step) const {
  const bool has_own_kernel = *product.family != '\0' && !is_one_kernel;
  std::string label         = label_of(*this, *product.family != '\0' ? product.family : family, product.tile);
  if (product.name[0] == 'd' && (has_own_kernel || *step != '\0')) label += '[' + std::string(product.name, 2) + ']';
  return label + step;
}

std::string Plan::text() const {
  std::ostringstream out;
  out << label() << " on " << space << '\n';
  if (is_empty()) out << "  nothing to compute\n";
  describe_steps(out, *this);
  if (gradient.teams() > 0) describe(out, gradient);
  if (gradient_blocks.parts > 0) describe(out, gradient_blocks);
  for (const ProductPlan& product : products) {
    if (product.teams() > 0) describe(out, product);
  }
  if (below.parts > 0) describe_below(out, below);
  if (*instructions != '\0') out << "  instructions: " << instructions << '\n';
  out << "  team of " << threads << (threads == 1 ? " thread, " : " threads, ") << scratch_bytes
      << " bytes of scratch at level " << scratch_level << "; workspace " << workspace_bytes() << " bytes\n"
      << "  chosen because " << reason << '\n';
  if (*tuning != '\0') out << "  tuning: " << tuning << '\n';
  return out.str();
}

}  // namespace Tegula
