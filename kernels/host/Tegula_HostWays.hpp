// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_WAYS_HPP
#define TEGULA_HOST_WAYS_HPP

#include <limits>
#include <vector>

#include "Tegula_HostCycles.hpp"
#include "tuning/Tegula_TunedWay.hpp"

/// The ways to compute a product on a host, and their predicted times.

namespace Tegula::Impl {

/// A way to compute a product: how its sums are formed, and how it is cut.
struct Way {
  bool transposed = false, inner = false, packs_rows = false, packs_columns = false;
  int depth         = 0;                          // of a tile
  std::int64_t rows = 1, columns = 1, parts = 1;  // tiles along both sides, parts of the inner dimension
  double seconds = std::numeric_limits<double>::infinity();
};

/// Whether a way counts what a launch takes: if it needs one, as if it did, or not, because others count it.
enum class CountedLaunch { needed, always, never };

/// How the machine is shared: so many teams of so many threads.
struct Teams {
  int groups, threads;
  CountedLaunch launch = CountedLaunch::needed;
};

/// What a kernel takes longer than a function call.
inline double launch_seconds(const HostMachine& machine) {
  return machine.threads > 1 ? machine.rates->fork : machine.rates->launch;
}

/// The way of a product that is predicted to take the least time, of all or of those with the tile that options ask
/// for.
Way choose(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine, const Teams& teams,
           const PlanOptions& options);

/// Every way that the planner considers, and every way to read its operands.
std::vector<Way> all_ways(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine,
                          const Teams& teams);

/// Whether tiles take whole panels of a right operand that was packed before the call.
bool is_of_panels(const GemmShape& shape, const TileShape& tile, const HostMachine& machine);

/// The way that is asked for, whose seconds are infinite if there is none such.
Way way_as_asked(const GemmShape& shape, const ProductTraits& traits, const HostMachine& machine, const Teams& teams,
                 const ProductWay& asked);

/// Bytes of operands and result. C is fetched before it is written.
double bytes_of(const ProductPlan& product);

/// Seconds that the last cache takes for what nearer ones do not hold, and memory for what it does not hold.
double memory_seconds(double bytes, const HostMachine& machine);

/// Cuts a product as a way says.
void cut(ProductPlan& product, const ProductTraits& traits, const Way& way, const Teams& teams,
         const HostMachine& machine, const PlanOptions& options);

}  // namespace Tegula::Impl

#endif
