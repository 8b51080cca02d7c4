// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfRun.hpp"

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <iostream>
#include <optional>

#include "Tegula_PerfMachine.hpp"
#include "Tegula_PerfMeasurement.hpp"
#include "Tegula_PerfPaths.hpp"
#include "Tegula_PerfPeers.hpp"
#include "Tegula_PerfReport.hpp"

namespace Tegula::Perf {
namespace {

/// Arguments in the form that main gets them.
class ArgumentVector {
 public:
  ArgumentVector(const char* program, const std::vector<std::string>& flags) : texts_{program} {
    texts_.insert(texts_.end(), flags.begin(), flags.end());
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
    count_ = static_cast<int>(texts_.size());
  }
  int& count() { return count_; }
  char** values() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
  int count_;
};

std::vector<CaseSpec> cases(const Options& options) {
  std::vector<CaseSpec> specs;
  for (const Shape& shape : options.shapes)
    for (const std::string& type : options.types)
      specs.push_back({shape, type, options.layouts, options.op_a, options.op_b, options.activation, options.compute,
                       options.family, options.tile, options.seed, options.peers});
  return specs;
}

std::string load_name(Load load) {
  return load == Load::rested ? "rested" : load == Load::sustained ? "sustained" : "";
}

RowText row_text(const CaseSpec& spec, Load load) {
  const Shape& shape = spec.shape;
  RowText text;
  text.shape   = shape.name;
  text.extents = std::to_string(shape.m) + 'x' + std::to_string(shape.n) + 'x' + std::to_string(shape.k);
  text.type    = true_type(spec.type);
  for (const Layout layout : spec.layouts) text.layouts += layout == Layout::right ? 'R' : 'L';
  for (const Op op : {spec.op_a, spec.op_b}) text.ops += op == Op::none ? 'N' : 'T';
  text.load = load_name(load);
  return text;
}

/// Runs the cases as benchmarks. The operands of one case live at a time.
class Session {
 public:
  Session(const ProgramText& program, const Options& options, CaseFactory factory)
      : factory_(factory),
        options_(options),
        specs_(cases(options)),
        machine_(measure_machine(options)),
        table_(options.peers, options.loads.front() != Load::none) {
    say("tegula_machine", "", describe_machine(options));
    say("tegula_roofs", "", describe_roofs(options, machine_));
    for (const std::string& peer : options.peers)
      say("peer_" + peer, "peer " + peer + ": ", start_peer(peer, threads_for_peers()));
    if (options.peers.empty()) say("peers", "peers: ", "none; available: " + listed(available_peers(program.forward)));
    std::cout << std::endl;
  }

  /// Returns the exit code.
  int run(const ProgramText& program) {
    for (std::size_t number = 0; number < specs_.size(); ++number)
      for (const Load load : options_.loads) register_row(program, number, load);
    const std::size_t found = benchmark::RunSpecifiedBenchmarks(&table_);
    benchmark::ClearRegisteredBenchmarks();
    if (found == 0) return exit_usage;  // the library has said that the filter matches nothing
    return table_.any_error() ? exit_wrong_result : 0;
  }

 private:
  /// In the heading, and under that key in the JSON file.
  static void say(const std::string& key, const std::string& title, const std::string& text) {
    std::cout << title << text << '\n';
    benchmark::AddCustomContext(key, text);
  }

  void register_row(const ProgramText& program, std::size_t number, Load load) {
    const CaseSpec& spec = specs_[number];
    const RowText text   = row_text(spec, load);
    std::string name     = std::string(program.name) + '/' + text.shape + '/' + text.extents + '/' + spec.type + '/' +
                       text.layouts + '/' + text.ops + '/' + spec.activation;
    if (spec.compute != Compute::native) name += std::string("/") + name_of(spec.compute);
    if (load != Load::none) name += '/' + text.load;
    table_.set_text(name, text);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=, this](benchmark::State& state) { repetition(name, number, load, state); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Repetitions(options_.repetitions)
        ->Iterations(1);
  }

  // A case that has failed stays failed, with every load.
  void repetition(const std::string& name, std::size_t number, Load load, benchmark::State& state) {
    try {
      if (current_number_ != number) start(name, number);
      if (current_) {
        current_->time(state, machine_, load, options_.min_time);
        for (const auto& [side, path] : current_->paths()) table_.set_path(name, side, short_path(path));
        for (const auto& [peer, failure] : current_->failures()) table_.set_failure(name, peer, failure);
      }
    } catch (const std::exception& error) {
      current_.reset();
      failure_ = error.what();
    }
    table_.set_error(name, failure_);
    if (!table_.error(name).empty()) state.SkipWithError(table_.error(name).c_str());
  }

  void start(const std::string& name, std::size_t number) {
    std::cerr << '[' << number + 1 << '/' << specs_.size() << "] " << name << '\n';
    current_.reset();
    failure_.clear();
    current_number_ = number;
    current_        = std::make_unique<Measurement>(specs_[number], factory_, options_.clock);
  }

  CaseFactory factory_;
  Options options_;
  std::vector<CaseSpec> specs_;
  Machine machine_;
  TableReporter table_;
  std::unique_ptr<Measurement> current_;  ///< none after a failure
  std::optional<std::size_t> current_number_;
  std::string failure_;
};

/// The arguments of Google Benchmark.
std::vector<std::string> benchmark_flags(const Options& options) {
  std::vector<std::string> flags = options.benchmark_flags;
  if (!options.json.empty()) {
    flags.push_back("--benchmark_out=" + options.json);
    flags.push_back("--benchmark_out_format=json");
  }
  return flags;
}

/// False after a message about a flag that it does not know. It keeps the pointer to the program's name, so the
/// arguments must live as long as it is used.
bool initialize_benchmark(ArgumentVector& arguments) {
  benchmark::Initialize(&arguments.count(), arguments.values());
  return !benchmark::ReportUnrecognizedArguments(arguments.count(), arguments.values());
}

int run_session(const ProgramText& program, const Options& options, CaseFactory factory) {
  try {
    return Session(program, options, factory).run(program);
  } catch (const std::exception& error) {
    std::cerr << program.name << ": " << error.what() << '\n';
    return exit_wrong_result;
  }
}

}  // namespace

int run_program(const ProgramText& program, CaseFactory factory, int argc, char** argv) {
  Options options;
  if (const auto exit_code = parse(program, argc, argv, options)) return *exit_code;
  ArgumentVector benchmark_arguments(program.name, benchmark_flags(options));
  if (!initialize_benchmark(benchmark_arguments)) return exit_usage;
  ArgumentVector kokkos_arguments(program.name, options.kokkos_flags);
  Kokkos::initialize(kokkos_arguments.count(), kokkos_arguments.values());
  const int exit_code = run_session(program, options, factory);
  Kokkos::finalize();
  return exit_code;
}

}  // namespace Tegula::Perf
