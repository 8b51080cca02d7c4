// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfOptions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "Tegula.hpp"
#include "Tegula_PerfPeers.hpp"

namespace Tegula::Perf {
namespace {

constexpr std::string_view counted_place = "@COUNTED@";

constexpr const char* footer_text = R"(
A row is one shape and element type. Tegula and its peers run in this process on the same data, in batches of calls of
about a millisecond, in rounds of a batch each whose order rotates. Before any timing, sampled rows of every result are
checked against sums in double. If Tegula's is wrong, the row is an ERROR and is not timed; if a peer's is, or a call of
the peer fails, its columns say FAILED (in the JSON file the reason stands) and the others are timed. The reasons follow
the table, and the exit code is 1. A row that --family or --tile has no kernel for is an ERROR, too. Wrong usage exits
with 2.

On a host the data stays warm in the caches, and the execution space is fenced around each batch. On a GPU calls take
turns with several sets of operands, so many that three times the second cache lies between two uses of one (at most 256
sets), and a row is timed in each of --gpu-mode:
  rested     the GPU has done nothing for 0.4 s before each repetition: clocks at their best
  sustained  it has run the same rounds for 0.2 s: clocks as far as the power limit lets them
--timer events takes the times on the device, from an event before each call to one after it; a batch begins with a call
that is not timed. Gaps between calls count where the host is slower than the device, as small products show: a call of
a few microseconds is measured at the rate at which the host queues it.
--timer graph captures a batch in a CUDA graph, launches it twice and takes the mean of the second: what the calls take
on the device, as codes see it that put them in graphs. A peer whose calls cannot be captured has FAILED.
--timer wall is what hosts do: fences, and the mean of a batch.
A repetition ends when Tegula has been timed for --min-time, or, after three rounds, when all sides together have taken
four times that for each of them: a slow peer lets a row have fewer rounds, not more time.

--epilogue none (forward) compares products alone: C = alpha op_a(A) op_b(B) + beta C on every side, without bias,
activation and pass over memory. With a beta the results are checked after one call on a known C; for each repetition C
is put back to that, since with beta = 1 it grows with every call.
--random N draws N shapes: sides of 1 to 16384 with uniform logarithms, every second shape of multiples of 8, none above
2e11 flops or 2 GB of operands and results in double. The same --seed gives the same shapes everywhere. Unless told
otherwise, a GPU times them by graph and sustained, and a row has one repetition of 0.03 s. After the table stands how
the ratios are distributed for each type and peer: number of shapes, geometric mean, 10th and 50th percentile, worst.

Peers, as far as this build found them (--peers):
  kokkoskernels  KokkosBlas::gemm, and for the rest passes over memory, 16 bytes at a time; one pass forms dZ and dbias
  openblas       cblas_sgemm or cblas_dgemm of OpenBLAS and the same passes; on hosts, float and double
  onednn         a matmul primitive of oneDNN with bias and activation fused; on hosts, forward, float, row-major C. Its
                 weights (B) lie in the order that it asks for, into which they are brought before anything is timed
  libxsmm        the kernel that libxsmm writes for a shape, beforehand, and the same pass; on hosts, forward, float and
                 double, one thread, alpha 1, beta 0 or 1
  cublas         cublasGemmEx and the same passes; on GPUs of NVIDIA
  cublas_plain   cublasGemmEx alone: it computes less than Tegula. Forward no bias and no activation; backward dA and dB
                 from a dZ that was formed before, and no dbias
  cublaslt       cublasLtMatmul, with the fastest of up to 64 algorithms that its heuristic offers, found by timing.
                 Forward bias and identity, relu or gelu_tanh as its epilogue, row-major C; backward the faster of two:
                 a pass for dZ, then dB with dbias as its epilogue, then dA; or a pass for dZ and dbias, then dB and dA.
                 Its epilogues of a derivative apply to the result of a product, which is the layer before: not this call
The heading names their libraries and how many threads each has: as many as the execution space. OpenBLAS chooses its
kernels by the core that the heading names; for a processor that it does not know, the variable OPENBLAS_CORETYPE does.

The table shows (medians over all rounds of all repetitions):
  type     of operands; where results, or gradients of parameters, have another, that stands behind >
  layout   of A, B, C: R right, L left
  op       of A, B: N as they are, T transposed
  GFLOP/s  flops / median time of a call / 1e9
  roof     100 * Tegula's GFLOP/s / min(peak, flops / bytes * bandwidth)
  GB/s     bytes / median time of a call / 1e9
  copy     100 * Tegula's GB/s / bandwidth
  ratio    median of (time of the peer / time of Tegula in the same round); above 1 Tegula is faster. A second decimal is
           shown if the middle half of the ratios spans less than 0.02
where
  @COUNTED@
  peak       GFLOP/s of multiply-adds in registers, in the type that sums are formed in (measured, or --peak-gflops).
             It knows nothing of matrix units: where a kernel uses them, give their peak. For 16-bit types on a GPU
             none is measured, and the column stays empty.
  bandwidth  GB/s of a copy, bytes read + bytes written (measured on arrays of 256 MiB, of 2 GiB on a GPU, or
             --bandwidth-gbs). Operands that stay in caches can pass this roof.

The last columns name what really ran: the kernel of Tegula, and whether KokkosBlas::gemm called a BLAS library (with its
file) or ran a kernel of its own, both as Kokkos Tools saw it; the function of OpenBLAS and its file; the implementation
that oneDNN chose; the function of cuBLAS or cuBLASLt, its epilogue, and what it computes in. A peer that does not take a
case says so there.

--json FILE has the same figures, the quartiles of times and ratios, what really ran in full, the errors that the check
found (the worst |result - reference| / sum of |products|), and where they come from: version and commit, command line,
versions of the libraries, device, driver, clocks and power limit. It is written anew after each row.

Flags that begin with --benchmark_ go to Google Benchmark (--benchmark_filter=REGEX, --benchmark_list_tests; times and
repetitions are set here), flags that begin with --kokkos- to Kokkos.
)";

std::string footer(const ProgramText& program) {
  std::string text = footer_text;
  return text.replace(text.find(counted_place), counted_place.size(), program.counted) + rank_help;
}

/// The command line as text, before it is understood.
struct RawOptions {
  std::int64_t m = 0, n = 0, k = 0;
  std::string shapes_file = default_shapes();
  std::vector<std::string> layouts{"right"};
  std::string op_a = "N", op_b = "N";
  std::string compute = "native";
  std::string tile;
  std::vector<std::string> gpu_modes;
  std::string timer;
  std::string epilogue = "bias";
  bool no_peer         = false;
};

struct NamedLoad {
  const char* name;
  Load load;
};
constexpr std::array gpu_modes{NamedLoad{"rested", Load::rested}, NamedLoad{"sustained", Load::sustained}};

void add_shape_options(CLI::App& app, Options& options, RawOptions& raw) {
  auto* m = app.add_option("--m", raw.m, "Rows of C, for a single shape")->check(CLI::PositiveNumber);
  auto* n = app.add_option("--n", raw.n, "Columns of C")->check(CLI::PositiveNumber)->needs(m);
  auto* k = app.add_option("--k", raw.k, "Length of the sums")->check(CLI::PositiveNumber)->needs(n);
  m->needs(n);
  n->needs(k);
  app.add_option("--shapes", raw.shapes_file,
                 "CSV file of lines name,m,n,k,source below that heading, or one that comes with Tegula: mlp.csv, "
                 "transformer.csv, surrogates.csv, cubes.csv, small.csv, gemv.csv, gpu.csv, gpu-backward.csv, "
                 "kokkos-kernels.csv, simulation.csv, epilogues.csv, node.csv")
      ->excludes(m)
      ->default_str("mlp.csv");
  app.add_option("--random", options.random_shapes, "So many shapes drawn at random from --seed")
      ->excludes(m)
      ->excludes("--shapes")
      ->check(CLI::Range(1, 9999));
}

std::vector<std::string> compute_names() {
  std::vector<std::string> names;
  for (const NamedCompute& compute : computes) names.emplace_back(compute.name);
  return names;
}

/// A type of results that may differ from that of operands.
void add_result_option(CLI::App& app, const std::string& name, const std::string& what, Options& options) {
  app.add_option(name, options.result, what + "; peers without such products are absent")
      ->check(CLI::IsMember({"float"}))
      ->default_str("that of the operands");
}

/// Of the forward pass alone.
void add_epilogue_options(CLI::App& app, Options& options, RawOptions& raw) {
  app.add_option("--epilogue", raw.epilogue, "What follows the product: bias and activation, or none")
      ->check(CLI::IsMember({"none", "bias"}))
      ->capture_default_str();
  app.add_flag("--packed", options.packed,
               "Packs Tegula's B before any call, as onednn's weights are, which is not timed");
  app.add_flag(
      "--saved", options.saved,
      "Stores what the backward pass needs beside C, too: the argument of silu, gelu_tanh and gelu_erf; cublaslt "
      "has epilogues for that of gelu_tanh and for a bit an element of relu. Other peers that would have to "
      "store more are absent");
  add_result_option(app, "--result", "Type of C and the bias", options);
  app.add_option("--alpha", options.scaling.alpha, "Factor of the product")->capture_default_str();
  app.add_option("--beta", options.scaling.beta,
                 "Factor of the C before the call; at most 1, since C grows with every call")
      ->check(CLI::Range(-1.0, 1.0))
      ->capture_default_str();
}

/// Of the backward pass alone.
void add_gradient_options(CLI::App& app, Options& options) {
  add_result_option(app, "--gradients",
                    "Type of the gradients of weights and biases, dB and dbias, as a program has them that keeps its "
                    "weights in float, too; dA has that of the operands",
                    options);
  app.add_option(
         "--below", options.below,
         "Activation of the layer below, whose output is A: dA act'(A) is asked for in the place of dA, and the "
         "sums of its columns; peers form them in a pass behind their products")
      ->check(CLI::IsMember({"relu"}));
}

void add_case_options(CLI::App& app, Options& options, RawOptions& raw) {
  app.add_option("--types", options.types, "Element types; without a device, Kokkos' 16-bit types are float")
      ->delimiter(',')
      ->check(CLI::IsMember({"float", "double", "half", "bhalf"}))
      ->capture_default_str();
  app.add_option("--layout", raw.layouts, "Layout of A, B and C: one for all, or three: right,left,right")
      ->delimiter(',')
      ->check(CLI::IsMember({"right", "left"}))
      ->capture_default_str();
  app.add_option("--op-a", raw.op_a, "A as it is (N) or transposed (T)")
      ->check(CLI::IsMember({"N", "T"}))
      ->capture_default_str();
  app.add_option("--op-b", raw.op_b, "B as it is (N) or transposed (T)")
      ->check(CLI::IsMember({"N", "T"}))
      ->capture_default_str();
  app.add_option("--activation", options.activation, "Activation of the layer")
      ->check(CLI::IsMember({"identity", "relu", "leaky_relu", "tanh", "sigmoid", "silu", "gelu_tanh", "gelu_erf"}))
      ->capture_default_str();
  app.add_option("--compute", raw.compute,
                 "How products of float may be formed, on either side: tf32 lets matrix units round their factors, "
                 "fp32_split lets them multiply 16-bit parts of the factors. A side that cannot does it natively")
      ->check(CLI::IsMember(compute_names()))
      ->capture_default_str();
}

void add_plan_options(CLI::App& app, Options& options, RawOptions& raw) {
  app.add_option("--family", options.family, "Family of Tegula's kernels")
      ->check(CLI::IsMember(Tegula::Impl::family_names()))
      ->default_str("the planner chooses");
  app.add_option("--tile", raw.tile, "Tile MxNxK of Tegula's kernels, one that the family has")
      ->default_str("the planner chooses");
}

void add_peer_options(CLI::App& app, Options& options, RawOptions& raw) {
  auto* peers = app.add_option("--peers", options.peers, "Whom to compare with; here: " + listed(options.peers))
                    ->delimiter(',')
                    ->default_str("all of them");
  app.add_flag("--no-peer", raw.no_peer, "Leave out the comparison")->excludes(peers);
}

void add_run_options(CLI::App& app, Options& options, RawOptions& raw) {
  app.add_option("--gpu-mode", raw.gpu_modes, "What a GPU does before each repetition")
      ->delimiter(',')
      ->check(CLI::IsMember({"rested", "sustained"}))
      ->default_str("rested,sustained");
  app.add_option("--timer", raw.timer, "Events of the device around each call or a graph, or the wall clock")
      ->check(CLI::IsMember({"events", "graph", "wall"}))
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Repetitions of a row")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--min-time", options.min_time, "Seconds that a repetition spends in Tegula, at least")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the random operands, and of --random")->capture_default_str();
  app.add_option("--json", options.json, "Write the figures to this file");
  app.add_option("--peak-gflops", options.peak_gflops,
                 "GFLOP/s of each of --types, in their order, instead of measuring")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--bandwidth-gbs", options.bandwidth_gbs, "GB/s instead of measuring")->check(CLI::PositiveNumber);
}

