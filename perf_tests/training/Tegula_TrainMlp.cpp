// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains a network with Tegula: see --help.

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "Tegula_Idx.hpp"
#include "Tegula_LossCurve.hpp"
#include "Tegula_PerfWrite.hpp"
#include "Tegula_StepReport.hpp"
#include "Tegula_StepTimes.hpp"
#include "Tegula_Trainer.hpp"

namespace Tegula::Training {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

/// Shows how far an epoch is, on a terminal only: a file would fill with it.
class ProgressLine {
 public:
  explicit ProgressLine(int epoch) : epoch_(epoch) {}
  ~ProgressLine() {
    if (shown_ >= 0) std::fputs("\r\033[K", stderr);
  }

  void show(double share) {
    const int percent = static_cast<int>(100 * share);
    if (!on_terminal_ || percent == shown_) return;
    std::fprintf(stderr, "\r%5d  %3d %%", epoch_, percent);
    std::fflush(stderr);
    shown_ = percent;
  }

 private:
  int epoch_;
  int shown_              = -1;
  const bool on_terminal_ = isatty(STDERR_FILENO) == 1;
};

template <class Storage>
void print_note_of_type(const TrainOptions& options) {
  const bool wants_16_bits = options.type == "half" || options.type == "bhalf";
  if (!wants_16_bits || sizeof(Storage) == 2) return;
  std::printf("         note: without a device Kokkos has no %s; this run is one in %s\n", options.type.c_str(),
              ScalarTraits<Storage>::name);
}

template <class Storage>
void print_setup(const TrainOptions& options, const DataSets& sets, const Trainer<Space, Storage>& trainer) {
  std::printf("data     %s: %lld training and %lld test images of %d x %d\n", options.data.c_str(),
              static_cast<long long>(sets.training.count), static_cast<long long>(sets.test.count),
              sets.training.height, sets.training.width);
  std::printf("network  %s, %lld parameters, stored as %s\n",
              network_name(sets.training.pixels(), options, sets.classes).c_str(),
              static_cast<long long>(trainer.network().parameter_count()), ScalarTraits<Storage>::name);
  print_note_of_type<Storage>(options);
  std::printf("training batches of %lld, learning rate %g falling to 0, momentum %g, seed %llu, on Kokkos::%s\n\n",
              static_cast<long long>(trainer.batch()), options.learning_rate, options.momentum,
              static_cast<unsigned long long>(options.seed), Space::name());
  std::printf("epoch  train loss  train acc  test loss  test acc  samples/s  us / step  seconds\n");
}

void print_epoch(int epoch, const EpochReport& training, const Score& test, std::int64_t samples, double seconds) {
  std::printf("%5d  %10.4f  %7.2f %%  %9.4f  %6.2f %%  %9.0f  %9.1f  %7.2f\n", epoch, training.score.loss,
              100 * training.score.accuracy, test.loss, 100 * test.accuracy,
              static_cast<double>(samples) / training.seconds, 1e6 * training.seconds_of_step(), seconds);
  std::fflush(stdout);
}

template <class Storage>
void train(const TrainOptions& options) {
  const DataSets sets = read_data_sets(options.data);
  const Kokkos::Timer total;
  LossCurve curve(options.csv);
  Trainer<Space, Storage> trainer(options, sets);
  print_setup(options, sets, trainer);
  Score test, best;
  double step_seconds = 0;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    const Kokkos::Timer timer;
    EpochReport training;
    {
      ProgressLine line(epoch);
      training = trainer.train_epoch([&](double share) { line.show(share); });
      test     = trainer.test();
    }
    print_epoch(epoch, training, test, sets.training.count, timer.seconds());
    curve.add(epoch, training.score, test);
    if (!std::isfinite(training.score.loss)) {
      throw std::runtime_error("the training diverged in epoch " + std::to_string(epoch) +
                               "; try a smaller --learning-rate");
    }
    if (test.accuracy > best.accuracy) best = test;
    step_seconds = training.seconds_of_step();
  }
  const double seconds   = total.seconds();
  const std::string plot = curve.plot(options.svg);
  std::printf("\ntest accuracy %.2f %% (best %.2f %%) after %.1f s; loss curve: %s, %s\n", 100 * test.accuracy,
              100 * best.accuracy, seconds, options.csv.c_str(), plot.c_str());
  const StepKernels kernels = kernels_of_step(trainer, options.measure);
  std::fputs(text(kernels, step_seconds).c_str(), stdout);
}

template <class Storage>
void report_step_times(const TrainOptions& options) {
  print_note_of_type<Storage>(options);
  const StepTimes times = time_steps<Space, Storage>(options);
  std::fputs(text(options, times).c_str(), stdout);
  if (!options.json.empty()) Perf::write_file(options.json, json_text(options, times));
}

template <class Storage>
void run_with_type(const TrainOptions& options) {
  options.steps > 0 ? report_step_times<Storage>(options) : train<Storage>(options);
}

void run_with_options(const TrainOptions& options) {
  if (options.type == "double") return run_with_type<double>(options);
  if (options.type == "half") return run_with_type<half_t>(options);
  if (options.type == "bhalf") return run_with_type<bhalf_t>(options);
  run_with_type<float>(options);
}

/// The command line is Kokkos' where a flag says so, and this program's otherwise.
struct CommandLine {
  std::vector<char*> own, kokkos;

  CommandLine(int argc, char** argv) : own{argv[0]}, kokkos{argv[0]} {
    for (int i = 1; i < argc; ++i) {
      (std::string_view(argv[i]).starts_with("--kokkos-") ? kokkos : own).push_back(argv[i]);
    }
  }
};

int run(int argc, char** argv) {
  CommandLine line(argc, argv);
  TrainOptions options;
  if (const auto exit_code = parse_command_line(static_cast<int>(line.own.size()), line.own.data(), options)) {
    return *exit_code;
  }
  int kokkos_argc = static_cast<int>(line.kokkos.size());
  line.kokkos.push_back(nullptr);  // argv ends so, and Kokkos moves the end as it takes its flags out
  const Kokkos::ScopeGuard kokkos(kokkos_argc, line.kokkos.data());
  if (kokkos_argc > 1) throw std::runtime_error(std::string("Kokkos does not know the flag ") + line.kokkos[1]);
  run_with_options(options);
  return 0;
}

}  // namespace
}  // namespace Tegula::Training

int main(int argc, char** argv) {
  try {
    return Tegula::Training::run(argc, argv);
  } catch (const Tegula::Training::DataError& error) {
    std::fprintf(stderr, "tegula_train_mlp: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tegula_train_mlp: %s\n", error.what());
    return 1;
  }
}
