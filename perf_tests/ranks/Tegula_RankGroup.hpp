// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_GROUP_HPP
#define TEGULA_RANK_GROUP_HPP

#include <memory>
#include <string>
#include <vector>

namespace Tegula::Perf {

/// The ranks of a run, and the supervisors that watch over their workers: this process alone, or one a rank by MPI.
/// Every supervisor makes the same calls in the same order.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  virtual int size() const             = 0;  ///< ranks of all supervisors
  virtual std::vector<int> own() const = 0;  ///< those of this supervisor, ascending
  virtual bool is_root() const         = 0;  ///< of the supervisor that prints and writes
  virtual int turn_of(int rank) const  = 0;  ///< of an own rank among the ranks of its node
  virtual int turns() const            = 0;  ///< of the node that has the most ranks

  /// Returns when all supervisors are here.
  virtual void meet() = 0;
  /// At the root a text of each rank, from those of the own ranks of each supervisor; elsewhere nothing.
  virtual std::vector<std::string> gather(const std::vector<std::string>& own_texts) = 0;
  /// What the root says.
  virtual int agreed(int number) = 0;
};

std::unique_ptr<RankGroup> local_group(int ranks);

/// Of the processes that a launcher started, with a rank each. Throws std::invalid_argument in a build without MPI.
std::unique_ptr<RankGroup> mpi_group();

/// Before anything else is done about ranks of MPI.
void check_that_there_is_mpi();

}  // namespace Tegula::Perf

#endif
