// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_calibrate: what the GPU at hand can do, as far as Tegula's planner reckons with it, in SI units.

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "Tegula_PerfMachine.hpp"
#include "Tegula_PerfMain.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Tegula_CallClock.hpp"
#endif

namespace Tegula::Perf {
namespace {

#ifdef KOKKOS_ENABLE_CUDA

int attribute(cudaDeviceAttr what) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, what, ExecutionSpace().cuda_device()), "cudaDeviceGetAttribute");
  return value;
}

/// The widest access of a thread.
struct alignas(16) Pair {
  double first, second;
};
using Pairs = Kokkos::View<Pair*, ExecutionSpace>;

struct Nothing {
  KOKKOS_FUNCTION void operator()(std::int64_t) const {}
};

struct CopyPairs {
  Pairs from, to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = from(i); }
};

/// Reads an array of 2^n pairs again and again; no thread comes back to a place before others have been everywhere.
struct ReadPairs {
  Pairs pairs;
  std::int64_t threads, steps, mask;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double sum = 0;
    for (std::int64_t step = 0; step < steps; ++step) {
      const Pair& pair = pairs((i + step * threads) & mask);
      sum += pair.first + pair.second;
    }
    if (sum != 0) pairs(0).first = sum;  // it is 0, which compilers cannot know
  }
};

/// Seconds of a kernel in a graph of copies of it.
template <class Functor>
double kernel_seconds(CallClock& clock, int copies, std::int64_t items, const Functor& functor) {
  constexpr int launches = 5;
  const auto run         = [&](int) {
    Kokkos::parallel_for("Tegula::Perf::calibrate",
                                 Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(0, items), functor);
  };
  run(0);  // loads the kernel
  return clock.graph_seconds(copies, launches, run);
}

/// Read and written.
double memory_rate(CallClock& clock) {
  constexpr std::int64_t pairs = std::int64_t(1) << 26;
  const Pairs from("from", pairs), to("to", pairs);
  return 2.0 * pairs * sizeof(Pair) / kernel_seconds(clock, 4, pairs, CopyPairs{from, to});
}

/// Read out of the second cache, a quarter of it.
double cache_rate(CallClock& clock) {
  std::int64_t pairs = 1;
  while (8 * pairs * static_cast<std::int64_t>(sizeof(Pair)) <= attribute(cudaDevAttrL2CacheSize)) pairs *= 2;
  const std::int64_t threads =
      std::int64_t(attribute(cudaDevAttrMultiProcessorCount)) * attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  constexpr std::int64_t steps = 1024;
  const double seconds = kernel_seconds(clock, 1, threads, ReadPairs{Pairs("read", pairs), threads, steps, pairs - 1});
  return static_cast<double>(threads * steps) * sizeof(Pair) / seconds;
}

double launch_seconds(CallClock& clock) { return kernel_seconds(clock, 200, 1, Nothing()); }

/// Multiply-adds a second of the kernels that the planner takes for a large product.
template <class T>
double multiply_add_rate(CallClock& clock, Compute compute) {
  constexpr std::int64_t side = 8192;
  const GemmCall call{ScalarTraits<T>::name, compute, Op::none, Op::none, {side, side, side},
                      {side, side, side},    0,       false};
  const CallSets<T> sets(call, 1, 1);
  const Way way = chosen_way(planned_call(call), Impl::cuda_machine(ExecutionSpace()));
  const Workspace<ExecutionSpace> workspace("workspace", sets.workspace_bytes(way));
  const auto run = [&](std::size_t set) { sets.run(set, way, workspace); };
  return double(side) * side * side / clock.time(1, run, std::numeric_limits<double>::infinity()).seconds;
}

void write_record(std::ostream& out) {
  CallClock clock;
  const auto write = [&](const char* key, const auto& value, const char* source) {
    out << key << " = " << value << "  # " << source << '\n' << std::flush;
  };
  constexpr const char *of_device = "CUDA says so", *of_product = "product of 8192 a side";
  out << std::setprecision(4) << "# " << tegula_version() << ", Kokkos " << kokkos_version() << ", " << device_name()
      << '\n';
  write("name", ExecutionSpace().cuda_device_prop().name, of_device);
  write("multiprocessors", attribute(cudaDevAttrMultiProcessorCount), of_device);
  write("clock_hz", attribute(cudaDevAttrClockRate) * 1e3, of_device);
  write("team_scratch_bytes", attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), of_device);
  write("multiprocessor_scratch_bytes", attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor), of_device);
  write("cache_bytes", attribute(cudaDevAttrL2CacheSize), of_device);
  write("memory_bytes_per_second", memory_rate(clock), "copy of 1 GiB, both directions");
  write("cache_bytes_per_second", cache_rate(clock), "reads of an eighth to a quarter of the second cache");
  write("launch_seconds", launch_seconds(clock), "a kernel of one thread in a CUDA graph of 200");
  write("half_multiply_adds_per_second", multiply_add_rate<bhalf_t>(clock, Compute::native), of_product);
  write("float_multiply_adds_per_second", multiply_add_rate<float>(clock, Compute::native), of_product);
  write("double_multiply_adds_per_second", multiply_add_rate<double>(clock, Compute::native), of_product);
  write("tf32_multiply_adds_per_second", multiply_add_rate<float>(clock, Compute::tf32), of_product);
}

#else

void write_record(std::ostream&) { throw std::invalid_argument("a Kokkos with CUDA is needed"); }

#endif

int run(int argc, char** argv) {
  CLI::App app("Measures what the planner must know of a GPU of NVIDIA, and writes it as lines of \"key = value\"");
  std::string file;
  app.add_option("--file", file, "What is written; by default the output");
  CLI11_PARSE(app, argc, argv);
  if (file.empty()) {
    write_record(std::cout);
    return 0;
  }
  std::ofstream out(file);
  write_record(out);
  if (!out) throw std::runtime_error("cannot write " + file);
  return 0;
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) { return Tegula::Perf::run_main("tegula_calibrate", Tegula::Perf::run, argc, argv); }
