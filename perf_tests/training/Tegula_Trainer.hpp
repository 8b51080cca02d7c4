// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TRAINER_HPP
#define TEGULA_TRAINER_HPP

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "Tegula_DeviceData.hpp"
#include "Tegula_Mlp.hpp"
#include "Tegula_RepeatedWork.hpp"
#include "Tegula_Sgd.hpp"
#include "Tegula_TrainOptions.hpp"
#include "Tegula_TwoQueues.hpp"

namespace Tegula::Training {

/// One pass over the training set.
struct EpochReport {
  Score score;
  double seconds     = 0;
  std::int64_t steps = 0;

  double seconds_of_step() const { return seconds / static_cast<double>(steps); }
};

/// The training loop. A step is
///
///   forward, loss and its gradient, backward beside the gathering of the next batch, update
///
/// and the same work every second time, without a fence: it is captured and replayed. A smaller last batch is other
/// work. Batches take turns in two places, so that the next one may be gathered while this one is read. Layers but the
/// first are updated beside the gradients of the first one where that hides more than it costs.
template <class ExecutionSpace, class Storage>
class Trainer {
 public:
  using Network = Mlp<ExecutionSpace, Storage>;
  using T       = typename Network::T;
  using Data    = DeviceData<ExecutionSpace, T>;

  Trainer(const TrainOptions& options, const DataSets& sets)
      : options_(options),
        random_(options.seed),
        training_(exec(), sets.training, normalisation(sets.training), options.batch),
        test_(exec(), sets.test, normalisation(sets.training), 1000),
        network_(exec(), widths(options, sets), training_.batch(), test_.batch(), options.family, random_),
        rates_("Tegula::rates", static_cast<std::size_t>(training_.batches())),
        host_rates_(Kokkos::create_mirror(rates_)),
        step_(repeated([this](int place) { queue_step(training_.batch(), place); })),
        last_step_(repeated([this](int place) { queue_step(training_.samples_left(), place); })),
        test_step_(repeated([this](int) { queue_test_step(test_.batch()); })),
        last_test_step_(repeated([this](int) { queue_test_step(test_.samples_left()); })) {
    network_.reserve_workspace(batch_sizes(training_), batch_sizes(test_));
    training_.shuffle(random_);
  }
  Trainer(const Trainer&)            = delete;  // steps refer to it
  Trainer& operator=(const Trainer&) = delete;

  const Network& network() const { return network_; }
  std::int64_t batch() const { return training_.batch(); }
  std::size_t graph_nodes() const { return step_.graph_nodes(); }
  const ExecutionSpace& exec() const { return queues_.main(); }

  /// Whether layers but the first are updated by a kernel of their own.
  bool updates_beside() const {
    const Range others = network_.other_layers();
    return (others.end - others.begin) * network_.parameters().length >= options_.side_update_from;
  }

  /// Trains on every sample once, in a new order. progress(done) is called with the share of the epoch that is queued.
  template <class Progress>
  EpochReport train_epoch(const Progress& progress) {
    const Kokkos::Timer timer;
    begin_epoch();
    queue_steps(progress);
    training_.shuffle(random_);  // for the next epoch, while the device is busy
    const Score score = training_.score();
    return {score, timer.seconds(), training_.batches()};
  }

  /// The first part of that: the order of the samples and the rates of the epoch, and its first batch. Waits for them.
  void begin_epoch() {
    for (std::int64_t batch = 0; batch < training_.batches(); ++batch) host_rates_(batch) = next_rate();
    Kokkos::deep_copy(exec(), rates_, host_rates_);
    training_.begin_epoch(network_.inputs(training_.batch()));
  }

  /// The second part: queues its steps.
  template <class Progress>
  void queue_steps(const Progress& progress) {
    constexpr std::int64_t unit = RepeatedWork<ExecutionSpace>::times_a_graph;
    const std::int64_t batches = training_.batches(), whole = training_.whole_batches();
    const std::int64_t part = ceil_div(batches, 100 * unit) * unit;
    for (std::int64_t done = 0; done < whole; done += part) {
      step_.run(done, std::min(part, whole - done));
      progress(static_cast<double>(std::min(done + part, whole)) / static_cast<double>(batches));
    }
    if (training_.samples_left() > 0) last_step_.run(whole, 1);
  }

  /// Loss and accuracy of the test set.
  Score test() {
    test_.begin_epoch(network_.inputs(test_.batch()));
    test_step_.run(0, test_.whole_batches());
    if (test_.samples_left() > 0) last_test_step_.run(0, 1);
    return test_.score();
  }

 private:
  static std::vector<int> widths(const TrainOptions& options, const DataSets& sets) {
    std::vector<int> widths{sets.training.pixels()};
    widths.insert(widths.end(), options.hidden.begin(), options.hidden.end());
    widths.push_back(sets.classes);
    return widths;
  }

  /// The whole batch, and what is left for the last one.
  static std::vector<std::int64_t> batch_sizes(const Data& data) {
    return data.samples_left() == 0 ? std::vector{data.batch()} : std::vector{data.batch(), data.samples_left()};
  }

  template <class Queue>
  RepeatedWork<ExecutionSpace> repeated(const Queue& queue) const {
    return {exec(), queue, options_.replay};
  }

  /// Queues it on the side, behind what the main queue has so far.
  template <class Kernel>
  void queue_beside(const char* label, const Kernel& kernel) const {
    queues_.fork();
    queue_kernel(queues_.side(), label, kernel);
  }

  void queue_step(std::int64_t rows, int place) const {
    const bool updates = updates_beside();
    network_.forward(rows, place);
    training_.queue_loss(network_.logits(rows), network_.dlogits(rows));
    const auto update = [&](const Range& runs) {
      return SgdStep(network_.parameters(), runs, rates_, training_.number(), options_.momentum,
                     1.0 / static_cast<double>(rows));  // along the mean of the gradients
    };
    queue_beside("Tegula::gather_batch", training_.gather_next(network_.inputs(training_.batch(), 1 - place)));
    const auto update_others = [&] {
      if (updates) queue_beside("Tegula::update", update(network_.other_layers()));
    };
    network_.backward(rows, update_others, place);
    queues_.join();
    const Range rest = updates ? network_.first_layer() : Range{0, network_.parameters().runs};
    queue_kernel(exec(), "Tegula::update", update(rest));
  }

  void queue_test_step(std::int64_t rows) const {
    network_.forward(rows);
    test_.queue_loss(network_.logits(rows), none);
    queue_kernel(exec(), "Tegula::gather_batch", test_.gather_next(network_.inputs(test_.batch())));
  }

  /// The rate falls by equal steps, to 0 after the last one.
  T next_rate() {
    const std::int64_t steps = options_.epochs * training_.batches();
    const double share       = static_cast<double>(steps_begun_++) / static_cast<double>(steps);
    return static_cast<T>(options_.learning_rate * (1 - share));
  }

  using Rates = Kokkos::View<T*, typename ExecutionSpace::memory_space>;

  TwoQueues<ExecutionSpace> queues_;
  TrainOptions options_;
  Random random_;
  Data training_;
  Data test_;
  Network network_;
  Rates rates_;  ///< of each step of an epoch
  decltype(Kokkos::create_mirror(std::declval<const Rates&>())) host_rates_;
  RepeatedWork<ExecutionSpace> step_, last_step_, test_step_, last_test_step_;
  std::int64_t steps_begun_ = 0;
};

}  // namespace Tegula::Training

#endif
