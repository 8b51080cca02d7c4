// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PLAN_HPP
#define TEGULA_PLAN_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "Tegula_Options.hpp"
#include "Tegula_PlannedFor.hpp"
#include "Tegula_TileOrder.hpp"

namespace Tegula {

/// "64x64x32"
std::string text(const TileShape& tile);

/// The elementwise passes of a product whose types or activation its kernel does not take: operands that are widened to
/// the type of sums before it, and a result that is finished behind it.
struct PassPlan {
  std::size_t left_bytes = 0, right_bytes = 0;  ///< of the workspace: widened operands; 0: taken as they are
  std::size_t sums_bytes = 0;                   ///< of the workspace: sums until they are finished; 0: they wait in C
  bool finishes          = false;
  double left_seconds = 0, right_seconds = 0, finish_seconds = 0;  ///< predicted

  bool any() const { return finishes || left_bytes + right_bytes > 0; }
  std::size_t bytes() const { return left_bytes + right_bytes + sums_bytes; }
  double seconds() const { return left_seconds + right_seconds + finish_seconds; }
};

/// What a team of the host family has in its scratch for a product, in elements of the type of sums.
struct PanelScratch {
  std::size_t rows = 0, columns = 0, sums = 0, line_sums = 0;

  static constexpr std::size_t alignment = 64;
  std::size_t bytes(std::size_t element_bytes) const {
    return (rows + columns + sums + line_sums) * element_bytes + 4 * alignment;
  }
};

/// How one product of a call is cut into tiles.
struct ProductPlan {
  const char* name = "";  ///< "C", "dA", "dB^T"
  GemmShape shape{};
  TileShape tile{};
  TileOrder order{};  ///< no tiles: there is no such product
  std::int64_t split_k         = 1;
  std::int64_t k_split         = 0;  ///< inner length of a part, a multiple of the tile's; the last may be shorter
  int whole_waves              = 0;  ///< with split_k > 1: times that tiles that are not cut fill the device
  std::int64_t whole_rows      = 0;  ///< those of them: the first rows of the result, or the first columns
  std::int64_t whole_columns   = 0;
  bool sums_rows               = false;  ///< also sums the rows of its left operand (the bias gradient)
  bool forms_dZ_below          = false;  ///< its kernel multiplies the result by act' of the layer below
  std::size_t left_bytes       = 0;      ///< bytes of one element of the left operand, the right one, and the result
  std::size_t right_bytes      = 0;
  std::size_t result_bytes     = 0;
  std::size_t workspace_bytes  = 0;      ///< partial sums, if split_k > 1, and copies of operands
  bool reads_panels            = false;  ///< the right operand was packed before the call (Tegula_PackedMatrix.hpp)
  bool packs_left              = true;   ///< copies the left operand's tiles to scratch, or reads them in place
  bool packs_right             = true;
  std::size_t left_copy_bytes  = 0;  ///< of the workspace: a copy of an operand, laid out as the kernel needs it
  std::size_t right_copy_bytes = 0;
  std::array<const char*, 2> copy_steps{"", ""};  ///< endings of the labels of the kernels that copy; empty: none
  bool transposed           = false;  ///< vectors of sums lie along the columns of the result, not along its rows
  bool inner                = false;  ///< sums are formed by vectors along the inner dimension
  const char* family        = "";     ///< the family whose kernel computes it; empty: the plan's
  int threads               = 0;      ///< of a team of that kernel
  std::size_t scratch_bytes = 0;      ///< of such a team
  int teams_at_once         = 0;      ///< that a multiprocessor has room for; 0: not known
  PanelScratch panels{};              ///< of such a team, if it is the host family's
  int panels_at_once = 0;      ///< likewise: panels of columns that it packs before it multiplies them with all rows
  int tile_teams     = 1;      ///< teams that share the rows of a tile, and fetch the right operand together
  int sharing_teams  = 1;      ///< teams that share the inner dimension of a tile, and add up their sums in scratch
  int holding_teams  = 0;      ///< teams that hold the short operand, loaded once; 0: every tile loads it
  bool begins_early  = false;  ///< its kernel may begin while the one in front of it on the device ends
  bool is_followed   = false;  ///< behind its kernel are no products: sums are added, or results finished
  bool runs_beside   = false;  ///< its kernel needs nothing of the first product's, and runs beside it
  std::size_t beside_scratch_bytes = 0;  ///< then its teams ask for so much scratch, to be spread; 0: for what they use
  PassPlan passes{};
  double seconds = 0;  ///< predicted, on an idle device, passes included; 0: not predicted

