// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_times: the device time of every way in which Tegula can compute each of many calls of gemm, to which models of
// its planner are fitted and by which they are judged.

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "Tegula_PerfMachine.hpp"
#include "Tegula_PerfMain.hpp"
#include "Tegula_PerfShapes.hpp"
#include "Tegula_PerfTimes.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "Tegula_CallClock.hpp"
#endif

namespace Tegula::Perf {
namespace {

/// What is measured: float has two more ways to form products, with a quarter of the calls that are drawn each.
struct Measured {
  const char* name;
  const char* type;
  Compute compute;
  int part;  // one call of so many
};
constexpr std::array measured{Measured{"bf16", "bf16", Compute::native, 1}, Measured{"f32", "f32", Compute::native, 1},
                              Measured{"f64", "f64", Compute::native, 1}, Measured{"tf32", "f32", Compute::tf32, 4},
                              Measured{"fp32_split", "f32", Compute::fp32_split, 4}};

struct TimesOptions {
  int calls          = 100;
  std::uint64_t seed = 1;
  std::string sides  = "any";
  std::string shapes = "";
  std::vector<std::string> types{"bf16", "f32", "f64", "tf32", "fp32_split"};
  std::vector<std::string> ops{"NN", "NT", "TN", "TT"};
  std::string result     = "";
  std::string activation = "";
  bool stores_Z = false, adds = false;
  double seconds    = 1e9;
  std::string again = "";
  std::vector<std::string> families{}, tiles{};
  std::string file    = "";
  bool is_listed_only = false;

