// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_regret: how much slower than the best way the planner's choices are, by times that tegula_times measured. No
// device is needed.

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "Tegula_PerfMain.hpp"
#include "Tegula_PerfPredictions.hpp"
#include "Tegula_PerfRegret.hpp"
#include "Tegula_PerfTunedChoices.hpp"
#include "Tegula_PerfWithout.hpp"
#include "Tegula_PerfWorth.hpp"
#include "Tegula_UseMachine.hpp"

namespace Tegula::Perf {
namespace {

std::vector<RegretLimit> limits_in(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error("cannot open the limits " + file);
  try {
    return read_limits(lines);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file + ':' + error.what());
  }
}

void write(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

/// The record that is asked for, or the library's of a card.
Impl::CudaRates record_of(const std::string& asked, const Card& card) {
  if (!asked.empty()) {
    const auto record = Impl::machine_record(asked);
    if (const auto* const of_gpu = std::get_if<Impl::CudaRates>(&record)) return *of_gpu;
    throw std::invalid_argument(asked + " is a record of a host");
  }
  const Impl::CudaRates* const rates = Impl::cuda_rates_of_card(card.name);
  if (rates == nullptr) throw std::runtime_error("there is no record of a " + card.name + "; --machine names one");
  return *rates;
}

/// The card as planners know it who go by a record.
Impl::CudaMachine machine_of_card(const Card& card, const Impl::CudaRates& record) {
  Impl::CudaMachine machine = machine_of(record);
  machine.multiprocessors   = card.multiprocessors;
  machine.portable.units    = card.multiprocessors;
  return machine;
}

int run(int argc, char** argv) {
  CLI::App app("Compares what the planner chooses with the best of all ways, by files that tegula_times wrote");
  std::vector<std::string> files;
  std::string record, tuning, limits, new_limits, table;
  std::vector<std::string> without;
  int worst     = 10;
  bool is_worth = false;
  app.add_option("files", files, "Files of times")->required();
  app.add_option("--machine", record,
                 "The record to plan by: the name of one of the library's, or a file of tegula_calibrate; by default "
                 "that of the card that the files name");
  app.add_option(
      "--tuning", tuning,
      "A file of tegula_tune, whose choices are compared in place of the planner's, for the calls that it has");
  app.add_option("--limits", limits, "A table of what the regrets may be; what is worse is printed, and exits with 1");
  app.add_option("--worst", worst, "Calls of each type to print")->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--write-limits", new_limits, "Such a table that is written, of the regrets as they are");
  app.add_option("--csv", table, "A table that is written, of every way with its measured and its predicted time");
  app.add_flag("--worth", is_worth, "Print what calls lose without each family and each tile, and nothing else");
  app.add_option(
         "--without", without,
         "Families, and tiles such as simt:64x128x16: print what calls lose without all of these at once, by the "
         "best way that is left and by the planner's choice among those that were measured, and nothing else")
      ->delimiter(',');
  CLI11_PARSE(app, argc, argv);

  std::vector<CallTimes> times;
  for (const std::string& file : files) {
    const auto more = read_times(file);
    times.insert(times.end(), more.begin(), more.end());
  }
  if (is_worth) {
    std::cout << describe(worths(times));
    return 0;
  }
  const Card card                 = card_of(files);
  const Impl::CudaRates rates     = record_of(record, card);
  const Impl::CudaMachine machine = machine_of_card(card, rates);
  Planner choice                  = [&](const Impl::Call& call) { return chosen_way(call, machine); };
  std::optional<TunedChoices> tuned;
  if (!tuning.empty()) {
    const std::size_t all = times.size();
    tuned.emplace(tuning, card);
    times  = tuned->known_of(times);
    choice = [&](const Impl::Call& call) { return tuned->way(call, machine).value(); };
    std::cout << tuning << " has " << times.size() << " of " << all << " calls\n";
  }
  const auto predicted =
      predictions(times, [&](const Impl::Call& call, const Way& way) { return predicted_seconds(call, way, machine); });
  if (!without.empty()) {
    std::cout << describe(losses_without(without, predicted), worst);
    return 0;
  }
  const auto groups     = regrets(times, choice);
  constexpr double near = 1.5;
  std::cout << "planned for " << rates.name << " (" << rates.source << "), " << machine.multiprocessors
            << " multiprocessors\n\n"
            << describe(groups, worst) << "\npredictions of ways that take up to " << near << " times the best\n"
            << describe(predicted, near) << describe_gone(times, predicted);
  if (!new_limits.empty()) write(new_limits, limits_of(groups));
  if (!table.empty()) write(table, csv(predicted));
  if (limits.empty()) return 0;
  const auto found = violations(groups, limits_in(limits));
  for (const std::string& what : found) std::cerr << "tegula_regret: " << what << '\n';
  return found.empty() ? 0 : 1;
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) { return Tegula::Perf::run_main("tegula_regret", Tegula::Perf::run, argc, argv); }
