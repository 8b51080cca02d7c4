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

Measurement::Measurement(const CaseSpec& spec, CaseFactory factory)
    : type_(spec.type), measured_(factory(spec)), with_peer_(spec.with_peer && measured_->has_peer()) {
  tegula_.path = Perf::tegula_path(*measured_);
  if (with_peer_) peer_.path = Perf::peer_path(*measured_);
  errors_ = measured_->check(with_peer_);
  choose_calls(tegula_);
  if (with_peer_) choose_calls(peer_);
}

double Measurement::seconds_per_call(const Side& side) const {
  return seconds_of(ExecutionSpace(), side.calls, [&] { (measured_.get()->*side.run)(); }) / side.calls;
}

// A batch must be long beside the resolution of the clock and a fence.
void Measurement::choose_calls(Side& side) const {
  constexpr double batch_seconds = 1e-3, most_calls = 1e4;
  side.calls = static_cast<int>(std::clamp(std::ceil(batch_seconds / seconds_per_call(side)), 1.0, most_calls));
}

void Measurement::time(benchmark::State& state, const Machine& machine) {
  tegula_.seconds.clear();
  peer_.seconds.clear();
  bool peer_first = false;
  for ([[maybe_unused]] auto iteration : state) {
    if (with_peer_ && peer_first) peer_.seconds.push_back(seconds_per_call(peer_));
    tegula_.seconds.push_back(seconds_per_call(tegula_));
    if (with_peer_ && !peer_first) peer_.seconds.push_back(seconds_per_call(peer_));
    peer_first = !peer_first;  // neither side always inherits the caches of the other
    state.SetIterationTime(tegula_.seconds.back() * tegula_.calls);
  }
  count(state, machine);
}

void Measurement::count(benchmark::State& state, const Machine& machine) const {
  const double flops                 = measured_->flops();
  const double seconds               = median(tegula_.seconds);
  const double gflops                = flops / seconds * 1e-9;
  const double roof                  = machine.roofline_gflops(type_, flops, measured_->compulsory_bytes());
  state.counters["tegula_seconds"]   = seconds;
  state.counters["tegula_gflops"]    = gflops;
  state.counters["tegula_error"]     = errors_.tegula;
  state.counters["roofline_percent"] = 100 * gflops / roof;
  if (with_peer_) {
    const double peer_seconds      = median(peer_.seconds);
    state.counters["peer_seconds"] = peer_seconds;
    state.counters["peer_gflops"]  = flops / peer_seconds * 1e-9;
    state.counters["peer_error"]   = errors_.peer;
    state.counters["ratio"]        = peer_seconds / seconds;
  }
  state.SetLabel((with_peer_ ? tegula_.path + " | " + peer_.path : tegula_.path).c_str());
}

}  // namespace Tegula::Perf
