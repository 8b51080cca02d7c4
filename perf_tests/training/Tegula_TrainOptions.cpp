// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TrainOptions.hpp"

#include <CLI/CLI.hpp>

namespace Tegula::Training {
namespace {

constexpr const char* description =
    "Trains a multilayer perceptron (ReLU, biases, softmax and cross-entropy) on Fashion-MNIST, or on any other data "
    "set\n"
    "in the four files of MNIST, with all products computed by Tegula::gemm and Tegula::gemm_backward.";

constexpr const char* footer =
    "Prints a line per epoch: mean loss and accuracy of the training set (while it is learnt) and of the test set\n"
    "(afterwards); training samples per second; GFLOP/s of gemm and gemm_backward in training, 2 m n k per product; "
    "and\n"
    "the seconds of the epoch, test included.\n"
    "--precision half and bfloat16 store weights and activations in 16 bits; master weights, weight gradients, logits\n"
    "and all sums are float. A Kokkos without a device stores them as float.\n"
    "The same seed and machine give the same losses, bit for bit.\n"
    "Flags that begin with --kokkos- go to Kokkos.\n"
    "Exit codes: 0 done; 2 a data file is missing or malformed; 1 another failure; above 100 a wrong command line.";

void add_options(CLI::App& app, TrainOptions& options) {
  app.add_option("--data", options.data, "Directory of the IDX files, plain or .gz (Debian: dataset-fashion-mnist)");
  app.add_option("--hidden", options.hidden, "Width of every hidden layer")->check(CLI::Range(1, 1 << 16));
  app.add_option("--batch", options.batch, "Samples per step")->check(CLI::Range(1, 1 << 20));
  app.add_option("--epochs", options.epochs, "Passes over the training set")->check(CLI::Range(1, 1 << 20));
  app.add_option("--learning-rate", options.learning_rate, "At the start; it falls to 0 in equal steps")
      ->check(CLI::PositiveNumber);
  app.add_option("--momentum", options.momentum, "Of the gradient descent; 0: none")->check(CLI::Range(0.0, 1.0));
  app.add_option("--precision", options.precision, "Storage of weights and activations")
      ->check(CLI::IsMember({"float", "double", "half", "bfloat16"}));
  app.add_option("--family", options.family, "Kernel family that computes the products; default: what Tegula chooses");
  app.add_option("--seed", options.seed, "Of the initial weights and the order of samples");
  app.add_option("--csv", options.csv, "File for the loss curve");
  app.add_option("--svg", options.svg, "File for the plot of the loss curve (needs gnuplot)");
}

}  // namespace

std::optional<int> parse_command_line(int argc, char** argv, TrainOptions& options) {
  CLI::App app(description, "tegula_train_mlp");
  app.footer(footer);
  app.option_defaults()->always_capture_default();
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& outcome) {
    return app.exit(outcome);
  }
  return std::nullopt;
}

}  // namespace Tegula::Training