  bool has_type(const Measured& kind) const { return std::find(types.begin(), types.end(), kind.name) != types.end(); }
  bool is_asked(const Way& way) const {
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
      return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
    };
    return has(families, way.family) && has(tiles, Tegula::text(way.tile));
  }
};

const std::map<std::string, Sides> sides_names{
    {"any", Sides::any}, {"large", Sides::large}, {"long", Sides::with_a_long_one}, {"narrow", Sides::narrow}};

/// With the type of results and the epilogue that are asked for, if they are, in place of what was drawn.
CallTimes as_asked(GemmCall call, bool is_held, const TimesOptions& options) {
  if (!options.activation.empty()) {
    call.has_layer  = true;
    call.activation = options.activation;
    call.stores_Z   = options.stores_Z;
  }
  if (options.adds) call.beta = 1;
  call.result = options.result;
  return {call, is_held, {}};
}

/// Types take turns, so that a run that is stopped early has calls of each. Of four calls in a row, which have one
/// pair of operations each, all are to fit or all are held.
std::vector<CallTimes> drawn_calls(const TimesOptions& options) {
  std::array<std::vector<GemmCall>, measured.size()> calls;
  for (std::size_t d = 0; d < measured.size(); ++d)
    calls[d] =
        draw_calls(measured[d].type, measured[d].compute, (options.calls + measured[d].part - 1) / measured[d].part,
                   options.seed * measured.size() + d, sides_names.at(options.sides));
  std::vector<CallTimes> all;
  for (int turn = 0; turn < options.calls; ++turn) {
    for (std::size_t d = 0; d < measured.size(); ++d) {
      if (turn % measured[d].part != 0 || !options.has_type(measured[d])) continue;
      const int number = turn / measured[d].part;
      all.push_back(as_asked(calls[d][static_cast<std::size_t>(number)], number / 4 % 2 == 1, options));
    }
  }
  return all;
}

/// Products of matrices without gaps. All of them are to fit, since what has a name must not get slower.
std::vector<CallTimes> named_calls(const TimesOptions& options) {
  std::vector<CallTimes> all;
  for (const Shape& shape : read_shapes(options.shapes)) {
    for (const std::string& ops : options.ops) {
      for (const Measured& kind : measured) {
        if (!options.has_type(kind)) continue;
        GemmCall call = gemm_call_of(
            {"gemm", kind.type, ops, std::to_string(shape.m), std::to_string(shape.n), std::to_string(shape.k)});
        call.compute = kind.compute;
        all.push_back(as_asked(call, false, options));
      }
    }
  }
  return all;
}

/// The calls of a file of times, with the times of the ways that are not measured again.
std::vector<CallTimes> calls_again(const TimesOptions& options) {
  std::vector<CallTimes> all = read_times(options.again);
  for (CallTimes& times : all)
    std::erase_if(times.ways, [&](const WayTime& time) { return options.is_asked(time.way); });
  return all;
}

std::vector<CallTimes> all_calls(const TimesOptions& options) {
  if (!options.again.empty()) return calls_again(options);
  return options.shapes.empty() ? drawn_calls(options) : named_calls(options);
}

#ifdef KOKKOS_ENABLE_CUDA

/// The ways of a family, and of a tile, one behind the other, whichever was measured first.
void sort(std::vector<WayTime>& ways) {
  const auto key = [](const WayTime& time) {
    const auto& [m, n, k] = time.way.tile;
    return std::tuple(time.way.family, m, n, k, time.way.whole_waves, time.way.split_k);
  };
  std::sort(ways.begin(), ways.end(), [&](const WayTime& a, const WayTime& b) { return key(a) < key(b); });
}

/// What the file of --again says of itself. Throws std::runtime_error if its times are of another card.
std::string head_of_again(const TimesOptions& options) {
  std::ifstream lines(options.again);
  std::string head;
  for (std::string line; std::getline(lines, line) && line.rfind('#', 0) == 0;) head += line + '\n';
  std::istringstream again(head);
  const auto card = card_of(again);
  if (card && device_name().rfind(card->name + " (", 0) != 0)
    throw std::runtime_error(options.again + ": these times are of a " + card->name + ", this is a " + device_name());
  return head;
}

std::string what_is_measured(const TimesOptions& options) {
  if (!options.again.empty()) return "the same calls again";
  if (!options.shapes.empty()) return "shapes " + options.shapes;
  return "seed " + std::to_string(options.seed) + ", sides " + options.sides;
}

std::string head_of(const TimesOptions& options) {
  std::ostringstream head;
  if (options.again.empty())
    head << "# Microseconds on the device, in CUDA graphs with cold caches, of all ways to compute calls of gemm\n";
  else
    head << head_of_again(options);
  head << "# " << tegula_version() << ", Kokkos " << kokkos_version() << ", " << what_is_measured(options);
  for (const auto& names : {options.families, options.tiles})
    for (const std::string& name : names) head << ", " << name;
  head << "\n# " << device_name();
  for (const auto& facts : {lasting_device_facts(), momentary_device_facts()})
    for (const auto& [key, what] : facts) head << ", " << key << ' ' << what;
  return head.str() + '\n';
}

/// Measures all ways of calls of operands of T with results of R.
template <class T, class R = T>
void measure(CallTimes& times, const TimesOptions& options, const Impl::CudaMachine& machine, CallClock& clock) {
  const Impl::Call call = planned_call(times.call);
  const CallSets<T, R> sets(times.call, clock.effort().most_copies, 1);
  double best = std::numeric_limits<double>::infinity();
  for (const WayTime& time : times.ways) best = std::min(best, time.microseconds / 1e6);
  Workspace<ExecutionSpace> workspace;
  for (const Way& way : ways_of(call, machine)) {  // the planner's own first, so that slow ones are known as such
    if (!options.is_asked(way)) continue;
    try {
      if (const std::size_t bytes = sets.workspace_bytes(way); bytes > workspace.extent(0))
        workspace = Workspace<ExecutionSpace>(Kokkos::view_alloc("workspace", Kokkos::WithoutInitializing), bytes);
      const auto [seconds, is_rough] = clock.time(
          sets.sets(), [&](std::size_t set) { sets.run(set, way, workspace); }, best);
      best = std::min(best, seconds);
      times.ways.push_back({way, seconds * 1e6, is_rough});
    } catch (const std::invalid_argument& error) {
      std::cerr << text(times.call) << ": left out " << text(way) << ": " << error.what() << '\n';
    }
  }
  sort(times.ways);
}

void measure(CallTimes& times, const TimesOptions& options, const Impl::CudaMachine& machine, CallClock& clock) {
  const bool is_widened = !times.call.result.empty();
  switch (element_named(times.call.type)) {
    case Impl::Element::f64:
      return measure<double>(times, options, machine, clock);
    case Impl::Element::f32:
      return measure<float>(times, options, machine, clock);
    case Impl::Element::f16:
      return is_widened ? measure<half_t, float>(times, options, machine, clock)
                        : measure<half_t>(times, options, machine, clock);
    default:
      return is_widened ? measure<bhalf_t, float>(times, options, machine, clock)
                        : measure<bhalf_t>(times, options, machine, clock);
  }
}

int measure_all(const TimesOptions& options) {
  const auto start   = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const Impl::CudaMachine machine = Impl::cuda_machine(ExecutionSpace());
  std::vector<CallTimes> calls    = all_calls(options);
  const std::string head          = head_of(options);
  // The file that was read, which this may replace, is whole until this one is.
  const std::string written = options.again.empty() ? options.file : options.file + ".part";
  std::ofstream out(written);
  out << head << std::flush;
  CallClock clock;
  std::size_t done = 0, ways = 0;
  for (CallTimes& times : calls) {
    if (elapsed() > options.seconds) break;
    measure(times, options, machine, clock);
    out << text(times) << '\n' << std::flush;
    ways += times.ways.size();
    if (++done % 10 == 0)
      std::cerr << done << " of " << calls.size() << " calls, " << ways << " ways, " << elapsed() << " s\n";
  }
  std::cerr << done << " of " << calls.size() << " calls, " << ways << " ways, " << elapsed() << " s\n";
  out.close();
  if (!out) throw std::runtime_error("cannot write " + written);
  if (written != options.file) std::filesystem::rename(written, options.file);
  return 0;
}

#else

int measure_all(const TimesOptions&) { throw std::invalid_argument("a Kokkos with CUDA is needed, but for --list"); }

#endif

/// Every call with its ways, without times.
int list_all(const TimesOptions& options) {
  std::size_t ways = 0;
  for (const CallTimes& times : all_calls(options)) {
    std::cout << text(times.call) << (times.is_held ? " held" : " fit");
    for (const Way& way : ways_of(planned_call(times.call), h200())) {
      if (!options.is_asked(way)) continue;
      std::cout << " | " << text(way);
      ++ways;
    }
    std::cout << '\n';
  }
  std::cout << "# " << ways << " ways\n";
  return 0;
}

/// Of what is measured, only 16 bits have results of another type.
void check_result(const TimesOptions& options) {
  for (const Measured& kind : measured)
    if (options.has_type(kind) && !has_float_results(kind.type))
      throw std::invalid_argument(std::string("--result: Tegula has no products of ") + kind.name +
                                  " with results of another type; bf16 has some");
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures every way in which Tegula can compute calls of gemm on a GPU of NVIDIA: each kernel family "
      "with each of its tiles and cuts of the inner dimension, in CUDA graphs with cold caches");
  TimesOptions options;
  app.add_option("--calls", options.calls, "Calls of each type; of float with tf32 and fp32_split a quarter")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the calls that are drawn")->capture_default_str();
  app.add_option("--sides", options.sides,
                 "any: 1 to 16384; large: 512 to 16384; long: one up to 4194304, two small; narrow: m or n up to 64")
      ->check(CLI::IsMember(sides_names))
      ->capture_default_str();
  app.add_option("--shapes", options.shapes,
                 "A file of named shapes, as tegula_gemm_perf reads it, in place of what is drawn")
      ->excludes("--calls")
      ->excludes("--seed")
      ->excludes("--sides");
  app.add_option("--types", options.types, "What is measured of it; tf32 and fp32_split are of float")
      ->delimiter(',')
      ->check(CLI::IsMember(options.types))
      ->capture_default_str();
  app.add_option("--result", options.result,
                 "Type of C, Z and the bias of bf16, which alone is measured then: float, or f32")
      ->transform(CLI::CheckedTransformer(std::map<std::string, std::string>{{"float", "f32"}}))
      ->default_str("that of the operands");
  app.add_option("--ops", options.ops, "Of named shapes: A and B as they are (N) or transposed (T)")
      ->delimiter(',')
      ->needs("--shapes")
      ->check(CLI::IsMember(options.ops))
      ->capture_default_str();
  app.add_option("--activation", options.activation, "Of all calls, which then have a bias, in place of what is drawn")
      ->check(
          CLI::Validator([](std::string& name) { return is_activation_of_layers(name) ? "" : "no activation " + name; },
                         "ACTIVATION"));
  app.add_flag("--saved", options.stores_Z, "Store the argument of the activation, too")->needs("--activation");
  app.add_flag("--beta", options.adds, "Add C to all products, in place of what is drawn");
  app.add_option("--seconds", options.seconds, "After which no further call is begun")->check(CLI::PositiveNumber);
  app.add_option("--families", options.families, "Measures the ways of these kernel families only")->delimiter(',');
  app.add_option("--tiles", options.tiles, "Those with these tiles only, 128x128x64 for one")->delimiter(',');
  app.add_option("--again", options.again,
                 "A file of times, whose calls are measured once more; times of families, and of tiles, that are not "
                 "named are kept")
      ->excludes("--calls")
      ->excludes("--seed")
      ->excludes("--sides")
      ->excludes("--shapes")
      ->excludes("--types")
      ->excludes("--result")
      ->excludes("--activation")
      ->excludes("--beta")
      ->excludes("--seconds");
  app.add_option("--file", options.file, "What is written, a line a call");
  app.add_flag("--list", options.is_listed_only, "Print the calls with their ways on an H200, and measure nothing");
  CLI11_PARSE(app, argc, argv);
  if (!options.result.empty()) {
    if (app.count("--types") == 0) options.types = {"bf16"};
    check_result(options);
  }
  if (options.is_listed_only) return list_all(options);
  if (options.file.empty()) throw std::invalid_argument("--file is missing");
  return measure_all(options);
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) { return Tegula::Perf::run_main("tegula_times", Tegula::Perf::run, argc, argv); }
