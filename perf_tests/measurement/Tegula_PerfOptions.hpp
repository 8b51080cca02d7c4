// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_OPTIONS_HPP
#define TEGULA_PERF_OPTIONS_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfTimer.hpp"
#include "Tegula_RankOptions.hpp"

namespace Tegula::Perf {

/// The command line of both programs.
struct Options {
  std::vector<Shape> shapes;
  std::vector<std::string> types{"float", "double"};
  std::string result;  ///< type of results, or of gradients of parameters; empty: that of the operands
  std::array<Layout, 3> layouts{};
  Op op_a = Op::none, op_b = Op::none;
  EpilogueKind epilogue  = EpilogueKind::bias;
  std::string activation = "relu";
  std::string below;  ///< activation of the layer below a backward pass; empty: there is none
  Scaling scaling;
  Compute compute = Compute::native;
  std::string family;  ///< of Tegula's kernels; empty: the planner chooses
  TileShape tile;      ///< likewise
  std::vector<std::string> peers;
  bool packed = false;  ///< Tegula's B is packed before any call
  bool saved  = false;  ///< what the backward pass needs beside C is stored, too
  std::vector<Load> loads;
  Clock clock        = has_events ? Clock::events : Clock::wall;
  int repetitions    = 5;
  double min_time    = 0.05;  ///< seconds
  std::uint64_t seed = 1;
  int random_shapes  = 0;  ///< drawn at random; 0: the shapes are named
  std::string command_line;
  std::string json;
  std::vector<double> peak_gflops;  ///< of each type, or empty: measure
  double bandwidth_gbs = 0;         ///< 0: measure
  RankOptions ranks;
  std::vector<std::string> benchmark_flags;
  std::vector<std::string> kokkos_flags;
};

/// The cases that the command line asks for: one a shape and type.
std::vector<CaseSpec> cases_of(const Options& options);

/// The programs' texts in --help.
struct ProgramText {
  const char* name;
  const char* what;     ///< what is compared
  const char* counted;  ///< formulas of flops and bytes
  bool forward;         ///< whether it is the forward pass, for which there are more peers
};

/// Exit codes.
inline constexpr int exit_wrong_result = 1;
inline constexpr int exit_usage        = 2;
inline constexpr int exit_slow_card    = 3;

/// Reads the command line. A value is the code to exit with at once: after --help, or after a message about an error.
std::optional<int> parse(const ProgramText& program, int argc, char** argv, Options& options);

}  // namespace Tegula::Perf

#endif
