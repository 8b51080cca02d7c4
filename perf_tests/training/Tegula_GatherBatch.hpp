// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_GATHER_BATCH_HPP
#define TEGULA_GATHER_BATCH_HPP

#include <Tegula.hpp>
#include <cstdint>

#include "Tegula_BatchNumber.hpp"
#include "Tegula_Run.hpp"

namespace Tegula::Training {

/// The next batch of samples as inputs of a network, and their batch as the current one:
///
///   inputs(row, pixel) = (images(order(next rows + row), pixel) - mean) / deviation
///
/// A thread takes a run of pixels, at once if rows are whole runs, else one by one. Rows beyond the last sample repeat
/// it. inputs lie by rows, and so do images, without gaps.
template <class MemorySpace, class Storage>
struct GatherBatch {
  using T                     = accumulator_t<Storage>;
  using Images                = Kokkos::View<std::uint8_t**, Kokkos::LayoutRight, MemorySpace>;
  using Inputs                = Kokkos::View<Storage**, Kokkos::LayoutRight, MemorySpace>;
  static constexpr int length = run_length<MemorySpace, Storage>;

  GatherBatch(const Images& images_, const Kokkos::View<std::int32_t*, MemorySpace>& order_, const Inputs& inputs_,
              const BatchNumber<MemorySpace>& number_, double mean_, double deviation)
      : images(images_),
        order(order_),
        inputs(inputs_),
        number(number_),
        runs((static_cast<int>(inputs_.extent(1)) + length - 1) / length),
        whole(inputs_.extent(1) % length == 0 && inputs_.stride(0) % length == 0),
        mean(static_cast<T>(mean_)),
        inverse_deviation(static_cast<T>(1 / deviation)) {}

  Images images;
  Kokkos::View<std::int32_t*, MemorySpace> order;
  Inputs inputs;
  BatchNumber<MemorySpace> number;
  int runs;    ///< of a row
  bool whole;  ///< runs
  T mean;
  T inverse_deviation;

  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(inputs.extent(0)) * runs; }

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t row  = i / runs;
    const int pixels        = static_cast<int>(inputs.extent(1));
    const int first         = static_cast<int>(i - row * runs) * length;
    const std::int64_t last = static_cast<std::int64_t>(order.extent(0)) - 1;
    const std::int64_t at   = number.next() * static_cast<std::int64_t>(inputs.extent(0)) + row;
    const auto* image       = images.data() + static_cast<std::int64_t>(order(at < last ? at : last)) * pixels;
    Storage* input          = inputs.data() + row * static_cast<std::int64_t>(inputs.stride(0));
    if (i == 0) number.take_next();
    if (whole) {
      const auto grey = load_run<length>(image + first, 0);
      Run<Storage, length> run;
      for (int e = 0; e < length; ++e) run[e] = normalised(grey[e]);
      store_run(input + first, 0, run);
    } else {
      const int end = first + length < pixels ? first + length : pixels;
      for (int pixel = first; pixel < end; ++pixel) input[pixel] = normalised(image[pixel]);
    }
  }

 private:
  KOKKOS_FUNCTION Storage normalised(std::uint8_t grey) const {
    return static_cast<Storage>((static_cast<T>(grey) - mean) * inverse_deviation);
  }
};

}  // namespace Tegula::Training

#endif
