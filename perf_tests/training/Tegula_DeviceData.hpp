// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DEVICE_DATA_HPP
#define TEGULA_DEVICE_DATA_HPP

#include <Tegula.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "Tegula_DataSet.hpp"
#include "Tegula_LossCurve.hpp"
#include "Tegula_Random.hpp"

namespace Tegula::Training {

/// inputs(row, pixel) = (images(samples(row), pixel) - mean) / deviation
template <class ImageView, class SampleView, class InputView>
struct GatherBatch {
  using Storage = typename InputView::value_type;
  using T       = accumulator_t<Storage>;

  ImageView images;
  SampleView samples;
  InputView inputs;
  T mean;
  T inverse_deviation;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t pixel) const {
    const T grey       = static_cast<T>(images(samples(row), pixel));
    inputs(row, pixel) = static_cast<Storage>((grey - mean) * inverse_deviation);
  }
};

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

/// A data set in the memory of the device, the order in which its samples are taken, and what became of each of them.
/// `T` is the type of losses.
template <class ExecutionSpace, class T>
class DeviceData {
 public:
  using memory_space = typename ExecutionSpace::memory_space;

  DeviceData(const ExecutionSpace& exec, const DataSet& set, const Normalisation& normalisation)
      : exec_(exec),
        count_(set.count),
        normalisation_(normalisation),
        images_(to_device<memory_space, ExecutionSpace, std::uint8_t**>(exec, "Tegula::images", set.images.data(),
                                                                        set.count, set.pixels())),
        labels_(to_device<memory_space, ExecutionSpace, std::uint8_t*>(exec, "Tegula::labels", set.labels.data(),
                                                                       set.count)),
        order_("Tegula::order", set.count),
        losses_("Tegula::losses", set.count),
        hits_("Tegula::hits", set.count),
        host_order_(Kokkos::create_mirror_view(order_)),
        host_losses_(Kokkos::create_mirror_view(losses_)),
        host_hits_(Kokkos::create_mirror_view(hits_)) {
    for (std::int64_t i = 0; i < count_; ++i) host_order_(i) = static_cast<std::int32_t>(i);
    Kokkos::deep_copy(exec_, order_, host_order_);
    exec_.fence();  // shuffle may come next
  }

  std::int64_t count() const { return count_; }

  /// A new order. The queue must have run out, as it has after score().
  void shuffle(Random& random) {
    random.shuffle(host_order_, count_);
    Kokkos::deep_copy(exec_, order_, host_order_);
  }

  /// Queues the copy of samples [begin, begin + rows) of the order into the rows of a batch.
  template <class InputView>
  void gather(std::int64_t begin, const InputView& inputs) const {
    using Compute = accumulator_t<typename InputView::value_type>;
    // The last index fastest, whatever the space would choose: that is how pixels lie in memory.
    using Policy =
        Kokkos::MDRangePolicy<ExecutionSpace, Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                              Kokkos::IndexType<std::int64_t>>;
    const auto rows    = static_cast<std::int64_t>(inputs.extent(0));
    const auto columns = static_cast<std::int64_t>(inputs.extent(1));
    const auto samples = part(order_, begin, rows);
    const GatherBatch<decltype(images_), decltype(samples), InputView> kernel{
        images_, samples, inputs, static_cast<Compute>(normalisation_.mean),
        static_cast<Compute>(1 / normalisation_.deviation)};
    Kokkos::parallel_for("Tegula::gather_batch", Policy(exec_, {0, 0}, {rows, columns}), kernel);
  }

  // What belongs to that batch.
  auto samples(std::int64_t begin, std::int64_t rows) const { return part(order_, begin, rows); }
  auto losses(std::int64_t begin, std::int64_t rows) const { return part(losses_, begin, rows); }
  auto hits(std::int64_t begin, std::int64_t rows) const { return part(hits_, begin, rows); }
  const auto& labels() const { return labels_; }

  /// Waits for the queue, then sums in the order of the samples: the same sum every time.
  Score score() const {
    Kokkos::deep_copy(exec_, host_losses_, losses_);
    Kokkos::deep_copy(exec_, host_hits_, hits_);
    exec_.fence();
    double loss       = 0;
    std::int64_t hits = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      loss += static_cast<double>(host_losses_(i));
      hits += host_hits_(i);
    }
    return {loss / static_cast<double>(count_), static_cast<double>(hits) / static_cast<double>(count_)};
  }

 private:
  template <class ViewType>
  static auto part(const ViewType& view, std::int64_t begin, std::int64_t rows) {
    return Kokkos::subview(view, std::make_pair(begin, begin + rows));
  }

  template <class Element>
  using Vector = Kokkos::View<Element*, memory_space>;
  template <class Element>  // Kokkos 3.4 and 5.2 have no name in common for this type
  using HostVector = decltype(Kokkos::create_mirror_view(std::declval<const Vector<Element>&>()));

  ExecutionSpace exec_;
  std::int64_t count_;
  Normalisation normalisation_;
  Kokkos::View<std::uint8_t**, Kokkos::LayoutRight, memory_space> images_;
  Kokkos::View<std::uint8_t*, Kokkos::LayoutRight, memory_space> labels_;
  Vector<std::int32_t> order_;
  Vector<T> losses_;
  Vector<std::int32_t> hits_;
  HostVector<std::int32_t> host_order_;
  HostVector<T> host_losses_;
  HostVector<std::int32_t> host_hits_;
};

}  // namespace Tegula::Training

#endif
