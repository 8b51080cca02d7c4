// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DEVICE_DATA_HPP
#define TEGULA_DEVICE_DATA_HPP

#include <Tegula.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "Tegula_DataSet.hpp"
#include "Tegula_GatherBatch.hpp"
#include "Tegula_IndexKernel.hpp"
#include "Tegula_LossCurve.hpp"
#include "Tegula_Random.hpp"
#include "Tegula_SoftmaxCrossEntropy.hpp"

namespace Tegula::Training {

/// A copy of host data in a memory space.
template <class MemorySpace, class ExecutionSpace, class DataType, class... Extents>
Kokkos::View<DataType, Kokkos::LayoutRight, MemorySpace> to_device(const ExecutionSpace& exec, const char* label,
                                                                   const std::uint8_t* data, Extents... extents) {
  using Const = typename Kokkos::View<DataType, Kokkos::LayoutRight, MemorySpace>::const_data_type;
  const Kokkos::View<Const, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(data, extents...);
  const Kokkos::View<DataType, Kokkos::LayoutRight, MemorySpace> device(
      Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), extents...);
  Kokkos::deep_copy(exec, device, host);
  exec.fence();  // the host data may go now
  return device;
}

/// Adds up values in double.
template <class Values>
struct SumOf {
  Values values;

  KOKKOS_FUNCTION void operator()(std::int64_t i, double& sum) const { sum += static_cast<double>(values(i)); }
};

/// A data set in the memory of the device, whose batches are taken one after the other. What a step on a batch queues
/// is the same for each: the device counts them. `T` is the type of losses.
template <class ExecutionSpace, class T>
class DeviceData {
 public:
  using memory_space = typename ExecutionSpace::memory_space;
  template <class Storage>
  using Inputs = Kokkos::View<Storage**, Kokkos::LayoutRight, memory_space>;

  DeviceData(const ExecutionSpace& exec, const DataSet& set, const Normalisation& normalisation, std::int64_t batch)
      : exec_(exec),
        count_(set.count),
        normalisation_(normalisation),
        images_(to_device<memory_space, ExecutionSpace, std::uint8_t**>(exec, "Tegula::images", set.images.data(),
                                                                        set.count, set.pixels())),
        samples_(to_device<memory_space, ExecutionSpace, std::uint8_t*>(exec, "Tegula::labels", set.labels.data(),
                                                                        set.count),
                 std::min(batch, set.count)),
        host_order_(Kokkos::create_mirror(samples_.order)) {
    for (std::int64_t i = 0; i < count_; ++i) host_order_(i) = static_cast<std::int32_t>(i);
  }

  // An epoch has so many whole batches, and one more if samples are left.
  std::int64_t count() const { return count_; }
  std::int64_t batch() const { return samples_.batch; }
  std::int64_t whole_batches() const { return count_ / batch(); }
  std::int64_t samples_left() const { return count_ % batch(); }
  std::int64_t batches() const { return whole_batches() + (samples_left() > 0 ? 1 : 0); }

  /// A new order, from the next begin_epoch on. Nothing is queued, so that the device may be busy meanwhile.
  void shuffle(Random& random) { random.shuffle(host_order_, count_); }

  /// Makes the first batch the current one, and gathers it. Waits for the copy of the order.
  template <class Storage>
  void begin_epoch(const Inputs<Storage>& inputs) const {
    Kokkos::deep_copy(exec_, samples_.order, host_order_);
    samples_.number.restart(exec_);
    queue_kernel(exec_, "Tegula::gather_batch", gather_next(inputs));
    exec_.fence();
  }

  /// The kernel that gathers the next batch, and makes it the current one. inputs have room for a whole one.
  template <class Storage>
  GatherBatch<memory_space, Storage> gather_next(const Inputs<Storage>& inputs) const {
    return {images_, samples_, inputs, normalisation_.mean, normalisation_.deviation};
  }

  /// Queues losses, hits and gradient, which may be `none`, of the current batch.
  template <class LogitView, class GradientView>
  void queue_loss(const LogitView& logits, const GradientView& gradient) const {
    softmax_cross_entropy(exec_, logits, samples_, gradient);
  }

  const BatchNumber<memory_space>& number() const { return samples_.number; }

  /// Of the last epoch. Waits for the queue. The device sums in the same order every time.
  Score score() const { return {mean(samples_.losses), mean(samples_.hits)}; }

 private:
  template <class Values>
  double mean(const Values& values) const {
    using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    double sum   = 0;
    Kokkos::parallel_reduce("Tegula::score", Policy(exec_, 0, count_), SumOf<Values>{values}, sum);
    return sum / static_cast<double>(count_);
  }

  // A copy even where the order lies in the host's memory: it may be in use. Kokkos 3.4 and 5.2 have no name in common
  // for its type.
  using HostOrder = decltype(Kokkos::create_mirror(std::declval<const Kokkos::View<std::int32_t*, memory_space>&>()));

  ExecutionSpace exec_;
  std::int64_t count_;
  Normalisation normalisation_;
  Kokkos::View<std::uint8_t**, Kokkos::LayoutRight, memory_space> images_;
  Samples<memory_space, T> samples_;
  HostOrder host_order_;
};

}  // namespace Tegula::Training

#endif
