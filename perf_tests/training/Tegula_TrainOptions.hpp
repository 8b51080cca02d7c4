// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TRAIN_OPTIONS_HPP
#define TEGULA_TRAIN_OPTIONS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace Tegula::Training {

/// Whether a step is captured in a graph and replayed, where the execution space can do that.
enum class Replay { graphs, none };

/// What the command line says.
struct TrainOptions {
  std::string data = "/usr/share/datasets/fashion-mnist";
  std::vector<int> hidden{256};
  std::int64_t batch   = 128;
  int epochs           = 8;
  double learning_rate = 0.05;
  double momentum      = 0.9;
  std::string type     = "float";
  std::string family;  // of kernels; empty: what Tegula chooses
  std::uint64_t seed = 1;
  Replay replay      = Replay::graphs;
  bool measure       = false;
  // A guess: one more kernel and its edges cost 2 us, in which memory moves the 22 bytes of so many 16-bit parameters.
  std::int64_t side_update_from = 1 << 18;
  std::string csv               = "tegula_train_mlp.csv";
  std::string svg               = "tegula_train_mlp.svg";
  // Of --steps, which trains on noise:
  int steps   = 0;  // 0: train on data
  int inputs  = 784;
  int classes = 10;
  std::string json;
};

/// Fills `options`. If the program is to end at once, after --help or an error, that is printed and the exit code
/// returned.
std::optional<int> parse_command_line(int argc, char** argv, TrainOptions& options);

}  // namespace Tegula::Training

#endif