  /// What is cut along k, if split_k > 1: all of the result, or its last rows or columns.
  GemmShape cut_shape() const { return {shape.m - whole_rows, shape.n - whole_columns, shape.k}; }

  /// Tiles that are not cut though others are: the first in the order.
  std::int64_t whole_tiles() const {
    return whole_rows > 0      ? whole_rows / tile.m * order.columns
           : whole_columns > 0 ? whole_columns / tile.n * order.rows
                               : 0;
  }

  /// Teams that compute this product.
  std::int64_t teams() const {
    return (whole_tiles() + (order.tiles() - whole_tiles()) * split_k) * sharing_teams * tile_teams;
  }
};

/// The kernel that forms dZ and the bias gradient before the products of gemm_backward, if their kernels do not; or
/// those of the layer below, behind them.
struct GradientPlan {
  bool stores_dZ         = false;
  bool is_in_place       = false;  ///< dZ takes the place of what it is formed of: the layer below's, of dA
  bool sums_columns      = false;
  std::int64_t strips    = 0;  ///< of columns, side by side
  std::int64_t parts     = 0;  ///< of rows, each with sums of its own
  std::int64_t part_rows = 0;
  int shift              = 0;  ///< log2 of the threads side by side
  std::size_t dZ_bytes   = 0;  ///< of the workspace, behind that of the products
  std::size_t sums_bytes = 0;
  double seconds         = 0;  ///< predicted
  double sums_seconds    = 0;  ///< predicted, of the kernel that adds the sums of parts, if none of the products' does

  /// Teams; 0 if there is no such kernel. The kernels of products may leave sums of parts, too.
  std::int64_t teams() const { return strips * parts; }
};

/// How a host's teams compute all gradients together: each takes some rows of dC, and forms dZ of a block of them after
/// the other in its scratch. No parts: products are computed one by one, and form what they read of dZ.
struct GradientBlocks {
  std::int64_t parts = 0, part_rows = 0;  ///< of dC, for each team
  int rows = 0, columns = 0;              ///< of a block
  int pitch            = 0;               ///< of its lines in scratch, which lie as those of dC do
  bool by_columns      = false;           ///< lines are columns
  std::size_t elements = 0;               ///< of scratch for a block; 0: dZ is dC, and is read where it lies
  std::size_t sums     = 0;               ///< likewise for the sums of a block's rows of dB^T, between steps
};

namespace Impl {
/// How the labels end of kernels that go before the products and behind them.
inline constexpr std::array<const char*, 2> widen_steps{"[widen left]", "[widen right]"};
inline constexpr std::array<const char*, 2> copy_steps{"[copy left]", "[copy right]"};
inline constexpr const char* gradient_step    = "[dZ]";
inline constexpr const char* dbias_step       = "[dbias]";
inline constexpr const char* split_k_step     = "[split_k_reduce]";
inline constexpr const char* finish_step      = "[finish]";
inline constexpr const char* below_step       = "[dZ below]";
inline constexpr const char* dbias_below_step = "[dbias below]";

class StepObserver;
class KeptProduct;
}  // namespace Impl

/// A kernel of a plan.
struct PlanStep {
  std::string label;   ///< as Kokkos' tools see it; no other step has the same
  std::string what{};  ///< "widens the left operand"
  double seconds = 0;  ///< predicted; 0: not predicted
};

/// What a call will do. It is planned before anything runs, and `describe` prints it. A plan that make_plan returned
/// can run calls that are like the one that it was made for: gemm(exec, plan, A, B, C, ...). Nothing in it refers to
/// that call's memory, and running it does not change it, so that several threads may run one plan at once.
struct Plan {
  const char* call   = "";  ///< "gemm", "gemm_backward"
  const char* family = "";  ///< kernel family
  const char* space  = "";  ///< execution space
  const char* reason = "";  ///< why this tile shape was chosen
  const char* scalar = "";  ///< element type of the input: "f32"
  Op op_a = Op::none, op_b = Op::none;
  const char* activation     = "";
  const char* instructions   = "";  ///< set of instructions, if the family chooses one at run time
  const char* machine        = "";  ///< the record of a machine's speed that times are predicted by; empty: none are
  const char* machine_source = "";  ///< of that record: measured or not, and its file if it is not the library's
  const char* tuning         = "";  ///< what the tuning file in use says of the call; empty: none is in use
  std::array<ProductPlan, 2> products{};
  GradientPlan gradient{};
  GradientPlan below{};  ///< of the layer below
  GradientBlocks gradient_blocks{};
  bool is_one_kernel        = false;  ///< one kernel computes both products
  double seconds_beside     = 0;      ///< predicted: how long the kernels of both products run beside each other
  int threads               = 1;      ///< of a team
  std::size_t scratch_bytes = 0;      ///< of a team
  int scratch_level         = 0;
  Impl::PlannedFor planned_for{};                   ///< what make_plan was called with
  std::shared_ptr<const Impl::KeptProduct> kept{};  ///< of make_plan: a small product of a host, ready to run
  Impl::StepObserver* observer = nullptr;           ///< of its kernels, while `measure` runs it

