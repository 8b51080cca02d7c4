// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_SPREAD_HPP
#define TEGULA_RANK_SPREAD_HPP

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "Tegula_PerfRow.hpp"
#include "Tegula_PerfStatistics.hpp"
#include "Tegula_RankOptions.hpp"

/// What many ranks found of the same rows: how far apart they are, who is slow, and what it costs that all run at once.

namespace Tegula::Perf {

struct RankSide {
  Quartiles seconds{};
  double gflops = 0;
};

/// Of a rank in a row and a phase.
struct RankResult {
  std::string error;                      ///< of the row or of the rank: then there are no sides
  std::map<std::string, RankSide> sides;  ///< that have figures
  std::vector<std::string> failed;        ///< sides that failed
};

/// A row on all ranks.
struct RankRow {
  Row row;                                            ///< without figures
  std::map<Phase, std::vector<RankResult>> by_phase;  ///< of each rank
};

struct SlowRank {
  int rank;
  double factor;  ///< its median time / that of the median card
};

/// Of a side over the ranks that have figures of it, in GFLOP/s.
struct RankSpread {
  double least = 0, median = 0, most = 0;
  int least_rank = 0, most_rank = 0;
  std::size_t count = 0;
  std::vector<SlowRank> slow;
};

/// Nothing if no rank has figures of the side.
std::optional<RankSpread> spread_of(const std::vector<RankResult>& ranks, const std::string& side, double slow_percent);

/// The speed when all run at once / the speed alone, of each rank that has both.
std::map<int, double> kept_speeds(const RankRow& row, const std::string& side);

/// A phase under a load, over which a card is judged.
struct PhaseAndLoad {
  Phase phase;
  std::string load;

  friend bool operator==(const PhaseAndLoad&, const PhaseAndLoad&) = default;
};
/// "together sustained"
std::string text(const PhaseAndLoad& place);

/// Of Tegula's rows on a card in a phase under a load.
struct CardFigures {
  PhaseAndLoad place;
  std::size_t rows = 0, slow_rows = 0;
  double factor = 1;  ///< geometric mean of its time / that of the median card

  bool is_slow() const { return 2 * slow_rows > rows; }
};

struct Card {
  int rank;
  std::vector<CardFigures> figures;  ///< where it has rows
  std::optional<double> kept_speed;  ///< geometric mean of what it keeps when all run at once

  bool is_slow() const;
};

/// Of every rank.
std::vector<Card> cards_of(const std::vector<RankRow>& rows, int ranks, double slow_percent);

}  // namespace Tegula::Perf

#endif
