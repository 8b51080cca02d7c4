// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_OPTIONS_HPP
#define TEGULA_RANK_OPTIONS_HPP

#include <array>
#include <string>
#include <vector>

/// The part of the command line that is about several devices: each is a rank, measured by a process of its own.

namespace CLI {
class App;
}

namespace Tegula::Perf {

/// How the ranks of a node share it while a row is timed.
enum class Phase {
  alone,    ///< one by one: the others of the node wait
  together  ///< all at once
};
inline constexpr std::array phases{Phase::alone, Phase::together};

/// As the command line, the table and the JSON file name it.
inline std::string name_of(Phase phase) { return phase == Phase::alone ? "alone" : "together"; }

struct RankOptions {
  bool mpi = false;                  ///< one rank a process that a launcher started
  std::vector<std::string> devices;  ///< one rank each, started by this process: {"all"}, or numbers
  std::vector<Phase> phases{Phase::alone, Phase::together};
  double slow_percent = 5;  ///< by which a slow card takes longer than the median one
  bool fails_if_slow  = false;
  double patience     = 600;  ///< seconds that a rank may be silent for while the others wait for it

  bool are_asked_for() const { return mpi || !devices.empty(); }
};

void add_rank_options(CLI::App& app, RankOptions& options);

/// The numbers of the devices that a command line names, which may say all, so many as count() says. Throws
/// std::invalid_argument if it names something else, or the flags for Kokkos name a device, too.
std::vector<std::string> devices_named(const std::vector<std::string>& names,
                                       const std::vector<std::string>& kokkos_flags, int (*count)());

/// After the command line has been parsed. Throws std::invalid_argument if options contradict each other, or the
/// programs' flags for Google Benchmark and Kokkos.
void check_rank_options(const CLI::App& app, const RankOptions& options,
                        const std::vector<std::string>& benchmark_flags, const std::vector<std::string>& kokkos_flags);

/// What --help says of ranks.
extern const char* const rank_help;

}  // namespace Tegula::Perf

#endif