/// Takes the flags of Google Benchmark and Kokkos out of the command line.
std::vector<std::string> own_flags(int argc, char** argv, Options& options) {
  std::vector<std::string> own;
  for (const std::string flag : std::span(argv + 1, argv + argc)) {
    if (flag.starts_with("--benchmark_")) {
      options.benchmark_flags.push_back(flag);
    } else if (flag.starts_with("--kokkos-")) {
      options.kokkos_flags.push_back(flag);
    } else {
      own.push_back(flag);
    }
  }
  std::reverse(own.begin(), own.end());  // as CLI11 takes them
  return own;
}

Op op_of(const std::string& letter) { return letter == "N" ? Op::none : Op::transpose; }

// A text that is not MxNxK to the letter does not read back as it was written. All zeros would be no choice.
TileShape tile_of(const std::string& words) {
  if (words.empty()) return {};
  TileShape tile;
  char by = 'x';
  std::istringstream(words) >> tile.m >> by >> tile.n >> by >> tile.k;
  if (text(tile) != words || tile == TileShape{})
    throw std::invalid_argument("--tile: \"" + words + "\" is not MxNxK, as in 128x128x32");
  return tile;
}

std::vector<Load> loads_of(const std::vector<std::string>& modes) {
  if (runs_on_host && !modes.empty()) throw std::invalid_argument("--gpu-mode needs a build for a GPU");
  if (runs_on_host) return {Load::none};
  std::vector<Load> loads;
  for (const auto& [name, load] : gpu_modes)
    if (modes.empty() || std::find(modes.begin(), modes.end(), name) != modes.end()) loads.push_back(load);
  return loads;
}

