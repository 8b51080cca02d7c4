// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that is repeated, and whole training steps: the same, bit for bit, however they are queued.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "Tegula_IndexKernel.hpp"
#include "Tegula_RepeatedWork.hpp"
#include "Tegula_StepKernels.hpp"
#include "Tegula_TestRandom.hpp"
#include "Tegula_Trainer.hpp"
#include "Tegula_TwoQueues.hpp"

namespace Tegula::Training {
namespace {

using Space  = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

/// numbers(i) = 3 numbers(i) + added, which depends on how often it ran, and in which order with others.
struct Advance {
  Kokkos::View<std::uint32_t*, Memory> numbers;
  std::uint32_t added = 1;

  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(numbers.extent(0)); }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { numbers(i) = 3 * numbers(i) + added; }
};

TEST(RepeatedWork, runs_as_often_as_asked) {
  for (const Replay replay : {Replay::graphs, Replay::none}) {
    const Kokkos::View<std::uint32_t*, Memory> numbers("numbers", 100);
    const Space exec;
    const auto added = [](std::int64_t number) { return static_cast<std::uint32_t>(1 + number % 2); };
    RepeatedWork<Space> work(
        exec,
        [&](int place) {
          queue_kernel(exec, "advance", Advance{numbers, added(place)});
        },
        replay);
    std::uint32_t expected = 0;
    for (const std::int64_t first : {0, 1, 6}) {
      for (const int times : {0, 1, 0, 2, 15, 16, 17, 33, 100}) {
        work.run(first, times);
        for (int time = 0; time < times; ++time) expected = 3 * expected + added(first + time);
        const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);
        for (std::size_t i = 0; i < found.extent(0); ++i)
          ASSERT_EQ(found(i), expected) << times << " times from " << first << " on";
      }
    }
    const bool is_cuda = std::string(Space::name()) == "Cuda";
    EXPECT_EQ(work.graph_nodes(), is_cuda && replay == Replay::graphs ? 1u : 0u);
  }
}

#if defined(KOKKOS_ENABLE_CUDA)
TEST(RepeatedWork, what_cannot_be_captured_is_said_and_does_no_harm) {
  const Kokkos::Cuda exec;
  const Advance advance{Kokkos::View<std::uint32_t*, Memory>("numbers", 100)};
  RepeatedWork<Kokkos::Cuda> fencing(
      exec,
      [&](int) {
        queue_kernel(exec, "advance", advance);
        if (cudaStreamSynchronize(exec.cuda_stream()) != cudaSuccess) throw std::runtime_error("it waits");
      },
      Replay::graphs);
  EXPECT_THROW(fencing.run(0, 2), std::runtime_error);
  RepeatedWork<Kokkos::Cuda> work(
      exec, [&](int) { queue_kernel(exec, "advance", advance); }, Replay::graphs);
  work.run(0, 5);
  exec.fence();
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), advance.numbers);
  EXPECT_EQ(found(99), 364u) << "six times: once before it was captured";
}
#endif

/// All that a training run tells.
struct Course {
  std::vector<double> scores;
  std::vector<double> masters;

  bool operator==(const Course&) const = default;
};

template <class Network>
std::vector<double> masters_of(const Network& network) {
  const auto master = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), network.parameters().master);
  std::vector<double> masters;
  for (std::size_t i = 0; i < master.extent(0); ++i) masters.push_back(static_cast<double>(master(i)));
  return masters;
}

template <class Storage>
Course course(const DataSets& sets, TrainOptions options, Replay replay) {
  options.replay = replay;
  Trainer<Space, Storage> trainer(options, sets);
  Course course;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    const EpochReport report = trainer.train_epoch([](double) {});
    EXPECT_GT(report.seconds_of_step(), 0);
    for (const Score& score : {report.score, trainer.test()}) {
      course.scores.push_back(score.loss);
      course.scores.push_back(score.accuracy);
    }
  }
  course.masters = masters_of(trainer.network());
  return course;
}

/// Labels that can be learnt: the class is the brightest of the first pixels.
DataSets easy_sets(int count) {
  DataSets sets = noise(count, 50, 7);
  for (DataSet* set : {&sets.training, &sets.test}) {
    for (std::int64_t i = 0; i < set->count; ++i) set->images[i * 50 + set->labels[i]] = 255;
  }
  sets.test = sets.training;
  return sets;
}

TrainOptions some_options(std::int64_t batch) {
  TrainOptions options;
  options.hidden = {33, 16};
  options.batch  = batch;
  options.epochs = 4;
  return options;
}

