// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RankOptions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "Tegula_Launcher.hpp"
#include "Tegula_PerfDevice.hpp"

namespace Tegula::Perf {

const char* const rank_help = R"(
With --devices or --mpi every device is a rank. --devices starts the ranks from this process, on a host so many processes
as numbers are named; with --mpi each process that mpirun, srun or flux started is one, which Kokkos gives the device
that --kokkos-map-device-id-by=mpi_rank says (the default here). A rank is measured by a process of its own, which a
supervisor starts that touches no device. Each row is checked by all ranks and then timed in each of --phases:
  alone     the cards of a node one by one, while its others wait; the nodes all at once
  together  all cards at once
The table has the least, the median and the most GFLOP/s over the ranks of each side, and how the speed of a card changes
when all run at once (the median over the ranks). The file has every row of every rank, and is written after each row.
  slow  in a row: a card whose median time is longer than the median card's (of two in the middle the faster) by more
        than 5 %, or what --fail-if-slower says, and of whose times three quarters are longer than three quarters of that
        card's: the middle halves lie apart. A card is slow as a whole if Tegula is slow on it in more than half of the
        rows of a phase and mode. Rank, host and PCI address name it
A rank that throws, exits, is killed, or is silent for --patience seconds has failed: it is named with the row, and has no
figures from there on; the others go on. A wrong result has no figure, either.

Exit codes: 0, all is well; 1, a result is wrong, a call or a rank failed, or the file cannot be written; 2, wrong usage;
3, with --fail-if-slower, a card is slow, and nothing else is wrong. With --mpi every process has the same one.
)";

void add_rank_options(CLI::App& app, RankOptions& options) {
  auto* devices = app.add_option("--devices", options.devices,
                                 "One rank a device: all, or numbers of devices as Kokkos counts them, such as 0,2")
                      ->delimiter(',');
  app.add_flag("--mpi", options.mpi, "One rank a process that mpirun, srun or flux started")->excludes(devices);
  const std::map<std::string, Phase> names{{"alone", Phase::alone}, {"together", Phase::together}};
  app.add_option("--phases", options.phases, "How ranks share a node while they are timed")
      ->delimiter(',')
      ->transform(CLI::CheckedTransformer(names))
      ->default_str("alone,together");
  app.add_option("--fail-if-slower", options.slow_percent,
                 "Per cent by which a card may take longer than the median one; beyond them the exit code is 3")
      ->check(CLI::PositiveNumber)
      ->each([&options](const std::string&) { options.fails_if_slow = true; });
  app.add_option("--patience", options.patience, "Seconds after which a silent rank is killed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

namespace {

bool begins_with_one_of(const std::string& flag, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return flag.starts_with(beginning); });
}

}  // namespace

std::vector<std::string> devices_named(const std::vector<std::string>& names,
                                       const std::vector<std::string>& kokkos_flags, int (*count)()) {
  for (const std::string& flag : kokkos_flags)
    if (begins_with_one_of(flag, {"--kokkos-device-id", "--kokkos-map-device-id-by"}))
      throw std::invalid_argument(flag + " contradicts --devices");
  if (names == std::vector<std::string>{"all"}) {
    if (runs_on_host) throw std::invalid_argument("--devices all needs a build for a GPU; here numbers name processes");
    std::vector<std::string> all;
    for (int device = 0, devices = count(); device < devices; ++device) all.push_back(std::to_string(device));
    if (all.empty()) throw std::invalid_argument("--devices all: there is no device");
    return all;
  }
  for (const std::string& name : names)
    if (name.empty() || name.size() > 4 || name.find_first_not_of("0123456789") != std::string::npos)
      throw std::invalid_argument("--devices: \"" + name + "\" is no number of a device");
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
    throw std::invalid_argument("--devices names a device twice");
  return names;
}

void check_rank_options(const CLI::App& app, const RankOptions& options,
                        const std::vector<std::string>& benchmark_flags, const std::vector<std::string>& kokkos_flags) {
  if (options.are_asked_for()) {
    if (!benchmark_flags.empty())
      throw std::invalid_argument(benchmark_flags.front() + " does not go with --devices or --mpi");
    if (!options.mpi) devices_named(options.devices, kokkos_flags, [] { return 1; });
    if (std::set<Phase>(options.phases.begin(), options.phases.end()).size() != options.phases.size())
      throw std::invalid_argument("--phases names a phase twice");
    return;
  }
  for (const char* name : {"--phases", "--fail-if-slower", "--patience"})
    if (app.count(name) > 0) throw std::invalid_argument(std::string(name) + " needs --devices or --mpi");
  const auto place = place_by_launcher();
  if (place && place->ranks > 1)
    throw std::invalid_argument("this is rank " + std::to_string(place->rank) + " of " + std::to_string(place->ranks) +
                                ": --mpi is missing, without which each would measure, and write, for itself");
}

}  // namespace Tegula::Perf
