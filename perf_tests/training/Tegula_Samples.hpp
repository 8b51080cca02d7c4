// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SAMPLES_HPP
#define TEGULA_SAMPLES_HPP

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>

#include "Tegula_BatchNumber.hpp"

namespace Tegula::Training {

/// The samples of an epoch in their order, what became of each of them, and the batch at hand. `T` is the type of
/// losses.
template <class MemorySpace, class T>
struct Samples {
  using Labels = Kokkos::View<std::uint8_t*, Kokkos::LayoutRight, MemorySpace>;

  Samples(const Labels& labels_, std::int64_t batch_)
      : labels(labels_),
        order("Tegula::order", labels.extent(0)),
        losses("Tegula::losses", labels.extent(0)),
        hits("Tegula::hits", labels.extent(0)),
        batch(batch_),
        batch_labels("Tegula::batch_labels", static_cast<std::size_t>(batch_)) {}

  Labels labels;                                   ///< the class of each sample
  Kokkos::View<std::int32_t*, MemorySpace> order;  ///< which sample comes when
  Kokkos::View<T*, MemorySpace> losses;            ///< in this order
  Kokkos::View<std::int32_t*, MemorySpace> hits;   ///< likewise
  BatchNumber<MemorySpace> number;
  std::int64_t batch;   ///< samples of a batch; the last one of an epoch may have fewer
  Labels batch_labels;  ///< of the current batch: the loss need not look up which samples it has
};

}  // namespace Tegula::Training

#endif
