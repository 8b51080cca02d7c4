// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_FAMILY_HPP
#define TEGULA_HOST_FAMILY_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include "Tegula_Call.hpp"
#include "Tegula_Check.hpp"
#include "tuning/Tegula_TunedWay.hpp"

/// The kernel family of processors: panels packed into scratch, register tiles of vectors, for the set of instructions
/// that the processor has. Every element type that accumulates in float or double, every layout and stride. Nothing
/// here needs Kokkos.

namespace Tegula::Impl {

inline constexpr const char* host_family = "host";

/// Which calls the family takes, as a clause.
inline constexpr const char* host_types = "it runs on Serial, OpenMP and Threads, and sums in float or double";

/// Null if the family takes a call on a host, or why not.
inline const char* host_refusal(const Call& call) { return call.accumulator == Element::other ? host_types : nullptr; }

/// An execution space of a host: its name, its threads, and the most scratch that a team has at level 1.
struct HostSpace {
  const char* name;
  int threads;
  std::size_t scratch_max;
};

/// The plan of a call that the family takes.
Plan plan_host_call(const Call& call, const HostSpace& space, const PlanOptions& options,
                    const ArgumentList& arguments);

/// The plan of a call computed this way; nothing if that is not possible.
std::optional<Plan> plan_host_way(const Call& call, const HostSpace& space, const TunedWay& way);

/// A way to compute a call, and its plan.
struct HostCandidate {
  TunedWay way;
  Plan plan;
};

/// The way that the planner takes by itself, and behind it all others that are worth measuring. The gradients of a call
/// are computed together in blocks of several sizes, or one by one: each product in all ways beside the way of the
/// other one that the planner takes. No way is there twice.
std::vector<HostCandidate> host_candidates(const Call& call, const HostSpace& space);

/// The plans of a call of gemm that the planner chooses among, and more that read operands otherwise, each with its
/// predicted time.
std::vector<Plan> host_plans(const Call& call, const HostSpace& space);

/// The plan of a call of gemm_backward all of whose gradients are computed together, in blocks of dC of about so many
/// bytes, though it may be slow. Something is wanted, and dC is not empty.
Plan plan_host_gradients_together(const Call& call, const HostSpace& space, std::int64_t block_bytes);

}  // namespace Tegula::Impl

#endif
