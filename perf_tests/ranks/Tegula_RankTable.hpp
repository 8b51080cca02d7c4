// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_TABLE_HPP
#define TEGULA_RANK_TABLE_HPP

#include <ostream>
#include <string>
#include <vector>

#include "Tegula_RankSpread.hpp"

namespace Tegula::Perf {

/// Who a rank is, and what became of it.
struct RankIdentity {
  int rank = 0;
  std::string host, pci;  ///< empty if it did not come so far as to say; a host's has no PCI address
  std::string failure;    ///< empty: none
};

/// "rank 3 (node07, 0000:9b:00.0)"
std::string text(const RankIdentity& identity);

/// The table of rows, a line for each side of each row.
class RankTable {
 public:
  RankTable(std::ostream& output, const std::vector<Row>& rows, const std::vector<std::string>& sides,
            const RankOptions& options);

  void print_heading();
  void print(const RankRow& row);

 private:
  struct Column {
    std::string title;
    std::size_t width;
    bool is_figure;
  };

  void print_line(const std::vector<std::string>& cells);
  std::vector<std::string> figures_of(const RankRow& row, const std::string& side) const;

  std::ostream& output_;
  std::vector<std::string> sides_;
  RankOptions options_;
  std::vector<Column> columns_;
};

/// Below the rows: a line for each card, with its time over that of the median card, and what it keeps of its speed;
/// then who is slow, who shares a card, and who failed, each named.
std::string describe_cards(const std::vector<Card>& cards, const std::vector<RankIdentity>& ranks);

/// A line for every error of a row on a rank that has not failed itself.
std::string describe_errors(const std::vector<RankRow>& rows, const std::vector<RankIdentity>& ranks);

}  // namespace Tegula::Perf

#endif
