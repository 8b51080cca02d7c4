// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TRAINER_HPP
#define TEGULA_TRAINER_HPP

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Tegula_DeviceData.hpp"
#include "Tegula_Mlp.hpp"
#include "Tegula_SoftmaxCrossEntropy.hpp"
#include "Tegula_TrainOptions.hpp"

namespace Tegula::Training {

/// Seconds that queued work takes on an execution space.
template <class ExecutionSpace>
class Stopwatch {
 public:
  explicit Stopwatch(const ExecutionSpace& exec) : exec_(exec) {}

  /// Adds the time of the work that `queue` queues. What was queued before is waited for, and does not count.
  template <class Queue>
  void time(const Queue& queue) {
    exec_.fence();
    const Kokkos::Timer timer;
    queue();
    exec_.fence();
    seconds_ += timer.seconds();
  }

  double seconds() const { return seconds_; }

 private:
  ExecutionSpace exec_;
  double seconds_ = 0;
};

/// One pass over the training set.
struct EpochReport {
  Score score;
  double seconds      = 0;
  double gemm_seconds = 0;
  double gemm_flops   = 0;
};

/// The training loop.
template <class ExecutionSpace, class Storage>
class Trainer {
 public:
  using Network = Mlp<ExecutionSpace, Storage>;
  using Data    = DeviceData<ExecutionSpace, typename Network::T>;

  Trainer(const ExecutionSpace& exec, const TrainOptions& options, const DataSets& sets)
      : exec_(exec),
        options_(options),
        random_(options.seed),
        training_(exec, sets.training, normalisation(sets.training)),
        test_(exec, sets.test, normalisation(sets.training)),
        batch_(std::min(options.batch, training_.count())),
        test_batch_(std::min<std::int64_t>(1000, test_.count())),
        network_(exec, widths(options, sets), batch_, test_batch_, options.family, random_) {
    network_.reserve_workspace(batch_sizes(training_, batch_), batch_sizes(test_, test_batch_));
  }

  const Network& network() const { return network_; }
  std::int64_t batch() const { return batch_; }

  /// Trains on every sample once, in a new order. progress(done) is called with the share of the epoch that is queued.
  template <class Progress>
  EpochReport train_epoch(const Progress& progress) {
    EpochReport report;
    const Kokkos::Timer timer;
    Stopwatch<ExecutionSpace> gemms(exec_);
    training_.shuffle(random_);
    for (std::int64_t begin = 0; begin < training_.count(); begin += batch_) {
      const std::int64_t rows = std::min(batch_, training_.count() - begin);
      training_.gather(begin, network_.inputs(rows));
      gemms.time([&] { network_.forward(rows); });
      queue_scores(training_, begin, rows, network_.dlogits(rows));
      gemms.time([&] { network_.backward(rows); });
      network_.update(next_rate(), options_.momentum, rows);
      report.gemm_flops += network_.forward_flops(rows) + network_.backward_flops(rows);
      progress(static_cast<double>(begin + rows) / static_cast<double>(training_.count()));
    }
    report.score        = training_.score();
    report.gemm_seconds = gemms.seconds();
    report.seconds      = timer.seconds();
    return report;
  }

  /// Loss and accuracy of the test set.
  Score test() const {
    for (std::int64_t begin = 0; begin < test_.count(); begin += test_batch_) {
      const std::int64_t rows = std::min(test_batch_, test_.count() - begin);
      test_.gather(begin, network_.inputs(rows));
      network_.forward(rows);
      queue_scores(test_, begin, rows, none);
    }
    return test_.score();
  }

 private:
  static std::vector<int> widths(const TrainOptions& options, const DataSets& sets) {
    std::vector<int> widths{sets.training.pixels()};
    widths.insert(widths.end(), options.hidden.begin(), options.hidden.end());
    widths.push_back(DataSets::classes);
    return widths;
  }

  /// The full batch, and what is left for the last one.
  static std::vector<std::int64_t> batch_sizes(const Data& data, std::int64_t batch) {
    const std::int64_t last = data.count() % batch;
    return last == 0 ? std::vector<std::int64_t>{batch} : std::vector<std::int64_t>{batch, last};
  }

  template <class GradientView>
  void queue_scores(const Data& data, std::int64_t begin, std::int64_t rows, const GradientView& gradient) const {
    softmax_cross_entropy(exec_, network_.logits(rows), data.labels(), data.samples(begin, rows),
                          data.losses(begin, rows), data.hits(begin, rows), gradient);
  }

  /// The rate falls by equal steps, to 0 after the last one.
  double next_rate() {
    const std::int64_t steps = options_.epochs * ceil_div(training_.count(), batch_);
    return options_.learning_rate * (1 - static_cast<double>(step_++) / static_cast<double>(steps));
  }

  ExecutionSpace exec_;
  TrainOptions options_;
  Random random_;
  Data training_;
  Data test_;
  std::int64_t batch_;
  std::int64_t test_batch_;
  Network network_;
  std::int64_t step_ = 0;
};

}  // namespace Tegula::Training

#endif
