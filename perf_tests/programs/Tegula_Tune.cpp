// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_tune: measures the ways to compute calls on the device at hand, and writes the fastest of each to a tuning
// file, which Tegula plans by (core/Tegula_Tuning.hpp).

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <stdexcept>

#include "Tegula_Launcher.hpp"
#include "Tegula_PerfMain.hpp"
#include "Tegula_PerfShapes.hpp"
#include "Tegula_TuneDevices.hpp"
#include "Tegula_TuneProblem.hpp"
#include "Tegula_TuningWriter.hpp"
#include "tuning/Tegula_RecordCalls.hpp"

namespace Tegula::Perf {
namespace {

const std::vector<std::string> all_types{"float", "double", "half", "bhalf"}, all_ops{"NN", "NT", "TN", "TT"},
    all_directions{"forward", "backward"};

struct TuneOptions {
  std::string shapes, calls, output;
  Shape shape{"shape", 0, 0, 0};
  std::vector<std::string> types{"float"}, ops{"NN"}, directions{"forward"}, epilogues{"none"};
  std::string compute = "native";
  double budget       = 1e9;
  std::string part    = "1/1";
  RaceLimits limits;
  bool measures_again = false, is_listed_only = false;
};

/// No class twice: a call is tuned once.
void add(std::vector<Impl::ProblemClass>& problems, const Impl::ProblemClass& problem) {
  if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
}

/// Those that an application made on such a device.
std::vector<Impl::ProblemClass> recorded_problems(const std::string& file) {
  std::vector<Impl::ProblemClass> problems;
  std::size_t others = 0;
  for (const Impl::RecordedCall& call : Impl::recorded_calls(Impl::text_of_file(file), file)) {
    if (call.device.is_host() == runs_on_host) {
      add(problems, call.problem);
    } else {
      ++others;
    }
  }
  if (others > 0)
    std::cerr << others << " calls of " << file << " were made on " << (runs_on_host ? "a GPU" : "a host")
              << ", and are left out\n";
  return problems;
}

/// "2/8" of the second of eight processes that a launcher started.
std::string part_by_launcher() {
  const auto place = place_by_launcher();
  if (!place) throw std::invalid_argument("--part launcher: neither mpirun nor srun nor flux has started this process");
  return std::to_string(place->rank + 1) + '/' + std::to_string(place->ranks);
}

/// Of calls the ones that this process tunes: "2/8" is the second, the tenth, and so on.
std::vector<Impl::ProblemClass> part_of(const std::vector<Impl::ProblemClass>& problems, const std::string& part) {
  if (part == "launcher") return part_of(problems, part_by_launcher());
  int first = 0, count = 0, read = 0;
  const bool is_part = std::sscanf(part.c_str(), "%d/%d%n", &first, &count, &read) == 2 &&
                       read == static_cast<int>(part.size()) && first >= 1 && first <= count;
  if (!is_part) throw std::invalid_argument("--part is \"" + part + "\", not such as 2/8");
  std::vector<Impl::ProblemClass> own;
  for (std::size_t p = static_cast<std::size_t>(first - 1); p < problems.size(); p += static_cast<std::size_t>(count))
    own.push_back(problems[p]);
  return own;
}

std::vector<Impl::ProblemClass> problems_of(const TuneOptions& options) {
  if (!options.calls.empty()) return recorded_problems(options.calls);
  const auto shapes = options.shapes.empty() ? std::vector<Shape>{options.shape} : read_shapes(options.shapes);
  const auto compute =
      std::find_if(computes.begin(), computes.end(), [&](const auto& known) { return options.compute == known.name; });
  std::vector<Impl::ProblemClass> problems;
  for (const Shape& shape : shapes)
    for (const std::string& type : options.types)
      for (const std::string& direction : options.directions)
        for (const std::string& epilogue : options.epilogues)
          for (const std::string& ops : options.ops)
            add(problems, problem_of(shape, {type, epilogue, ops, direction == "backward", compute->compute}));
  return problems;
}

volatile std::sig_atomic_t is_interrupted = 0;

/// The first one lets the call that is measured end. All that was finished is safe in any case, so that a later one may
/// do what such a signal does; one within two seconds is the same interrupt, which timeout and mpirun send to a process
/// and to its group.
void interrupt(int signal) {
  static volatile std::sig_atomic_t first = 0;  // of the low bits of the time in seconds
  constexpr int bits = 0x3fffffff, same_interrupt = 2;
  const int now = static_cast<int>(std::time(nullptr) & bits);
  if (!is_interrupted) {
    first          = now;
    is_interrupted = 1;
  } else if (now - first >= same_interrupt) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

/// Seconds since the program began, and what is left of the budget.
class Budget {
 public:
  explicit Budget(double seconds) : seconds_(seconds) {}

  double spent() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double left() const { return seconds_ - spent(); }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A line of progress.
void tell(std::size_t number, std::size_t count, const Impl::TuningEntry& entry, double seconds) {
  std::printf("%zu of %zu: %s: %.4g us by %s, %.3f of the time of %s (%d ways, %.2f s)\n", number, count,
              short_text(entry.problem).c_str(), 1e6 * entry.seconds, text(entry.way).c_str(),
              entry.seconds / entry.model_seconds, text(entry.model_way).c_str(), entry.ways, seconds);
  std::fflush(stdout);
}

/// What came of all calls.
struct Tally {
  int tuned = 0, known = 0, empty = 0, wrong = 0, late = 0;

  int exit_code() const { return wrong > 0 ? 1 : 0; }
  void print(const std::string& file) const {
    std::cout << tuned << " calls were tuned, " << known << " were in " << file << " before";
    if (empty > 0) std::cout << ", " << empty << " have nothing to compute";
    if (late > 0) std::cout << ", " << late << " were not begun";
    if (wrong > 0) std::cout << "; " << wrong << " ways gave wrong results, and have no times";
    std::cout << '\n';
  }
};

/// Tunes one call, within what is left of the budget.
void tune(const Impl::ProblemClass& problem, const TuneOptions& options, double seconds, std::size_t number,
          std::size_t count, TuningWriter& writer, Tally& tally) {
  const Budget spent(seconds);
  const ProblemMemory as_planned(problem, 1, false);
  const auto candidates = candidates_of(as_planned.call());
  if (candidates.empty()) {
    ++tally.empty;
    return;
  }
  RaceLimits limits = options.limits;
  limits.seconds    = std::min(limits.seconds, seconds);
  try {
    const TunedProblem tuned = tune_problem(problem, candidates, limits);
    for (const std::string& failure : tuned.failures) std::cerr << short_text(problem) << ": " << failure << '\n';
    tally.wrong += static_cast<int>(tuned.failures.size());
    writer.add(tuned.entry);
    ++tally.tuned;
    tell(number, count, tuned.entry, spent.spent());
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).find("wrong result") == std::string::npos) throw;
    std::cerr << short_text(problem) << ": " << error.what() << '\n';
    ++tally.wrong;
  }
}

int tune_all(const TuneOptions& options) {
  const Budget budget(options.budget);
  const auto problems = part_of(problems_of(options), options.part);
  TuningWriter writer(options.output);
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  std::cout << "tuning " << problems.size() << " calls on " << text(device_at_hand()) << '\n';
  Tally tally;
  std::size_t number = 0;
  for (const Impl::ProblemClass& problem : problems) {
    ++number;
    const bool has_begun = tally.tuned + tally.wrong > 0;
    if (is_interrupted || (has_begun && budget.left() <= 0)) {
      ++tally.late;
    } else if (!options.measures_again && writer.has(untuned(problem))) {
      ++tally.known;
    } else {
      tune(problem, options, budget.left(), number, problems.size(), writer, tally);
    }
  }
  writer.merge();
  tally.print(options.output);
  constexpr int after_sigint = 130;
  return is_interrupted ? after_sigint : tally.exit_code();
}

/// Every call with its ways and their predicted times, without measuring.
int list_all(const TuneOptions& options) {
  for (const Impl::ProblemClass& problem : problems_of(options)) {
    std::cout << json(problem) << '\n';
    const ProblemMemory memory(problem, 1, false);
    for (const Candidate& candidate : candidates_of(memory.call()))
      std::cout << "  " << 1e6 * candidate.plan.seconds() << " us predicted: " << text(candidate.way) << '\n';
  }
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures the ways in which Tegula can compute calls on the device at hand, and writes the fastest of each to a "
      "tuning file, which programs use by TEGULA_TUNING=file. It may be stopped at any time: what is finished is in "
      "the "
      "file, and the next run goes on. Several processes may write one file.");
  TuneOptions options;
  std::vector<std::string> epilogues{"none"};
  for (const char* name : Impl::activation_names()) epilogues.emplace_back(name);
  std::vector<std::string> compute_names;
  for (const NamedCompute& compute : computes) compute_names.emplace_back(compute.name);
  auto* const shapes = app.add_option("--shapes", options.shapes, "A file of shapes, as tegula_gemm_perf reads it");
  auto* const calls  = app.add_option("--calls", options.calls, "A file that TEGULA_RECORD made an application write");
  auto* const m      = app.add_option("--m", options.shape.m, "One shape: rows of C")->check(CLI::PositiveNumber);
  auto* const n      = app.add_option("--n", options.shape.n, "Columns of C")->check(CLI::PositiveNumber);
  auto* const k      = app.add_option("--k", options.shape.k, "The inner dimension")->check(CLI::PositiveNumber);
  m->needs(n)->needs(k)->excludes(shapes)->excludes(calls);
  n->needs(m);
  k->needs(m);
  shapes->excludes(calls);
  const auto add_list = [&](const char* name, std::vector<std::string>& values, const std::vector<std::string>& known,
                            const char* what) {
    app.add_option(name, values, what)
        ->delimiter(',')
        ->check(CLI::IsMember(known))
        ->capture_default_str()
        ->excludes(calls);
  };
  add_list("--types", options.types, all_types, "Of elements");
  add_list("--directions", options.directions, all_directions, "gemm, and its gradients");
  add_list("--epilogues", options.epilogues, epilogues, "none, or an activation with a bias");
  add_list("--ops", options.ops, all_ops, "A and B as they are (N) or transposed (T)");
  app.add_option("--compute", options.compute, "How products of float may be formed")
      ->check(CLI::IsMember(compute_names))
      ->capture_default_str();
  app.add_option("--budget", options.budget, "Seconds after which no further call is begun, but the first one")
      ->check(CLI::PositiveNumber);
  app.add_option("--call-seconds", options.limits.seconds, "At most, for each call")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--factor", options.limits.factor,
                 "Ways predicted to take so many times as long as the best are left out")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  app.add_option(
         "--part", options.part,
         "Of N processes that share the calls the I-th, as I/N, or launcher: as mpirun, srun or flux started it")
      ->capture_default_str();
  std::string devices;  // is acted upon before Kokkos is initialised
  app.add_option("--devices", devices,
                 "Share the calls among devices, each with a process of its own: all, or numbers such as 0,2")
      ->default_str("one device");
  app.add_option("--output", options.output, "The tuning file, which may be there already");
  app.add_flag("--again", options.measures_again, "Measure calls, too, that the file has");
  app.add_flag("--list", options.is_listed_only, "Print calls and ways, and measure nothing");
  CLI11_PARSE(app, argc, argv);
  if (options.shapes.empty() && options.calls.empty() && options.shape.m == 0)
    throw std::invalid_argument("one of --shapes, --calls and --m is needed");
  if (options.is_listed_only) return list_all(options);
  if (options.output.empty()) throw std::invalid_argument("--output is missing");
  return tune_all(options);
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  constexpr const char* program = "tegula_tune";
  try {
    if (const auto exit_code = run_on_devices(argc, argv)) return *exit_code;
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << '\n';
    return 2;
  }
  return run_main(program, run, argc, argv);
}
