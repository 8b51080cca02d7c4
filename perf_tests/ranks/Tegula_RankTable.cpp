// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RankTable.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

#include "Tegula_PerfText.hpp"

namespace Tegula::Perf {
namespace {

/// "-3.4 %" of 0.966
std::string change(double factor) {
  std::ostringstream text;
  text << std::showpos << std::fixed << std::setprecision(1) << 100 * (factor - 1) << " %";
  return text.str();
}

double median_of(const std::map<int, double>& by_rank) {
  std::vector<double> values;
  for (const auto& [rank, value] : by_rank) values.push_back(value);
  return quantile(values, 0.5);
}

/// "slow alone: rank 1 +12.0 %"
std::string slow_text(Phase phase, const RankSpread& spread) {
  std::string text;
  for (const auto& [rank, factor] : spread.slow)
    text +=
        (text.empty() ? "slow " + name_of(phase) + ": " : ", ") + "rank " + std::to_string(rank) + ' ' + change(factor);
  return text;
}

/// "ERROR: rank 2"
std::string error_text(Phase phase, const std::vector<RankResult>& ranks) {
  std::string text;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (!ranks[rank].error.empty() || !ranks[rank].failed.empty())
      text += (text.empty() ? "ERROR " + name_of(phase) + ": rank " : ", ") + std::to_string(rank);
  return text;
}

void append(std::string& notes, const std::string& note) {
  if (!note.empty()) notes += (notes.empty() ? "" : "; ") + note;
}

}  // namespace

std::string text(const RankIdentity& identity) {
  std::string where = identity.host;
  if (!identity.pci.empty()) where += (where.empty() ? "" : ", ") + identity.pci;
  return "rank " + std::to_string(identity.rank) + (where.empty() ? "" : " (" + where + ')');
}

// The texts of all rows are known, so the columns fit from the first row on.
RankTable::RankTable(std::ostream& output, const std::vector<Row>& rows, const std::vector<std::string>& sides,
                     const RankOptions& options)
    : output_(output), sides_(sides), options_(options) {
  constexpr std::size_t figure_width = 8;
  for (const char* title : {"shape", "m x n x k", "type", "layout", "op", "mode", "side"})
    columns_.push_back({title, std::string(title).size(), false});
  for (const Row& row : rows) {
    const std::vector<std::string> texts{row.shape, row.extents, row.type, row.layouts, row.ops, row.load};
    for (std::size_t i = 0; i < texts.size(); ++i) columns_[i].width = std::max(columns_[i].width, texts[i].size());
  }
  for (const std::string& side : sides_) columns_.back().width = std::max(columns_.back().width, side.size());
  for ([[maybe_unused]] const Phase phase : options_.phases)
    for (const char* title : {"least", "median", "most"}) columns_.push_back({title, figure_width, true});
  if (options_.phases.size() > 1) columns_.push_back({"change", figure_width, true});
}

void RankTable::print_line(const std::vector<std::string>& cells) {
  std::ostringstream line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i < columns_.size())
      line << (columns_[i].is_figure ? std::right : std::left) << std::setw(static_cast<int>(columns_[i].width));
    line << cells[i] << "  ";
  }
  output_ << line.str().substr(0, line.str().find_last_not_of(' ') + 1) << std::endl;
}

void RankTable::print_heading() {
  std::vector<std::string> titles, phases_above;
  for (const Column& column : columns_) {
    titles.push_back(column.title);
    if (!column.is_figure) phases_above.emplace_back();
  }
  for (const Phase phase : options_.phases)
    phases_above.insert(phases_above.end(), {"--------", name_of(phase), "--------"});
  output_ << "GFLOP/s over the ranks\n";
  print_line(phases_above);
  print_line(titles);
}

