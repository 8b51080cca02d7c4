// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_MEASUREMENT_HPP
#define TEGULA_PERF_MEASUREMENT_HPP

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfFigures.hpp"
#include "Tegula_PerfMachine.hpp"
#include "Tegula_PerfTimer.hpp"

namespace Tegula::Perf {

/// A case that has been checked and is ready to be timed.
class Measurement {
 public:
  /// Allocates the operands, runs every side once to see its path, and with every set of operands to check the
  /// results. Throws what is wrong with Tegula; a peer that fails, here or later, is measured no more.
  Measurement(const CaseSpec& spec, CaseFactory factory, Clock clock);

  /// Forgets the times.
  void clear();

  /// One repetition: the load, then rounds with a batch of each side until Tegula has taken min_time seconds, or all
  /// sides together too long. Returns the mean seconds of a batch of Tegula's.
  double time(Load load, double min_time);

  /// Of all repetitions since the times were forgotten.
  RowFigures figures(const Machine& machine) const;

 private:
  /// A side that takes the case.
  struct Timed {
    const Side* side;
    double error;
    int calls;  ///< of a batch
    Batch batch;
    std::vector<double> seconds;  ///< of calls
    std::vector<double> rounds;   ///< medians of the rounds
    std::vector<double> ratios;   ///< to Tegula's, of the rounds
  };

  /// Seconds of the batches of a round.
  struct Round {
    double of_tegula, of_all;
  };

  /// Does work of a side. An exception of Tegula's goes on to the caller; one of a peer's becomes its failure.
  template <class Work>
  void attempt(const Side& side, const Work& work);
  bool is_tegula(const Side& side) const { return &side == &measured_->sides().front(); }
  void run_once(const Side& side);
  void check();
  void drop_failed();
  void choose_calls(Timed& timed);
  Batch new_batch(const Side& side, int calls);
  Round round();
  void prepare(Load load);
  SideFigures figures_of(const Side& side) const;

  std::string type_;
  std::unique_ptr<Case> measured_;
  std::map<std::string, std::string> paths_, failures_;  ///< by the name of the side
  bool accumulates_;                                     ///< whether calls add to what they find
  std::unique_ptr<Timer> timer_;
  std::vector<Timed> timed_;    ///< Tegula first
  std::size_t first_turn_ = 0;  ///< the side that begins the next round
  std::size_t next_set_   = 0;  ///< of operands, for the next call of whatever side
};

}  // namespace Tegula::Perf

#endif
