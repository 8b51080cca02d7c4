// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_FAMILY_HPP
#define TEGULA_CUDA_FAMILY_HPP

#include <cstdint>
#include <span>

#include "Tegula_Call.hpp"
#include "Tegula_Check.hpp"
#include "Tegula_CudaLaunch.hpp"
#include "Tegula_CudaMachine.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_Proposal.hpp"

namespace Tegula::Impl {

/// What one launch of a family computes.
enum class Covers {
  product,       // a product: a call of gemm, or one of the products of gemm_backward as such a call
  two_products,  // both products of gemm_backward, as two such calls
  gradients      // all results of a call of gemm_backward, dZ included
};

/// What kernels of dA do for the layer below (BelowProduct); a pass does the rest, behind the products.
enum class BelowBy : std::uint8_t {
  pass,         // nothing: they are never asked for a product with a layer below
  slopes,       // they multiply by act'(saved)
  column_sums,  // they also sum columns, of rows_of_sums rows at a time
  team_sums     // the same, of all rows of a team: of dA's holding_teams, which lie below each other
};

/// A kernel family for CUDA: a row of the table of families. All of it but the kernels is plain code for hosts.
struct CudaFamily {
  const char* name;
  Covers covers;
  const char* types;  // which calls it has kernels for, as a clause

  /// Whether it has kernels for the element types and the activation of a call.
  bool (*takes_types)(const Call& call);

  /// Null if it can compute calls of such types, or why not, as a clause. It asks for the device, alignments, extents
  /// and scratch. Whether it should is the planner's business.
  const char* (*refusal)(const Calls& calls, const CudaMachine& machine, const PlanOptions& options);

  /// Proposes every configuration that options allow.
  void (*propose)(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose);

  /// The products, cut as proposed.
  std::array<ProductPlan, 2> (*cut)(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                                    const Proposal& proposal);

  /// Queues the kernels, and no more. Calls before() when all that can fail is ready, and before anything is queued.
  /// Null: the kernels are not in this build.
  void (*launch)(const CudaLaunch& launch);

  /// What products of float are formed of; null if of the elements themselves.
  const char* (*instructions)(const Call& call) = nullptr;

  bool adds_slices = false;  // its launch adds the slices of a product with split-k, too

  // Its kernel lets others begin when all of its teams have, and can begin so itself (Tegula_ProductsBeside.hpp).
  bool can_run_beside = true;

  BelowBy below = BelowBy::pass;

  bool leaves_waves_whole = false;  // its kernel can cut some tiles along k, and others not
};

/// The row of a family whose kernel cannot run beside another.
constexpr CudaFamily apart(CudaFamily family) {
  family.can_run_beside = false;
  return family;
}

/// The row of a family whose kernels do so much for the layer below.
constexpr CudaFamily with_below(CudaFamily family, BelowBy below) {
  family.below = below;
  return family;
}

/// The row of a family whose kernel leaves waves of tiles whole where the rest is cut.
constexpr CudaFamily with_whole_waves(CudaFamily family) {
  family.leaves_waves_whole = true;
  return family;
}

/// What a family proposes whose kernels multiply by the derivative of a layer below, but not the kernel that adds
/// slices.
inline auto uncut_if_below(const Call& call, const Propose& propose) {
  return [has_below = call.below.has_value(), &propose](const Proposal& proposal) {
    if (!has_below || proposal.parts[0] <= 1) propose(proposal);
  };
}

/// Why a family without kernels takes no call.
inline constexpr const char* no_cuda_kernels =
    "its kernels are not in this build, since Kokkos is without CUDA or no nvcc that is new enough was found";

/// The table. Its order does not matter.
std::span<const CudaFamily* const> cuda_families();

/// The row of the family that computes a planned product, alone or with the other one.
const CudaFamily& family_of(const ProductPlan& product, bool is_alone);

/// Why a family does not take a call on CUDA; null if it does.
const char* refusal_of(const CudaFamily& family, const Calls& calls, const CudaMachine& machine,
                       const PlanOptions& options);

}  // namespace Tegula::Impl

#endif
