// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfOptions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <string_view>

namespace Tegula::Perf {
namespace {

constexpr const char* footer_text = R"(
Every row is one shape, element type, layout. Tegula and its peer run in this process on the same data, which stays
warm in the caches, in batches of calls of about a millisecond that alternate between the two; the execution space is
fenced around each batch. Before any timing a sample of rows of both results is checked against sums in double: a
wrong result is an error, the row is not timed, and the program exits with 1. Wrong usage exits with 2.

Columns (counters in the JSON file):
  GFLOP/s  (tegula_gflops, peer_gflops)  flops / median time of a call / 1e9
  ratio    (ratio)                       peer's median time / Tegula's median time; above 1 Tegula is faster
  roof     (roofline_percent)            100 Tegula GFLOP/s / min(peak, flops / bytes * bandwidth)
  tegula_seconds, peer_seconds           median time of a call
  tegula_error, peer_error               worst |result - reference| / (sum of |products|) of the sampled rows
With repetitions, the table shows the median over the repetitions of each counter.
  @COUNTED@
  peak       GFLOP/s of fused multiply-adds of the type that sums are formed in, from registers (measured, or
             --peak-gflops). It knows nothing of matrix units: where a kernel uses them, give their peak.
  bandwidth  GB/s of a copy, bytes read + bytes written (measured on arrays of 256 MiB, or --bandwidth-gbs). Operands
             that stay in caches can pass this roof.
The last columns name what really ran, seen through Kokkos Tools: the kernel of Tegula, and for the peer whether
KokkosBlas::gemm called a BLAS library (and which file) or its own kernel. The columns of the peer are absent if
KokkosKernels was not found when this program was built.

Flags that begin with --benchmark_ go to Google Benchmark (--benchmark_filter=REGEX, --benchmark_list_tests), flags that
begin with --kokkos- to Kokkos.)";

std::string footer(const ProgramText& program) {
  std::string text             = footer_text;
  const std::string_view place = "@COUNTED@";
  return text.replace(text.find(place), place.size(), program.counted);
}

/// What CLI11 reads, before it is understood.
struct RawOptions {
  std::int64_t m = 0, n = 0, k = 0;
  std::string shapes_file = default_shapes();
  std::vector<Layout> layouts{Layout::right};
};

void add_case_options(CLI::App& app, Options& options, RawOptions& raw) {
  auto* m = app.add_option("--m", raw.m, "Rows of C, for a single shape")->check(CLI::PositiveNumber);
  auto* n = app.add_option("--n", raw.n, "Columns of C")->check(CLI::PositiveNumber)->needs(m);
  auto* k = app.add_option("--k", raw.k, "Length of the sums")->check(CLI::PositiveNumber)->needs(n);
  m->needs(n);
  n->needs(k);
  app.add_option("--shapes", raw.shapes_file,
                 "CSV file name,m,n,k,source; or one of Tegula's: mlp.csv, transformer.csv, ...")
      ->excludes(m)
      ->capture_default_str();
  app.add_option("--types", options.types,
                 "Element types: float, double, half, bhalf (on hosts, Kokkos' half is a float)")
      ->delimiter(',')
      ->check(CLI::IsMember({"float", "double", "half", "bhalf"}))
      ->capture_default_str();
  const std::map<std::string, Layout> layouts{{"right", Layout::right}, {"left", Layout::left}};
  app.add_option("--layout", raw.layouts, "Layout of A, B and C: right or left, or three of them: right,left,right")
      ->delimiter(',')
      ->transform(CLI::CheckedTransformer(layouts))
      ->default_str("right");
  const std::map<std::string, Op> ops{{"N", Op::none}, {"T", Op::transpose}};
  app.add_option("--op-a", options.op_a, "A as it is (N) or transposed (T)")
      ->transform(CLI::CheckedTransformer(ops))
      ->default_str("N");
  app.add_option("--op-b", options.op_b, "B as it is (N) or transposed (T)")
      ->transform(CLI::CheckedTransformer(ops))
      ->default_str("N");
  app.add_option("--activation", options.activation, "Activation of the fused epilogue")
      ->check(CLI::IsMember({"identity", "relu", "leaky_relu", "tanh", "sigmoid", "silu", "gelu_tanh", "gelu_erf"}))
      ->capture_default_str();
}

void add_run_options(CLI::App& app, Options& options) {
  app.add_flag("!--no-peer", options.with_peer, "Leave out the comparison");
  app.add_option("--repetitions", options.repetitions, "Repetitions of a row")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--min-time", options.min_time, "Seconds that a repetition spends in Tegula, at least")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the random operands")->capture_default_str();
  app.add_option("--json", options.json, "Write Google Benchmark's JSON to this file");
  app.add_option("--peak-gflops", options.peak_gflops,
                 "GFLOP/s of each of --types, in their order, instead of measuring")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--bandwidth-gbs", options.bandwidth_gbs, "GB/s instead of measuring")->check(CLI::PositiveNumber);
}

/// Takes the flags that are not ours out of the command line.
std::vector<std::string> split_flags(int argc, char** argv, Options& options) {
  std::vector<std::string> own;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    auto& list             = flag.starts_with("--benchmark_") ? options.benchmark_flags
                             : flag.starts_with("--kokkos-")  ? options.kokkos_flags
                                                              : own;
    list.push_back(flag);
  }
  std::reverse(own.begin(), own.end());  // as CLI11 takes them
  return own;
}

void understand(const RawOptions& raw, Options& options) {
  if (raw.layouts.size() != 1 && raw.layouts.size() != 3)
    throw CLI::ValidationError("--layout", "one layout is expected, or three");
  for (std::size_t i = 0; i < options.layouts.size(); ++i)
    options.layouts[i] = raw.layouts[raw.layouts.size() == 1 ? 0 : i];
  if (!options.peak_gflops.empty() && options.peak_gflops.size() != options.types.size())
    throw CLI::ValidationError("--peak-gflops", "one value for each of --types is expected");
  if (raw.m > 0) {
    options.shapes = {{"shape", raw.m, raw.n, raw.k}};
  } else {
    options.shapes = read_shapes(raw.shapes_file);
  }
}

}  // namespace

std::optional<int> parse(const ProgramText& program, int argc, char** argv, Options& options) {
  CLI::App app(program.what, program.name);
  app.footer(footer(program));
  RawOptions raw;
  add_case_options(app, options, raw);
  add_run_options(app, options);
  try {
    app.parse(split_flags(argc, argv, options));
    understand(raw, options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  } catch (const std::exception& error) {
    std::cerr << program.name << ": " << error.what() << '\n';
    return exit_usage;
  }
  return std::nullopt;
}

}  // namespace Tegula::Perf
