// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfMeasurement.hpp"

#include <algorithm>
#include <cmath>

#include "Tegula_PerfMatrix.hpp"
#include "Tegula_PerfPaths.hpp"
#include "Tegula_PerfTimer.hpp"

namespace Tegula::Perf {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

Measurement::Measurement(const CaseSpec& spec, CaseFactory factory) : type_(spec.type), measured_(factory(spec)) {
  see_paths();
  check();
  for (Timed& timed : timed_) choose_calls(timed);
}

void Measurement::see_paths() {
  for (const Side& side : measured_->sides()) {
    std::string& path = paths_[side.name];
    if (!side.run) {
      path = "absent: " + side.absent;
    } else if (label_.empty()) {  // Tegula is the first
      path = Perf::tegula_path(measured_->planned_label(), side);
    } else {
      path = Perf::peer_path(side);
    }
    label_ += (label_.empty() ? "" : " | ") + path;
  }
}

void Measurement::check() {
  const std::vector<Side>& sides   = measured_->sides();
  const std::vector<double> errors = measured_->check();
  for (std::size_t s = 0; s < sides.size(); ++s)
    if (sides[s].run) timed_.push_back({&sides[s], errors[s], 1, {}});
}

double Measurement::batch_seconds(const Timed& timed) const {
  return seconds_of(ExecutionSpace(), timed.calls, timed.side->run);
}

// A batch must be long beside the resolution of the clock and a fence, which a single call of a small product is not:
// so the number of calls is raised until a batch of them has been seen to be long enough.
void Measurement::choose_calls(Timed& timed) const {
  constexpr double enough_seconds = 1e-3, at_most = 1e6;
  for (timed.calls = 1;;) {
    const double seconds = std::max(batch_seconds(timed), 1e-9);
    if (seconds >= enough_seconds || timed.calls >= at_most) return;
    const double needed = std::ceil(1.1 * timed.calls * enough_seconds / seconds);
    timed.calls         = static_cast<int>(std::min({needed, 100.0 * timed.calls, at_most}));
  }
}

// The side that begins a round is another one each time, so that none always inherits the caches of the same other.
void Measurement::time(benchmark::State& state, const Machine& machine) {
  for (Timed& timed : timed_) timed.seconds.clear();
  std::size_t first = 0;
  for ([[maybe_unused]] auto iteration : state) {
    double tegula_batch = 0;
    for (std::size_t turn = 0; turn < timed_.size(); ++turn) {
      Timed& timed         = timed_[(first + turn) % timed_.size()];
      const double seconds = batch_seconds(timed);
      timed.seconds.push_back(seconds / timed.calls);
      if (&timed == &timed_.front()) tegula_batch = seconds;
    }
    first = (first + 1) % timed_.size();
    state.SetIterationTime(tegula_batch);
  }
  count(state, machine);
}

void Measurement::count(benchmark::State& state, const Machine& machine) const {
  const double flops = measured_->flops(), bytes = measured_->compulsory_bytes();
  const double tegula_seconds = median(timed_.front().seconds);
  for (const Timed& timed : timed_) {
    const std::string& name           = timed.side->name;
    const double seconds              = median(timed.seconds);
    state.counters[name + "_seconds"] = seconds;
    state.counters[name + "_gflops"]  = flops / seconds * 1e-9;
    state.counters[name + "_gbs"]     = bytes / seconds * 1e-9;
    state.counters[name + "_error"]   = timed.error;
    if (&timed != &timed_.front()) state.counters[name + "_ratio"] = seconds / tegula_seconds;
  }
  const double roof                  = machine.roofline_gflops(type_, flops, bytes);
  state.counters["roofline_percent"] = 100 * flops / tegula_seconds * 1e-9 / roof;
  state.counters["copy_percent"]     = 100 * bytes / tegula_seconds * 1e-9 / machine.bandwidth_gbs;
  state.SetLabel(label_.c_str());
}

}  // namespace Tegula::Perf
