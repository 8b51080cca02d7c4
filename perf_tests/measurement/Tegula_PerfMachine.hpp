// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_MACHINE_HPP
#define TEGULA_PERF_MACHINE_HPP

#include <map>
#include <optional>
#include <string>

#include "Tegula_PerfOptions.hpp"

namespace Tegula::Perf {

/// What the machine can do at best, by the roofline model (Williams, Waterman, Patterson, doi:10.1145/1498765.1498785).
struct Machine {
  std::map<std::string, double> peak_gflops;  ///< by element type as the command line names it; not of each
  double bandwidth_gbs;
  bool peak_measured, bandwidth_measured;

  /// GFLOP/s = min(peak, flops / bytes * bandwidth), where the peak is known
  std::optional<double> roofline_gflops(const std::string& type, double flops, double bytes) const;
};

/// Measures what the options do not give; about half a second.
Machine measure_machine(const Options& options);

/// The number of threads that each peer gets: as many as the execution space has.
int threads_for_peers();

/// "Tegula 1.2.0, commit 0123abc"
std::string tegula_version();

/// "0123abc"
std::string tegula_commit();

/// "5.0.2"
std::string kokkos_version();

/// The machine, the build, and the options that rows do not name, in words: three lines.
std::string describe_machine(const Options& options);

/// "peak f32 117 GFLOP/s, f64 58.5 GFLOP/s, measured; copy 11.2 GB/s, measured"
std::string describe_roofs(const Options& options, const Machine& machine);

/// The name of an element type as it really is, and if that differs from what was asked for, both: "f32 (half)".
std::string true_type(const std::string& type);

}  // namespace Tegula::Perf

#endif
