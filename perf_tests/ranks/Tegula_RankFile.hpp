// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_FILE_HPP
#define TEGULA_RANK_FILE_HPP

#include <string>
#include <vector>

#include "Tegula_RankSpread.hpp"
#include "Tegula_RankTable.hpp"

namespace Tegula::Perf {

/// A rank as the file has it.
struct RankRecord {
  RankIdentity identity;
  std::string context;  ///< JSON; empty if it did not come so far
};

/// What a worker's row says of those sides. Throws std::invalid_argument if it is no such row.
RankResult result_of(const std::string& row, const std::vector<std::string>& sides);

/// The file of a run over ranks: that of one device, with rank and phase in each row, and beside the rows the ranks and
/// how far apart they are.
class RankFile {
 public:
  /// No file is written if the name is empty.
  RankFile(const std::string& file, const std::vector<std::string>& sides, double slow_percent)
      : file_(file), sides_(sides), slow_percent_(slow_percent) {}

  /// A row of each rank, as JSON.
  void add(const RankRow& row, Phase phase, const std::vector<std::string>& rows_of_ranks);

  /// Returns what is wrong, or nothing.
  std::string write(const std::vector<RankRecord>& ranks, const std::vector<Card>& cards, bool is_complete) const;

 private:
  std::string file_;
  std::vector<std::string> sides_;
  double slow_percent_;
  std::vector<std::string> rows_, spreads_;
};

}  // namespace Tegula::Perf

#endif