// For a plain product cublas_plain is cublas once more.
void without_epilogue(Options& options) {
  options.epilogue   = EpilogueKind::none;
  options.activation = "identity";
  std::erase(options.peers, "cublas_plain");
}

/// What --random does where it is not told otherwise: many rows, each short.
void set_random_defaults(const CLI::App& app, Options& options, RawOptions& raw) {
  if (app.count("--random") == 0) return;
  if (app.count("--min-time") == 0) options.min_time = 0.03;
  if (app.count("--repetitions") == 0) options.repetitions = 1;
  if (has_events && app.count("--timer") == 0) raw.timer = clock_name(Clock::graph);
  if (has_events && app.count("--gpu-mode") == 0) raw.gpu_modes = {"sustained"};
}

std::string command_line(const ProgramText& program, int argc, char** argv) {
  std::string line = program.name;
  for (const std::string argument : std::span(argv + 1, argv + argc))
    line += argument.find(' ') == std::string::npos ? ' ' + argument : " '" + argument + "'";
  return line;
}

/// Products of double have results in double.
void check_result(const ProgramText& program, const Options& options) {
  if (options.result.empty() || std::find(options.types.begin(), options.types.end(), "double") == options.types.end())
    return;
  const std::string option = program.forward ? "--result " : "--gradients ";
  throw std::invalid_argument(option + options.result + ": Tegula has no products of double with results in " +
                              options.result + "; --types names others, such as bhalf");
}