template <class Storage>
void compare_replay(int count, std::int64_t batch) {
  SCOPED_TRACE(std::string(ScalarTraits<Storage>::name) + ", batches of " + std::to_string(batch));
  const DataSets sets     = easy_sets(count);
  const Course with_graph = course<Storage>(sets, some_options(batch), Replay::graphs);
  EXPECT_EQ(with_graph, course<Storage>(sets, some_options(batch), Replay::none));
  EXPECT_EQ(with_graph, course<Storage>(sets, some_options(batch), Replay::graphs)) << "a second time";
  for (const double score : with_graph.scores) EXPECT_TRUE(std::isfinite(score));
}

TEST(Trainer, graphs_change_nothing) {
  for (const std::int64_t batch : {32, 100, 301, 1000}) {  // whole batches, some left, one left, more than there are
    compare_replay<float>(1003, batch);
    compare_replay<double>(1003, batch);
    compare_replay<half_t>(1003, batch);
    compare_replay<bhalf_t>(1003, batch);
  }
  compare_replay<float>(1024, 32);
}

/// The masters after an epoch of steps one after the other, whose batches all lie in the first place.
template <class Storage>
std::vector<double> masters_of_plain_steps(const DataSets& sets, const TrainOptions& options) {
  using T = accumulator_t<Storage>;
  Random random(options.seed);
  const Space exec;
  DeviceData<Space, T> data(exec, sets.training, normalisation(sets.training), options.batch);
  std::vector<int> widths{sets.training.pixels()};
  widths.insert(widths.end(), options.hidden.begin(), options.hidden.end());
  widths.push_back(sets.classes);
  const Mlp<Space, Storage> network(exec, widths, data.batch(), data.batch(), options.family, random);
  const Kokkos::View<T*, Memory> rates("rates", static_cast<std::size_t>(data.batches()));
  const auto host_rates = Kokkos::create_mirror(rates);
  for (std::int64_t b = 0; b < data.batches(); ++b)
    host_rates(b) = static_cast<T>(options.learning_rate *
                                   (1 - static_cast<double>(b) / static_cast<double>(options.epochs * data.batches())));
  Kokkos::deep_copy(rates, host_rates);
  data.shuffle(random);
  data.begin_epoch(network.inputs(data.batch()));
  for (std::int64_t b = 0; b < data.batches(); ++b) {
    const std::int64_t rows = b < data.whole_batches() ? data.batch() : data.samples_left();
    network.forward(rows);
    data.queue_loss(network.logits(rows), network.dlogits(rows));
    network.backward(rows, [] {});
    queue_kernel(exec, "update",
                 SgdStep(network.parameters(), Range{0, network.parameters().runs}, rates, data.number(),
                         options.momentum, 1.0 / static_cast<double>(rows)));
    queue_kernel(exec, "gather", data.gather_next(network.inputs(data.batch())));
  }
  exec.fence();
  return masters_of(network);
}

template <class Storage>
void compare_with_plain_steps(const DataSets& sets, const TrainOptions& options) {
  SCOPED_TRACE(std::string(ScalarTraits<Storage>::name) + ", batches of " + std::to_string(options.batch));
  Trainer<Space, Storage> trainer(options, sets);
  trainer.train_epoch([](double) {});
  EXPECT_EQ(masters_of(trainer.network()), masters_of_plain_steps<Storage>(sets, options));
}

TEST(Trainer, batches_in_two_places_change_nothing) {
  const DataSets sets = easy_sets(1003);
  for (const std::int64_t batch : {32, 100, 101, 501, 1003}) {  // even and odd numbers of batches, some left or none
    compare_with_plain_steps<float>(sets, some_options(batch));
    compare_with_plain_steps<double>(sets, some_options(batch));
    compare_with_plain_steps<bhalf_t>(sets, some_options(batch));
  }
}

TEST(Trainer, updates_beside_gradients_change_nothing) {
  const DataSets sets  = easy_sets(1003);
  TrainOptions options = some_options(100);
  const Course behind  = course<bhalf_t>(sets, options, Replay::graphs);
  EXPECT_FALSE((Trainer<Space, bhalf_t>(options, sets).updates_beside()));
  options.side_update_from = 0;
  EXPECT_TRUE((Trainer<Space, bhalf_t>(options, sets).updates_beside()));
  for (const Replay replay : {Replay::graphs, Replay::none}) {
    EXPECT_EQ(behind, course<bhalf_t>(sets, options, replay));
    EXPECT_EQ(course<double>(sets, some_options(100), replay), course<double>(sets, options, replay));
  }
}

