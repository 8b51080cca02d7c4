// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfMachine.hpp"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>

#include "Tegula_PerfBuild.hpp"
#include "Tegula_PerfCommit.hpp"
#include "Tegula_PerfDevice.hpp"
#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfFma.hpp"
#include "Tegula_PerfMatrix.hpp"
#include "Tegula_PerfTimer.hpp"

namespace Tegula::Perf {
namespace {

constexpr int attempts = 5;  // the best counts: a roof is what the machine can do, not what it did

template <class T>
struct HostFma {
  VectorView<T> results;  // keep the compiler from dropping the work
  int chains;
  std::int64_t steps;

  void operator()(std::int64_t i) const { results(i) = host_fma(chains, T(0.999), T(0.001), steps); }
};

template <class T>
struct DeviceFma {
  static constexpr int chains = 16;

  VectorView<T> results;
  std::int64_t steps;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    results(i) = fma_chains<T, chains>(T(0.999), T(0.001), steps);
  }
};

struct Copy {
  VectorView<const double> from;
  VectorView<double> to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = from(i); }
};

template <class Work>
double best_seconds(const Work& work) {
  double best = std::numeric_limits<double>::max();
  for (int attempt = 0; attempt < attempts; ++attempt) best = std::min(best, seconds_of(ExecutionSpace(), 1, work));
  return best;
}

template <class Functor>
double best_seconds(std::int64_t items, const Functor& functor) {
  const Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>> policy(0, items);
  return best_seconds([&] { Kokkos::parallel_for("Tegula::Perf::machine", policy, functor); });
}

template <class Functor>
double fma_gflops(std::int64_t items, Functor functor) {
  constexpr double enough_seconds = 1e-2;  // long beside a launch, also where threads have to wait for a core
  for (functor.steps = 1024;; functor.steps *= 4) {
    const double seconds = best_seconds(items, functor);
    const double flops   = 2.0 * functor.chains * static_cast<double>(functor.steps) * static_cast<double>(items);
    if (seconds > enough_seconds) return flops / seconds * 1e-9;
  }
}

template <class T>
double measure_peak() {
  const std::int64_t concurrency = ExecutionSpace().concurrency();
  if constexpr (runs_on_host) {
    const VectorView<T> results("fma results", concurrency);
    double best = 0;
    for (const int chains : host_fma_chains)
      best = std::max(best, fma_gflops(concurrency, HostFma<T>{results, chains, 0}));
    return best;
  } else {
    const std::int64_t items = 4 * concurrency;
    return fma_gflops(items, DeviceFma<T>{VectorView<T>("fma results", items), 0});
  }
}

// On a device 16-bit types are multiplied by matrix units, whose peak such a loop does not find.
template <class T>
constexpr bool peak_can_be_measured = runs_on_host || sizeof(T) >= sizeof(float);

// Measured by a kernel, and on a device also by its own copies. The arrays are larger on a device, so that a launch is
// short beside the copy.
double measure_bandwidth() {
  constexpr std::int64_t bytes = std::int64_t(runs_on_host ? 256 : 2048) << 20;
  constexpr std::int64_t items = bytes / static_cast<std::int64_t>(sizeof(double));
  const VectorView<double> from("copied from", items), to("copied to", items);
  double seconds = best_seconds(items, Copy{from, to});
  if (!runs_on_host) seconds = std::min(seconds, best_seconds([&] { Kokkos::deep_copy(ExecutionSpace(), to, from); }));
  return 2.0 * bytes / seconds * 1e-9;
}

}  // namespace

std::string tegula_version() { return std::string("Tegula ") + TEGULA_PERF_VERSION + ", commit " + TEGULA_PERF_COMMIT; }

std::string tegula_commit() { return TEGULA_PERF_COMMIT; }

std::string kokkos_version() {
  std::ostringstream text;
  text << KOKKOS_VERSION / 10000 << '.' << KOKKOS_VERSION / 100 % 100 << '.' << KOKKOS_VERSION % 100;
  return text.str();
}

std::optional<double> Machine::roofline_gflops(const std::string& type, double flops, double bytes) const {
  const auto peak = peak_gflops.find(type);
  if (peak == peak_gflops.end()) return std::nullopt;
  return std::min(peak->second, flops / bytes * bandwidth_gbs);
}

Machine measure_machine(const Options& options) {
  Machine machine{{}, options.bandwidth_gbs, options.peak_gflops.empty(), options.bandwidth_gbs == 0};
  for (std::size_t i = 0; i < options.types.size(); ++i) {
    const std::string& type = options.types[i];
    visit_type(type, [&](auto element) {
      using T = typename decltype(element)::type;
      if (!machine.peak_measured) {
        machine.peak_gflops[type] = options.peak_gflops[i];
      } else if constexpr (peak_can_be_measured<T>) {
        machine.peak_gflops[type] = measure_peak<accumulator_t<T>>();
      }
    });
  }
  if (machine.bandwidth_measured) machine.bandwidth_gbs = measure_bandwidth();
  return machine;
}

std::string true_type(const std::string& type) {
  return visit_type(type, [&](auto element) {
    const std::string name = ScalarTraits<typename decltype(element)::type>::name;
    const bool alias       = (type == "half" && name != "f16") || (type == "bhalf" && name != "bf16");
    return alias ? name + " (" + type + ')' : name;
  });
}

std::string describe_roofs(const Options& options, const Machine& machine) {
  std::ostringstream text;
  text << std::setprecision(3) << "peak";
  for (const std::string& type : options.types) {
    const auto peak = machine.peak_gflops.find(type);
    text << ' ' << true_type(type) << ' ';
    if (peak == machine.peak_gflops.end()) {
      text << "not known (of matrix units: --peak-gflops gives it),";
    } else {
      text << peak->second << " GFLOP/s,";
    }
  }
  text << (machine.peak_measured ? " measured" : " given") << "; copy " << machine.bandwidth_gbs << " GB/s, "
       << (machine.bandwidth_measured ? "measured" : "given");
  return text.str();
}

int threads_for_peers() { return ExecutionSpace().concurrency(); }

std::string describe_machine(const Options& options) {
  std::ostringstream text;
  text << tegula_version() << '\n'
       << ExecutionSpace::name() << ", concurrency " << ExecutionSpace().concurrency() << ", " << device_name();
  for (const auto& [key, what] : lasting_device_facts()) text << ", " << key << ' ' << what;
  text << ", Kokkos " << kokkos_version() << ", seed " << options.seed << ", timer " << clock_name(options.clock);
  if (!options.family.empty()) text << ", family " << options.family;
  if (options.tile != TileShape{}) text << ", tile " << Tegula::text(options.tile);
  text << '\n' << "built " << TEGULA_PERF_BUILD;
  return text.str();
}

}  // namespace Tegula::Perf