void understand(const ProgramText& program, const RawOptions& raw, Options& options) {
  check_result(program, options);
  if (raw.no_peer) options.peers.clear();
  check_peers(options.peers, program.forward);
  const std::size_t layouts = raw.layouts.size();
  if (layouts != 1 && layouts != 3) throw std::invalid_argument("--layout takes one layout, or three");
  for (std::size_t i = 0; i < options.layouts.size(); ++i)
    options.layouts[i] = raw.layouts[layouts == 1 ? 0 : i] == "right" ? Layout::right : Layout::left;
  for (const auto& [name, compute] : computes)
    if (raw.compute == name) options.compute = compute;
  if (!program.forward) options.epilogue = EpilogueKind::backward;
  if (raw.epilogue == "none") without_epilogue(options);
  options.tile  = tile_of(raw.tile);
  options.loads = loads_of(raw.gpu_modes);
  for (const Clock clock : {Clock::wall, Clock::events, Clock::graph})
    if (raw.timer == clock_name(clock)) options.clock = clock;
  make_timer(options.clock);  // throws if there is none
  options.op_a = op_of(raw.op_a);
  options.op_b = op_of(raw.op_b);
  if (!options.peak_gflops.empty() && options.peak_gflops.size() != options.types.size())
    throw std::invalid_argument("--peak-gflops takes one value for each of --types");
  if (!options.json.empty() && !std::ofstream(options.json, std::ios::app))
    throw std::invalid_argument("--json: cannot write " + options.json);
  if (options.random_shapes > 0) {
    options.shapes = random_shapes(options.random_shapes, options.seed);
  } else if (raw.m > 0) {
    options.shapes = {{"shape", raw.m, raw.n, raw.k}};
  } else {
    options.shapes = read_shapes(raw.shapes_file);
  }
}

}  // namespace

