// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RankSpread.hpp"

#include <algorithm>
#include <cmath>

namespace Tegula::Perf {
namespace {

struct RankedSide {
  int rank;
  RankSide side;
};

/// Those that have figures, the fastest first.
std::vector<RankedSide> by_time(const std::vector<RankResult>& ranks, const std::string& side) {
  std::vector<RankedSide> found;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (const auto at = ranks[rank].sides.find(side); at != ranks[rank].sides.end())
      found.push_back({static_cast<int>(rank), at->second});
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.side.seconds.median < b.side.seconds.median; });
  return found;
}

const RankedSide& middle(const std::vector<RankedSide>& sorted) { return sorted[(sorted.size() - 1) / 2]; }

/// Of a card and the median one: beyond what is asked for, and beyond the noise of both.
bool is_slow(const Quartiles& card, const Quartiles& usual, double slow_percent) {
  return card.median > usual.median * (1 + slow_percent / 100) && card.q25 > usual.q75;
}

std::vector<PhaseAndLoad> places_of(const std::vector<RankRow>& rows) {
  std::vector<PhaseAndLoad> places;
  for (const RankRow& row : rows)
    for (const auto& [phase, ranks] : row.by_phase)
      if (const PhaseAndLoad place{phase, row.row.load}; std::find(places.begin(), places.end(), place) == places.end())
        places.push_back(place);
  return places;
}

const std::string tegula = "tegula";

CardFigures figures_of(const std::vector<RankRow>& rows, std::size_t rank, const PhaseAndLoad& place,
                       double slow_percent) {
  CardFigures figures{place};
  double logarithms = 0;
  for (const RankRow& row : rows) {
    const auto ranks = row.by_phase.find(place.phase);
    if (row.row.load != place.load || ranks == row.by_phase.end()) continue;
    const auto own = ranks->second[rank].sides.find(tegula);
    if (own == ranks->second[rank].sides.end()) continue;
    const Quartiles usual = middle(by_time(ranks->second, tegula)).side.seconds;
    logarithms += std::log(own->second.seconds.median / usual.median);
    ++figures.rows;
    figures.slow_rows += is_slow(own->second.seconds, usual, slow_percent) ? 1 : 0;
  }
  if (figures.rows > 0) figures.factor = std::exp(logarithms / static_cast<double>(figures.rows));
  return figures;
}

std::optional<double> kept_speed_of(const std::vector<RankRow>& rows, int rank) {
  double logarithms = 0;
  int count         = 0;
  for (const RankRow& row : rows) {
    const auto kept = kept_speeds(row, tegula);
    if (const auto own = kept.find(rank); own != kept.end()) logarithms += std::log(own->second), ++count;
  }
  return count > 0 ? std::optional<double>(std::exp(logarithms / count)) : std::nullopt;
}

}  // namespace

std::optional<RankSpread> spread_of(const std::vector<RankResult>& ranks, const std::string& side,
                                    double slow_percent) {
  const auto sorted = by_time(ranks, side);
  if (sorted.empty()) return std::nullopt;
  std::vector<double> gflops;
  for (const RankedSide& ranked : sorted) gflops.push_back(ranked.side.gflops);
  RankSpread spread{
      gflops.back(), quantile(gflops, 0.5), gflops.front(), sorted.back().rank, sorted.front().rank, sorted.size(), {}};
  const Quartiles usual = middle(sorted).side.seconds;
  for (const auto& [rank, found] : sorted)
    if (is_slow(found.seconds, usual, slow_percent)) spread.slow.push_back({rank, found.seconds.median / usual.median});
  return spread;
}

std::map<int, double> kept_speeds(const RankRow& row, const std::string& side) {
  std::map<int, double> kept;
  const auto alone = row.by_phase.find(Phase::alone), together = row.by_phase.find(Phase::together);
  if (alone == row.by_phase.end() || together == row.by_phase.end()) return kept;
  for (const auto& [rank, before] : by_time(alone->second, side)) {
    const auto& sides = together->second[static_cast<std::size_t>(rank)].sides;
    if (const auto at = sides.find(side); at != sides.end()) kept[rank] = at->second.gflops / before.gflops;
  }
  return kept;
}

std::string text(const PhaseAndLoad& place) {
  return name_of(place.phase) + (place.load.empty() ? "" : ' ' + place.load);
}

bool Card::is_slow() const {
  return std::any_of(figures.begin(), figures.end(), [](const CardFigures& of_place) { return of_place.is_slow(); });
}

std::vector<Card> cards_of(const std::vector<RankRow>& rows, int ranks, double slow_percent) {
  std::vector<Card> cards;
  const auto places = places_of(rows);
  for (int rank = 0; rank < ranks; ++rank) {
    Card card{rank, {}, kept_speed_of(rows, rank)};
    for (const PhaseAndLoad& place : places) {
      const CardFigures figures = figures_of(rows, static_cast<std::size_t>(rank), place, slow_percent);
      if (figures.rows > 0) card.figures.push_back(figures);
    }
    cards.push_back(card);
  }
  return cards;
}

}  // namespace Tegula::Perf
