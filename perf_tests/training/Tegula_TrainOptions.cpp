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
    "(afterwards); training samples per second; the time of a step; and the seconds of the epoch, test included.\n"
    "--steps trains on noise instead, and prints the time of a step: median and middle half of groups of steps. "
    "TFLOP/s\n"
    "are those of gemm and gemm_backward, 2 m n k per product, in the time of whole steps. Kernels of products are "
    "listed\n"
    "with the times that are predicted for them, and with --measure measured ones, of each call alone.\n"
    "--type half and bhalf store weights and activations in 16 bits; master weights, weight gradients, logits and all\n"
    "sums are float. A Kokkos without a device stores them as float.\n"
    "On CUDA a step is captured in a graph and replayed.\n"
    "The same seed and machine give the same losses, bit for bit, with graphs and without.\n"
    "Flags that begin with --kokkos- go to Kokkos.\n"
    "Exit codes: 0 done; 2 a data file is missing or malformed; 1 another failure; above 100 a wrong command line.";

void add_options(CLI::App& app, TrainOptions& options) {
  app.add_option("--data", options.data, "Directory of the IDX files, plain or .gz (Debian: dataset-fashion-mnist)");
  app.add_option("--hidden", options.hidden, "Width of every hidden layer, with commas or spaces between")
      ->delimiter(',')
      ->check(CLI::Range(1, 1 << 16));
  app.add_option("--batch", options.batch, "Samples per step")->check(CLI::Range(1, 1 << 20));
  app.add_option("--epochs", options.epochs, "Passes over the training set")->check(CLI::Range(1, 1 << 20));
  app.add_option("--learning-rate", options.learning_rate, "At the start; it falls to 0 in equal steps")
      ->check(CLI::PositiveNumber);
  app.add_option("--momentum", options.momentum, "Of the gradient descent; 0: none")->check(CLI::Range(0.0, 1.0));
  app.add_option("--type", options.type, "Storage of weights and activations")
      ->check(CLI::IsMember({"float", "double", "half", "bhalf"}));
  app.add_option("--family", options.family, "Kernel family that computes the products; default: what Tegula chooses");
  app.add_option("--seed", options.seed, "Of the initial weights and the order of samples");
  app.add_flag_callback(
      "--no-graph", [&] { options.replay = Replay::none; }, "Queue every step anew");
  app.add_flag("--measure", options.measure,
               "At the end, measure all products and print what share of a step they are");
  app.add_option("--side-update-from", options.side_update_from,
                 "Update layers but the first beside the first one's gradients, if they have so many parameters")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--csv", options.csv, "File for the loss curve");
  app.add_option("--svg", options.svg, "File for the plot of the loss curve (needs gnuplot)");
}

/// Of the times of steps alone.
void add_step_options(CLI::App& app, TrainOptions& options) {
  CLI::Option* steps =
      app.add_option("--steps", options.steps, "Time at least so many steps on noise, instead of training")
          ->check(CLI::Range(1, 1 << 30));
  app.add_option("--inputs", options.inputs, "Width of the inputs")->check(CLI::Range(1, 1 << 20))->needs(steps);
  app.add_option("--classes", options.classes, "Width of the logits")->check(CLI::Range(2, 256))->needs(steps);
  app.add_option("--json", options.json, "File for the times")->needs(steps);
}

}  // namespace

std::optional<int> parse_command_line(int argc, char** argv, TrainOptions& options) {
  CLI::App app(description, "tegula_train_mlp");
  app.footer(footer);
  app.option_defaults()->always_capture_default();
  add_options(app, options);
  add_step_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& outcome) {
    return app.exit(outcome);
  }
  return std::nullopt;
}

}  // namespace Tegula::Training
