// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_calibrate: the record of the machine at hand, by which Tegula can plan in place of the library's.

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "Tegula_PerfMachine.hpp"
#include "Tegula_PerfMain.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Tegula_CallClock.hpp"
#include "cuda/Tegula_CudaDevice.hpp"
#include "cuda/Tegula_CudaRecord.hpp"
#else
#include "Tegula_CalibrateHost.hpp"
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
  const CallSets<T, T> sets(call, 1, 1);
  const Way way = chosen_way(planned_call(call), Impl::cuda_machine(ExecutionSpace()));
  const Workspace<ExecutionSpace> workspace("workspace", sets.workspace_bytes(way));
  const auto run = [&](std::size_t set) { sets.run(set, way, workspace); };
  return double(side) * side * side / clock.time(1, run, std::numeric_limits<double>::infinity()).seconds;
}

/// What CUDA says of the device and what is measured on it. Multiply-adds of a multiprocessor are the architecture's.
Impl::CudaRates measured_record(CallClock& clock) {
  const Impl::CudaDevice& device = Impl::cuda_device(ExecutionSpace());
  Impl::CudaRates record         = Impl::cuda_rates(device.capability, device.name);
  record.source                  = "measured, " + tegula_version() + "; multiply-adds as in the record " + record.name;
  record.capability              = device.capability;
  record.name                    = device.name;
  record.multiprocessors         = device.multiprocessors;
  record.team_scratch            = static_cast<int>(device.opt_in_scratch);
  record.clock                   = attribute(cudaDevAttrClockRate) * 1e3;
  record.memory                  = memory_rate(clock);
  record.cache                   = cache_rate(clock);
  record.kernel                  = launch_seconds(clock);
  return record;
}

void write_record(std::ostream& out) {
  CallClock clock;
  const Impl::CudaRates record = measured_record(clock);
  out << "# " << device_name() << ", Kokkos " << kokkos_version() << '\n' << Impl::text(record) << std::setprecision(3);
  // What says whether the architecture's multiply-adds are true.
  const auto compare = [&](const char* what, double rate, double units) {
    const double most = units * record.clock * record.multiprocessors;
    out << "# " << what << " of 8192 a side: " << rate << " multiply-adds a second, " << rate / most
        << " of the record's\n"
        << std::flush;
  };
  const double half = std::max(record.wgmma_half, record.mma_half);
  compare("a product in 16 bits", multiply_add_rate<bhalf_t>(clock, Compute::native), half);
  compare("a product in float", multiply_add_rate<float>(clock, Compute::native), record.fma_float);
  compare("a product in double", multiply_add_rate<double>(clock, Compute::native), record.mma_double);
  if (record.wgmma_tf32 > 0)
    compare("a product in TF32", multiply_add_rate<float>(clock, Compute::tf32), record.wgmma_tf32);
}

#else

void write_record(std::ostream& out) {
  out << "# " << device_name() << ", Kokkos " << kokkos_version() << '\n' << Impl::text(measured_host_record());
}

#endif

int run(int argc, char** argv) {
  CLI::App app(
      "Measures what Tegula must know of the speed of a GPU of NVIDIA, or of a host, and writes the record by which "
      "TEGULA_MACHINE=FILE makes it plan");
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
