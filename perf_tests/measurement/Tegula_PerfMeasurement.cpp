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

/// The element that so large a part of them is below, between the two next to it.
double quantile(std::vector<double>& values, double part) {
  const double place    = part * static_cast<double>(values.size() - 1);
  const auto below      = static_cast<std::ptrdiff_t>(place);
  const auto element_at = [&](std::ptrdiff_t index) {
    std::nth_element(values.begin(), values.begin() + index, values.end());
    return values[index];
  };
  const double low  = element_at(below);
  const double high = element_at(std::min(below + 1, static_cast<std::ptrdiff_t>(values.size()) - 1));
  return low + (place - static_cast<double>(below)) * (high - low);
}

}  // namespace

Measurement::Measurement(const CaseSpec& spec, CaseFactory factory, Clock clock)
    : type_(spec.type), measured_(factory(spec)), timer_(make_timer(clock)) {
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

// Waits for the calls, so that what goes wrong on a device is known to be this side's.
void Measurement::run_once(const Side& side) {
  if (!side.failure.empty()) throw std::runtime_error(side.failure);
  std::string& path = paths_[side.name];
  if (side.calls.empty()) {
    path = "absent: " + side.absent;
    return;
  }
  path = is_tegula(side) ? tegula_path(measured_->planned_label(), side) : peer_path(side);
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
    timed_.push_back({&sides[s], verdicts[s].error, 0, {}, {}});
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
    timed.batch                     = new_batch(*timed.side, timed.calls);
    const std::vector<double> times = timed.batch();
    const double call_seconds       = std::max(std::accumulate(times.begin(), times.end(), 0.0) / times.size(), 1e-9);
    if (call_seconds * timed.calls >= enough_seconds || timed.calls >= at_most) return;
    const double needed = std::ceil(1.1 * enough_seconds / call_seconds);
    timed.calls         = static_cast<int>(std::min({needed, 100.0 * timed.calls, at_most}));
  }
}

// A batch of each side. The side that begins is another one each time, so that none always inherits the caches of the
// same other. Returns the seconds of Tegula's.
double Measurement::round() {
  double tegula_seconds = 0;
  for (std::size_t turn = 0; turn < timed_.size(); ++turn) {
    Timed& timed = timed_[(first_turn_ + turn) % timed_.size()];
    attempt(*timed.side, [&] {
      const std::vector<double> times = timed.batch();
      timed.seconds.insert(timed.seconds.end(), times.begin(), times.end());
      if (is_tegula(*timed.side))
        tegula_seconds = std::accumulate(times.begin(), times.end(), 0.0) / times.size() * timed.calls;
    });
  }
  drop_failed();
  first_turn_ = (first_turn_ + 1) % timed_.size();
  return tegula_seconds;
}

void Measurement::prepare(Load load) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds rest(400), work(200);
  if (load == Load::rested) std::this_thread::sleep_for(rest);
  if (load != Load::sustained) return;
  for (const Clock::time_point start = Clock::now(); Clock::now() - start < work;) round();
}

void Measurement::time(benchmark::State& state, const Machine& machine, Load load, double min_time) {
  for ([[maybe_unused]] auto iteration : state) {
    prepare(load);
    for (Timed& timed : timed_) timed.seconds.clear();
    double tegula_seconds = 0;
    int rounds            = 0;
    for (; tegula_seconds < min_time; ++rounds) tegula_seconds += round();
    state.SetIterationTime(tegula_seconds / rounds);
  }
  count(state, machine);
}

void Measurement::count(benchmark::State& state, const Machine& machine) {
  const double flops = measured_->flops(), bytes = measured_->compulsory_bytes();
  const double tegula_seconds = quantile(timed_.front().seconds, 0.5);
  for (Timed& timed : timed_) {
    const std::string& name              = timed.side->name;
    const double seconds                 = quantile(timed.seconds, 0.5);
    state.counters[name + "_seconds"]    = seconds;
    state.counters[name + "_seconds_25"] = quantile(timed.seconds, 0.25);
    state.counters[name + "_seconds_75"] = quantile(timed.seconds, 0.75);
    state.counters[name + "_gflops"]     = flops / seconds * 1e-9;
    state.counters[name + "_gbs"]        = bytes / seconds * 1e-9;
    state.counters[name + "_error"]      = timed.error;
    if (!is_tegula(*timed.side)) state.counters[name + "_ratio"] = seconds / tegula_seconds;
  }
  if (const auto roof = machine.roofline_gflops(type_, flops, bytes))
    state.counters["roofline_percent"] = 100 * flops / tegula_seconds * 1e-9 / *roof;
  state.counters["copy_percent"] = 100 * bytes / tegula_seconds * 1e-9 / machine.bandwidth_gbs;
  state.SetLabel(label().c_str());
}

std::string Measurement::label() const {
  std::string text;
  for (const Side& side : measured_->sides()) {
    const auto failure = failures_.find(side.name);
    text += text.empty() ? "" : " | ";
    text += failure == failures_.end() ? paths_.at(side.name) : "FAILED: " + failure->second;
  }
  return text;
}

}  // namespace Tegula::Perf