std::vector<CaseSpec> cases_of(const Options& options) {
  std::vector<CaseSpec> specs;
  for (const Shape& shape : options.shapes) {
    for (const std::string& type : options.types) {
      const std::string result = options.result == type ? "" : options.result;
      specs.push_back({shape, type, options.layouts, options.op_a, options.op_b, options.epilogue, options.activation,
                       options.scaling, options.compute, options.family, options.tile, options.seed, options.peers,
                       options.below, options.packed, options.saved, result});
    }
  }
  return specs;
}

std::optional<int> parse(const ProgramText& program, int argc, char** argv, Options& options) {
  CLI::App app(program.what, program.name);
  app.footer(footer(program));
  RawOptions raw;
  raw.timer     = clock_name(options.clock);
  options.peers = available_peers(program.forward);
  add_shape_options(app, options, raw);
  add_case_options(app, options, raw);
  add_plan_options(app, options, raw);
  add_peer_options(app, options, raw);
  add_run_options(app, options, raw);
  add_rank_options(app, options.ranks);
  if (program.forward) {
    add_epilogue_options(app, options, raw);
  } else {
    add_gradient_options(app, options);
  }
  options.command_line = command_line(program, argc, argv);
  try {
    app.parse(own_flags(argc, argv, options));
    for (const char* option : {"--activation", "--saved"})
      if (raw.epilogue == "none" && app.get_option_no_throw(option) != nullptr && app.count(option) > 0)
        throw std::invalid_argument(std::string("--epilogue none leaves no place for ") + option);
    check_rank_options(app, options.ranks, options.benchmark_flags, options.kokkos_flags);
    set_random_defaults(app, options, raw);
    understand(program, raw, options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  } catch (const std::exception& error) {
    std::cerr << program.name << ": " << error.what() << '\n';
    return exit_usage;
  }
  return std::nullopt;
}

}  // namespace Tegula::Perf