  /// Teams of the kernel that computes the products; 0 if there are none.
  std::int64_t teams() const {
    return gradient_blocks.parts > 0 ? gradient_blocks.parts : products[0].teams() + products[1].teams();
  }

  /// Whether there is nothing to compute.
  bool is_empty() const { return teams() == 0 && gradient.teams() == 0 && below.teams() == 0; }

  /// Where the gradient kernel's part of the workspace begins.
  std::size_t gradient_workspace() const { return products[0].workspace_bytes + products[1].workspace_bytes; }

  /// Whether the kernels of products leave sums of columns of dZ of the layer below, to be added behind them.
  bool leaves_sums_below() const { return below.teams() == 0 && below.sums_bytes > 0; }

  /// The tile of the first product that is computed.
  const TileShape& tile() const { return products[0].teams() > 0 ? products[0].tile : products[1].tile; }

  /// The label of the call's kernels: "Tegula::gemm[portable,f32,NT,relu,64x64x32]".
  std::string label() const;

  /// The label of the kernel of one product, where each has its own; or of a step before it or behind it, such as
  /// "[finish]". Where there are two products, it names the one.
  std::string label(const ProductPlan& product, const char* step = "") const;

  /// The kernels in the order in which they run.
  std::vector<PlanStep> steps() const;

  /// Where the sums of the layer below are in the workspace: behind that, aligned as kernels want their operands.
  std::size_t below_workspace() const {
    return aligned(gradient_workspace() + gradient.dZ_bytes + gradient.sums_bytes);
  }

  /// Where the workspace of the elementwise passes of a product begins: behind that of all kernels, likewise aligned.
  std::size_t passes_workspace(std::size_t product) const {
    const std::size_t first = aligned(kernels_workspace());
    return product == 0 ? first : first + products[0].passes.bytes();
  }

  /// Bytes of workspace that the call needs; 0 means none.
  std::size_t workspace_bytes() const {
    const std::size_t passes = products[0].passes.bytes() + products[1].passes.bytes();
    return passes > 0 ? passes_workspace(0) + passes : kernels_workspace();
  }

  /// The time that a device is predicted to take; 0: not predicted.
  double seconds() const {
    return gradient.seconds + gradient.sums_seconds + products[0].seconds + products[1].seconds - seconds_beside +
           below.seconds + below.sums_seconds;
  }

  /// The plan in words.
  std::string text() const;

 private:
  static std::size_t aligned(std::size_t bytes) {
    constexpr std::size_t alignment = 128;
    return (bytes + alignment - 1) / alignment * alignment;
  }

  /// Bytes of all kernels but passes of products.
  std::size_t kernels_workspace() const {
    return below.sums_bytes > 0 ? below_workspace() + below.sums_bytes
                                : gradient_workspace() + gradient.dZ_bytes + gradient.sums_bytes;
  }
};

}  // namespace Tegula

#endif
