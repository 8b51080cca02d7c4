// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CALIBRATE_HOST_HPP
#define TEGULA_CALIBRATE_HOST_HPP

#include <Tegula.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "Tegula_PerfDevice.hpp"
#include "Tegula_PerfMachine.hpp"
#include "Tegula_PerfTimer.hpp"
#include "host/Tegula_HostRates.hpp"

/// What the host at hand can do, as far as predicted times of the host family go.

namespace Tegula::Perf {

using Host = Kokkos::DefaultHostExecutionSpace;

/// The least seconds of a call of work, of batches that take a millisecond at least, and all of them no longer than
/// needed: under sanitizers a batch may take most of a second.
template <class Work>
double least_seconds(const Work& work) {
  constexpr double long_enough = 1e-3, all_long_enough = 1;
  constexpr int least_batches = 3, batches = 20;
  int calls = 1;
  while (seconds_of(Host(), calls, work) < long_enough) calls *= 2;
  double least = std::numeric_limits<double>::max(), all = 0;
  for (int batch = 0; batch < batches && (batch < least_batches || all < all_long_enough); ++batch) {
    const double seconds = seconds_of(Host(), calls, work);
    least                = std::min(least, seconds);
    all += seconds;
  }
  return least / calls;
}

struct MeasuredProduct {
  double seconds, predicted;
};

/// C = A B of matrices by rows, planned anew in every call.
template <class T>
MeasuredProduct measured_product(const GemmShape& shape, const GemmOptions& options = {}) {
  using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Host>;
  const Host exec;
  const Matrix A("A", shape.m, shape.k), B("B", shape.k, shape.n), C("C", shape.m, shape.n);
  Kokkos::deep_copy(A, T(0.5));
  Kokkos::deep_copy(B, T(0.25));
  return {least_seconds([&] { gemm(exec, A, B, C, {}, options); }), make_plan(exec, A, B, C, {}, options).seconds()};
}

/// The planner's cycles in a second, by products that no cache is too small for: the geometric mean.
inline double model_cycles(const Impl::HostRates& known, double call) {
  double logarithms = 0;
  int products      = 0;
  const double less = known.call + (Host().concurrency() > 1 ? known.fork : known.launch);
  const auto add    = [&](const MeasuredProduct& product) {
    logarithms += std::log((product.predicted - less) * known.cycles / (product.seconds - call));
    ++products;
  };
  for (const GemmShape& shape :
       {GemmShape{128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {192, 240, 240}, {672, 64, 64}}) {
    add(measured_product<float>(shape));
    add(measured_product<double>(shape));
  }
  return std::exp(logarithms / products);
}

/// Bytes a second as plans count them: what is written is fetched before.
template <class Copy>
double copied_rate(std::size_t items, const Copy& copy) {
  return 3.0 * static_cast<double>(items * sizeof(double)) / least_seconds(copy);
}

inline Impl::HostRates measured_host_record() {
  use_machine("");  // what TEGULA_MACHINE asks for is not what is measured
  constexpr std::size_t items    = std::size_t(1) << 25;
  const Impl::HostRates& library = Impl::host_rates(Impl::host_instructions());
  Impl::HostRates record         = library;
  std::vector<double> from(items, 1.0), to(items);
  record.name            = device_name() + ", " + std::to_string(Host().concurrency()) + " threads";
  record.source          = "measured, " + tegula_version() + "; caches as in the library's record";
  record.call            = measured_product<float>({4, 4, 4}).seconds;
  record.cycles          = model_cycles(library, record.call);
  record.memory          = copied_rate(items, [&] { std::copy(from.begin(), from.end(), to.begin()); });
  record.all_memory      = copied_rate(items, [&] {
    Kokkos::parallel_for("Tegula::Perf::calibrate", Kokkos::RangePolicy<Host>(0, items),
                              [in = from.data(), out = to.data()](std::size_t i) { out[i] = in[i]; });
  });
  record.all_memory      = std::max(record.memory, record.all_memory);
  const double two_teams = measured_product<float>({4, 4, 4}, {.plan = {.tile = {2, 32, 4}}}).seconds;
  (Host().concurrency() > 1 ? record.fork : record.launch) = std::max(0.0, two_teams - record.call);
  return record;
}

}  // namespace Tegula::Perf

#endif