/// Cells, and a last one with what is to be noted.
std::vector<std::string> RankTable::figures_of(const RankRow& row, const std::string& side) const {
  std::vector<std::string> cells;
  std::string notes;
  for (const Phase phase : options_.phases) {
    const std::vector<RankResult>& ranks = row.by_phase.at(phase);
    const auto spread                    = spread_of(ranks, side, options_.slow_percent);
    for (const double value : spread ? std::vector{spread->least, spread->median, spread->most} : std::vector<double>{})
      cells.push_back(figure(value));
    if (!spread) cells.insert(cells.end(), 3, nothing);
    if (spread) append(notes, slow_text(phase, *spread));
    if (side == sides_.front()) append(notes, error_text(phase, ranks));
  }
  const auto kept = kept_speeds(row, side);
  if (options_.phases.size() > 1) cells.push_back(kept.empty() ? nothing : change(median_of(kept)));
  cells.push_back(notes);
  return cells;
}

void RankTable::print(const RankRow& row) {
  for (const std::string& side : sides_) {
    std::vector<std::string> cells{row.row.shape, row.row.extents, row.row.type, row.row.layouts,
                                   row.row.ops,   row.row.load,    side};
    const auto figures = figures_of(row, side);
    cells.insert(cells.end(), figures.begin(), figures.end());
    print_line(cells);
  }
}

namespace {

std::string line_of(const Card& card, const RankIdentity& identity) {
  std::ostringstream line;
  line << text(identity) << ':';
  for (const CardFigures& figures : card.figures)
    line << ' ' << text(figures.place) << ' ' << fixed(figures.factor, 3) << " (slow in " << figures.slow_rows << " of "
         << figures.rows << " rows),";
  if (card.kept_speed) line << ' ' << change(*card.kept_speed) << " when all run at once";
  if (card.figures.empty()) line << " no figures";
  std::string words = line.str();
  if (words.back() == ',') words.pop_back();
  return words + (card.is_slow() ? "  SLOW" : "") + '\n';
}

/// Ranks that were to have a card each.
std::string shared_cards(const std::vector<RankIdentity>& ranks) {
  std::map<std::string, int> first;
  std::string lines;
  for (const RankIdentity& identity : ranks) {
    if (identity.pci.empty()) continue;
    const auto [at, is_first] = first.emplace(identity.host + ' ' + identity.pci, identity.rank);
    if (!is_first)
      lines += "warning: " + text(identity) + " has the same card as rank " + std::to_string(at->second) + '\n';
  }
  return lines;
}

}  // namespace

std::string describe_cards(const std::vector<Card>& cards, const std::vector<RankIdentity>& ranks) {
  std::string lines = "time of Tegula / that of the median card, geometric mean over rows; change of speed\n", slow,
              failed;
  for (const Card& card : cards) {
    const RankIdentity& identity = ranks[static_cast<std::size_t>(card.rank)];
    lines += "  " + line_of(card, identity);
    if (card.is_slow()) slow += "slow card: " + text(identity) + '\n';
    if (!identity.failure.empty()) failed += "failed: " + text(identity) + ": " + identity.failure + '\n';
  }
  return lines + slow + shared_cards(ranks) + failed;
}

std::string describe_errors(const std::vector<RankRow>& rows, const std::vector<RankIdentity>& ranks) {
  std::string lines;
  for (const RankRow& row : rows)
    for (const RankIdentity& identity : ranks) {
      std::string known;  // what a phase said is not said of the next one again
      for (const auto& [phase, results] : row.by_phase) {
        const RankResult& result = results[static_cast<std::size_t>(identity.rank)];
        const std::string where  = "error: " + text(identity) + ", " + row.row.shape + ' ' + row.row.type +
                                  (row.row.load.empty() ? "" : ' ' + row.row.load) + ", " + name_of(phase) + ": ";
        if (!result.error.empty() && result.error != known && identity.failure.empty())
          lines += where + result.error + '\n';
        known = result.error;
        for (const std::string& failure : result.failed) lines += where + failure + '\n';
      }
    }
  return lines;
}

}  // namespace Tegula::Perf
