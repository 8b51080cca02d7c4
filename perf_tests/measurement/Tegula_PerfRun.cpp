// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfRun.hpp"

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <iostream>
#include <optional>

#include "Tegula_PerfArguments.hpp"
#include "Tegula_PerfHeading.hpp"
#include "Tegula_PerfMachine.hpp"
#include "Tegula_PerfMeasurement.hpp"
#include "Tegula_PerfReport.hpp"
#include "Tegula_PerfResultFile.hpp"
#include "Tegula_RankProcess.hpp"
#include "Tegula_RankRun.hpp"
#include "Tegula_RankWorker.hpp"

namespace Tegula::Perf {
namespace {

/// Runs the cases as benchmarks. Only one case has its operands allocated at a time.
class Session {
 public:
  Session(const ProgramText& program, const Options& options, CaseFactory factory)
      : factory_(factory),
        options_(options),
        specs_(cases_of(options)),
        machine_(measure_machine(options)),
        heading_(make_heading(program, options, machine_)),
        table_(options.peers, options.loads.front() != Load::none),
        file_(program, options, machine_, heading_.peers) {
    std::cout << heading_.text << std::endl;
  }

  /// Returns the exit code.
  int run(const ProgramText& program) {
    for (std::size_t number = 0; number < specs_.size(); ++number)
      for (const Load load : options_.loads) register_row(program, number, load);
    const std::size_t found = benchmark::RunSpecifiedBenchmarks(&table_);
    benchmark::ClearRegisteredBenchmarks();
    if (found == 0) return exit_usage;  // the library has said that the filter matches nothing
    file_.complete();
    if (options_.random_shapes > 0) std::cout << '\n' << describe_distributions(distributions(file_.rows()));
    return table_.any_error() ? exit_wrong_result : 0;
  }

 private:
  void register_row(const ProgramText& program, std::size_t number, Load load) {
    const CaseSpec& spec = specs_[number];
    const Row row        = new_row(spec, load);
    std::string name     = std::string(program.name) + '/' + row.shape + '/' + row.extents + '/' + spec.type +
                       (spec.result.empty() ? "" : '>' + spec.result) + '/' + row.layouts + '/' + row.ops + '/' +
                       spec.activation;
    if (!spec.below.empty()) name += "/below " + spec.below;
    if (spec.compute != Compute::native) name += std::string("/") + name_of(spec.compute);
    if (load != Load::none) name += '/' + row.load;
    table_.row(name) = row;
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=, this](benchmark::State& state) { repetition(name, number, load, state); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Repetitions(options_.repetitions)
        ->Iterations(1);
  }

  // A case that has failed stays failed, with every load.
  void repetition(const std::string& name, std::size_t number, Load load, benchmark::State& state) {
    Row& row = table_.row(name);
    try {
      if (current_number_ != number) start(name, number);
      if (current_) time(name, load, state);
      if (current_) row.figures = current_->figures(machine_);
    } catch (const std::exception& error) {
      current_.reset();
      failure_ = error.what();
    }
    row.error = failure_;
    if (!failure_.empty()) row.figures = {};
    file_.put(name, row);
    if (!row.error.empty()) state.SkipWithError(row.error.c_str());
  }

  void start(const std::string& name, std::size_t number) {
    std::cerr << '[' << number + 1 << '/' << specs_.size() << "] " << name << '\n';
    current_.reset();
    failure_.clear();
    current_number_ = number;
    current_        = std::make_unique<Measurement>(specs_[number], factory_, options_.clock);
  }

  void time(const std::string& name, Load load, benchmark::State& state) {
    if (current_name_ != name) current_->clear();
    current_name_ = name;
    for ([[maybe_unused]] auto iteration : state) state.SetIterationTime(current_->time(load, options_.min_time));
  }

  CaseFactory factory_;
  Options options_;
  std::vector<CaseSpec> specs_;
  Machine machine_;
  Heading heading_;
  TableReporter table_;
  ResultFile file_;
  std::unique_ptr<Measurement> current_;  ///< none after a failure
  std::optional<std::size_t> current_number_;
  std::string current_name_;
  std::string failure_;
};

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
  if (auto channel = channel_to_supervisor()) return run_worker(program, options, factory, std::move(*channel));
  if (options.ranks.are_asked_for()) return run_ranks(program, options, argv);
  ArgumentVector benchmark_arguments(program.name, options.benchmark_flags);
  if (!initialize_benchmark(benchmark_arguments)) return exit_usage;
  ArgumentVector kokkos_arguments(program.name, options.kokkos_flags);
  Kokkos::initialize(kokkos_arguments.count(), kokkos_arguments.values());
  const int exit_code = run_session(program, options, factory);
  Kokkos::finalize();
  return exit_code;
}

}  // namespace Tegula::Perf
