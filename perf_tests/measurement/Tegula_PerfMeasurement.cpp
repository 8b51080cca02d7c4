// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfMeasurement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "Tegula_PerfPaths.hpp"

namespace Tegula::Perf {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double mean(const std::vector<double>& values) { return sum(values) / static_cast<double>(values.size()); }

}  // namespace

Measurement::Measurement(const CaseSpec& spec, CaseFactory factory, Clock clock)
    : type_(spec.type), measured_(factory(spec)), accumulates_(spec.scaling.beta != 0), timer_(make_timer(clock)) {
  for (const Side& side : measured_->sides()) attempt(side, [&] { run_once(side); });
  check();
  for (Timed& timed : timed_) attempt(*timed.side, [&] { choose_calls(timed); });
  drop_failed();
}

template <class Work>
void Measurement::attempt(const Side& side, const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    if (is_tegula(side)) throw;
    failures_.emplace(side.name, error.what());
  }
}

// Waits for the calls, so that an error on a device is known to be this side's.
void Measurement::run_once(const Side& side) {
  if (!side.failure.empty()) throw std::runtime_error(side.failure);
  std::string& path = paths_[side.name];
  if (side.calls.empty()) return;
  path = is_tegula(side) ? tegula_path(measured_->planned_labels(), side) : peer_path(side);
  measured_->reset(static_cast<std::size_t>(&side - measured_->sides().data()));
  for (const auto& call : side.calls) call();
  Kokkos::fence();
}

void Measurement::check() {
  const std::vector<Side>& sides      = measured_->sides();
  const std::vector<Verdict> verdicts = measured_->check();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (sides[s].calls.empty() || failures_.contains(sides[s].name)) continue;
    attempt(sides[s], [&] {
      if (!verdicts[s].wrong.empty()) throw std::runtime_error(verdicts[s].wrong);
    });
    timed_.push_back({&sides[s], verdicts[s].error, 0, {}, {}, {}, {}});
  }
  drop_failed();
}

void Measurement::drop_failed() {
  std::erase_if(timed_, [&](const Timed& timed) { return failures_.contains(timed.side->name); });
}

// The next call of any side takes the next set of operands.
Batch Measurement::new_batch(const Side& side, int calls) {
  return timer_->batch(calls, [this, &side] { side.calls[next_set_++ % side.calls.size()](); });
}

// A batch must be long beside the resolution of the clock and a fence, which a single call of a small product is not:
// so the number of calls is raised until a batch of them has been seen to be long enough. It begins with a call for
// each set of operands, since a batch that is repeated as a graph takes the same ones each time.
void Measurement::choose_calls(Timed& timed) {
  constexpr double enough_seconds = 1e-3, at_most = 1e6;
  for (timed.calls = static_cast<int>(timed.side->calls.size());;) {
    timed.batch               = new_batch(*timed.side, timed.calls);
    const double call_seconds = std::max(mean(timed.batch()), 1e-9);
    if (call_seconds * timed.calls >= enough_seconds || timed.calls >= at_most) return;
    const double needed = std::ceil(1.1 * enough_seconds / call_seconds);
    timed.calls         = static_cast<int>(std::min({needed, 100.0 * timed.calls, at_most}));
  }
}

// Times a batch of each side. Another side begins each time, so that no side always finds the caches as the same other
// one left them. Ratios are formed within a round, whose sides have met the same clocks.
Measurement::Round Measurement::round() {
  Round seconds{0, 0};
  for (std::size_t turn = 0; turn < timed_.size(); ++turn) {
    Timed& timed = timed_[(first_turn_ + turn) % timed_.size()];
    attempt(*timed.side, [&] {
      const std::vector<double> times = timed.batch();
      const double batch              = mean(times) * timed.calls;
      timed.seconds.insert(timed.seconds.end(), times.begin(), times.end());
      timed.rounds.push_back(quantile(times, 0.5));
      seconds.of_all += batch;
      if (is_tegula(*timed.side)) seconds.of_tegula = batch;
    });
  }
  drop_failed();
  for (Timed& timed : timed_) timed.ratios.push_back(timed.rounds.back() / timed_.front().rounds.back());
  first_turn_ = (first_turn_ + 1) % timed_.size();
  return seconds;
}

void Measurement::clear() {
  for (Timed& timed : timed_) {
    timed.seconds.clear();
    timed.rounds.clear();
    timed.ratios.clear();
  }
}

// The rounds that make the load are not kept.
void Measurement::prepare(Load load) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds rest(400), work(200);
  if (load == Load::rested) std::this_thread::sleep_for(rest);
  if (load != Load::sustained) return;
  const std::vector<Timed> before = timed_;
  for (const Clock::time_point start = Clock::now(); Clock::now() - start < work;) round();
  timed_ = before;
  drop_failed();
}

double Measurement::time(Load load, double min_time) {
  constexpr int fewest_rounds = 3;
  constexpr double patience   = 4;  // a limit on the time of all sides, in min_time for each
  prepare(load);
  for (const Timed& timed : timed_)
    if (accumulates_) measured_->reset(static_cast<std::size_t>(timed.side - measured_->sides().data()));
  Round seconds{0, 0};
  int rounds = 0;
  for (; seconds.of_tegula < min_time; ++rounds) {
    const double enough = patience * min_time * static_cast<double>(timed_.size());
    if (rounds >= fewest_rounds && seconds.of_all > enough) break;
    const Round next = round();
    seconds.of_tegula += next.of_tegula;
    seconds.of_all += next.of_all;
  }
  return seconds.of_tegula / rounds;
}

RowFigures Measurement::figures(const Machine& machine) const {
  RowFigures row;
  row.flops = measured_->flops();
  row.bytes = measured_->compulsory_bytes();
  for (const Side& side : measured_->sides()) row.sides.push_back(figures_of(side));
  const SideFigures& tegula = row.sides.front();
  if (const auto roof = machine.roofline_gflops(type_, row.flops, row.bytes))
    row.roof_percent = 100 * tegula.gflops / *roof;
  row.copy_percent = 100 * tegula.gbs / machine.bandwidth_gbs;
  return row;
}

SideFigures Measurement::figures_of(const Side& side) const {
  SideFigures figures{.name = side.name, .path = "", .absent = side.absent, .failure = "", .ratio = std::nullopt};
  const auto path = paths_.find(side.name), failure = failures_.find(side.name);
  if (path != paths_.end()) figures.path = path->second;
  if (failure != failures_.end()) figures.failure = failure->second;
  for (const Timed& timed : timed_) {
    if (timed.side != &side || timed.seconds.empty()) continue;
    figures.error   = timed.error;
    figures.samples = timed.seconds.size();
    figures.seconds = quartiles(timed.seconds);
    figures.gflops  = measured_->flops() / figures.seconds.median * 1e-9;
    figures.gbs     = measured_->compulsory_bytes() / figures.seconds.median * 1e-9;
    if (!is_tegula(side)) figures.ratio = quartiles(timed.ratios);
  }
  return figures;
}

}  // namespace Tegula::Perf