TEST(TwoQueues, wait_for_each_other) {
  const TwoQueues<Space> queues;
  const Advance advance{Kokkos::View<std::uint32_t*, Memory>("numbers", 1 << 20)};
  for (int turn = 0; turn < 20; ++turn) {
    queue_kernel(queues.main(), "on_main", advance);
    queues.fork();
    queue_kernel(queues.side(), "on_side", advance);
    queues.join();
  }
  queues.main().fence();
  std::uint32_t expected = 0;
  for (int time = 0; time < 40; ++time) expected = 3 * expected + 1;
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), advance.numbers);
  for (std::size_t i = 0; i < found.extent(0); ++i) ASSERT_EQ(found(i), expected) << i;
}

TEST(Trainer, learns_and_sees_every_sample_once) {
  const DataSets sets   = easy_sets(1003);
  TrainOptions options  = some_options(32);
  options.epochs        = 20;
  const Course learnt   = course<float>(sets, options, Replay::graphs);
  const std::size_t end = learnt.scores.size();
  EXPECT_LT(learnt.scores[end - 4], learnt.scores[0]) << "training loss";
  EXPECT_GT(learnt.scores[end - 1], 0.9) << "accuracy of the test";
  options.seed = 2;
  EXPECT_FALSE(learnt == course<float>(sets, options, Replay::graphs)) << "of another seed";
}

TEST(Trainer, a_step_is_that_of_formulas_in_double) {
  // One batch of all samples, without momentum: the loss of the second epoch is that after one step down the gradient,
  // which the masters show: a small step lowers the loss by rate |gradient|^2.
  const DataSets sets   = easy_sets(64);
  TrainOptions options  = some_options(64);
  options.momentum      = 0;
  options.epochs        = 1;
  options.learning_rate = 1e-6;
  Trainer<Space, double> trainer(options, sets);
  const auto before = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), trainer.network().parameters().master);
  const auto start  = Kokkos::create_mirror(before);
  Kokkos::deep_copy(start, before);
  const double loss = trainer.train_epoch([](double) {}).score.loss;
  const auto after  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), trainer.network().parameters().master);
  double squares    = 0;
  for (std::size_t i = 0; i < after.extent(0); ++i) {
    const double slope = (start(i) - after(i)) / options.learning_rate;
    squares += slope * slope;
  }
  EXPECT_GT(squares, 0.1);
  EXPECT_NEAR((loss - trainer.test().loss) / (options.learning_rate * squares), 1, 1e-3);
}

TEST(Trainer, kernels_beside_others_are_among_those_of_a_step) {
  const DataSets sets      = easy_sets(200);
  TrainOptions options     = some_options(32);
  options.side_update_from = 0;
  const Trainer<Space, float> trainer(options, sets);
  std::vector<std::string> ours;
  for (const StepKernel& kernel : kernels_of_step(trainer, false).kernels)
    if (kernel.label.find('[') == std::string::npos) ours.push_back(kernel.label);
  EXPECT_EQ(ours, (std::vector<std::string>{"Tegula::softmax_cross_entropy", "Tegula::gather_batch", "Tegula::update",
                                            "Tegula::update"}));
}

TEST(Trainer, kernels_of_a_step) {
  const DataSets sets = easy_sets(200);
  Trainer<Space, float> trainer(some_options(32), sets);
  for (const bool measures : {false, true}) {
    const StepKernels step = kernels_of_step(trainer, measures);
    ASSERT_GE(step.kernels.size(), 3u + 1 + 1 + 3 + 1);
    EXPECT_EQ(step.kernels.back().label, "Tegula::update");
    EXPECT_EQ(step.kernels.front().what, "computes C, 32x33x50");
    EXPECT_EQ(step.products_measured > 0, measures);
    const std::string table = text(step, 1e-3);
    EXPECT_NE(table.find(std::to_string(step.kernels.size()) + " kernels of a step"), std::string::npos) << table;
    EXPECT_EQ(table.find("measured ", table.find("products:")) != std::string::npos, measures) << table;
  }
}

TEST(Noise, has_what_is_asked_for) {
  const DataSets sets = noise(1000, 17, 5), again = noise(1000, 17, 5);
  EXPECT_EQ(sets.classes, 5);
  EXPECT_EQ(sets.training.pixels(), 17);
  EXPECT_EQ(sets.training.images, again.training.images);
  EXPECT_EQ(sets.training.images.size(), 17000u);
  std::vector<int> seen(5, 0);
  for (const std::uint8_t label : sets.training.labels) ++seen.at(label);
  for (const int count : seen) EXPECT_GT(count, 100);
}

}  // namespace
}  // namespace Tegula::Training
