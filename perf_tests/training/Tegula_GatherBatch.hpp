// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GATHER_BATCH_HPP
#define TEGULA_GATHER_BATCH_HPP

#include <Tegula.hpp>
#include <cstdint>

#include "Tegula_Run.hpp"
#include "Tegula_Samples.hpp"

namespace Tegula::Training {

/// The next batch of samples as inputs of a network, their labels, and their batch as the current one:
///
///   inputs(row, pixel) = (images(order(next rows + row), pixel) - mean) / deviation
///
/// A thread takes a run of pixels, at once if rows are whole runs, else one by one. Rows beyond the last sample repeat
/// it. inputs have a row for each sample of a batch, one behind the other, and so do images, without gaps.
template <class MemorySpace, class Storage>
struct GatherBatch {
  using T                     = accumulator_t<Storage>;
  using Images                = Kokkos::View<std::uint8_t**, Kokkos::LayoutRight, MemorySpace>;
  using Inputs                = Kokkos::View<Storage**, Kokkos::LayoutRight, MemorySpace>;
  static constexpr int length = run_length<MemorySpace, Storage>;

  GatherBatch(const Images& images_, const Samples<MemorySpace, T>& samples, const Inputs& inputs_, double mean_,
              double deviation)
      : images(images_.data()),
        order(samples.order.data()),
        labels(samples.labels.data()),
        batch_labels(samples.batch_labels.data()),
        inputs(inputs_.data()),
        number(samples.number),
        last(static_cast<std::int64_t>(samples.order.extent(0)) - 1),
        rows(samples.batch),
        pitch(static_cast<std::int64_t>(inputs_.stride(0))),
        pixels(static_cast<int>(inputs_.extent(1))),
        runs((pixels + length - 1) / length),
        whole(pixels % length == 0 && pitch % length == 0),
        mean(static_cast<T>(mean_)),
        inverse_deviation(static_cast<T>(1 / deviation)) {}

  // Pointers, since a GPU takes a moment for every 64 bytes of a kernel's arguments.
  const std::uint8_t* images;
  const std::int32_t* order;
  const std::uint8_t* labels;
  std::uint8_t* batch_labels;
  Storage* inputs;
  BatchNumber<MemorySpace> number;
  std::int64_t last;  ///< in the order
  std::int64_t rows, pitch;
  int pixels;
  int runs;    ///< of a row
  bool whole;  ///< runs
  T mean;
  T inverse_deviation;

  KOKKOS_FUNCTION std::int64_t size() const { return rows * runs; }

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t row    = i / runs;
    const int first           = static_cast<int>(i - row * runs) * length;
    const std::int64_t at     = number.next() * rows + row;
    const auto sample         = static_cast<std::int64_t>(order[at < last ? at : last]);
    const std::uint8_t* image = images + sample * pixels;
    Storage* input            = inputs + row * pitch;
    const std::uint8_t label  = first == 0 ? labels[sample] : 0;  // asked for beside the image
    if (whole) {
      const auto grey = load_run<length>(image + first, 0);
      Run<Storage, length> run;
      for (int e = 0; e < length; ++e) run[e] = normalised(grey[e]);
      store_run(input + first, 0, run);
    } else {
      const int end = first + length < pixels ? first + length : pixels;
      for (int pixel = first; pixel < end; ++pixel) input[pixel] = normalised(image[pixel]);
    }
    if (first == 0) batch_labels[row] = label;
    if (i == 0) number.take_next();
  }

 private:
  KOKKOS_FUNCTION Storage normalised(std::uint8_t grey) const {
    return static_cast<Storage>((static_cast<T>(grey) - mean) * inverse_deviation);
  }
};

}  // namespace Tegula::Training

#endif
