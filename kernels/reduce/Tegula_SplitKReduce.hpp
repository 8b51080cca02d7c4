// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SPLIT_K_REDUCE_HPP
#define TEGULA_SPLIT_K_REDUCE_HPP

#include <cstdint>

#include "Tegula_DeviceMacros.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_KokkosCompat.hpp"
#include "Tegula_LaunchTeams.hpp"
#include "Tegula_SliceShares.hpp"
#include "Tegula_StepObserver.hpp"
#include "Tegula_TileOrder.hpp"

namespace Tegula::Impl {

/// Adds the slices of partial sums that a product left in its workspace, always in the same order, and passes the sums
/// on to the product's result.
template <class Product, class Accumulator>
struct SplitKReduce {
  Product product;

  /// The sum of every `shares`-th slice, beginning with slice number `share`. Several slices are loaded before the
  /// first is added, so that the loads overlap.
  KOKKOS_FUNCTION Accumulator sum(std::int64_t element, int share, int shares) const {
    constexpr int batch      = 8;
    const int splits         = static_cast<int>(product.split_k);
    const std::int64_t step  = shares * product.slice_size();
    const Accumulator* slice = product.slice(share) + element;
    Accumulator sum          = 0;
    for (int split = share; split < splits; split += batch * shares, slice += batch * step) {
      Accumulator values[batch];
      TEGULA_UNROLL_ON_DEVICE
      for (int b = 0; b < batch; ++b) values[b] = split + b * shares < splits ? slice[b * step] : Accumulator(0);
      TEGULA_UNROLL_ON_DEVICE
      for (int b = 0; b < batch; ++b) sum += values[b];
    }
    return sum;
  }

  KOKKOS_FUNCTION void store(std::int64_t element, Accumulator sum) const {
    const std::int64_t sums = product.shape.m * product.shape.n;
    if (element >= sums) return product.result.store_row_sum(element - sums, sum);
    const std::int64_t row = quotient(element, product.shape.n);
    product.result.store(row, element - row * product.shape.n, sum);
  }

  /// One element for each index, for hosts.
  KOKKOS_FUNCTION void operator()(std::int64_t element) const { store(element, sum(element, 0, 1)); }
};

/// The same for devices: `shares` threads, which are `elements` apart, share the slices of an element where the device
/// has threads enough, so that many loads are in flight.
template <class Product, class Accumulator>
struct SplitKReduceTeams : SplitKReduce<Product, Accumulator> {
  static constexpr int threads       = 256;  // of a team
  static constexpr int scratch_bytes = threads * static_cast<int>(sizeof(Accumulator));
  int shares, elements;

  /// For a device that runs so many threads at once.
  SplitKReduceTeams(const Product& product, std::int64_t at_once)
      : SplitKReduce<Product, Accumulator>{product},
        shares(1 << slice_shares_log2(product.slice_size(), product.split_k, at_once)),
        elements(threads / shares) {}

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const totals = static_cast<Accumulator*>(team.team_scratch(0).get_shmem_aligned(int(scratch_bytes), 16));
    const int rank     = team.team_rank();
    const std::int64_t element = static_cast<std::int64_t>(team.league_rank()) * elements + rank % elements;
    const bool inside          = element < this->product.slice_size();
    Accumulator total          = inside ? this->sum(element, rank / elements, shares) : Accumulator(0);
    totals[rank]               = total;
    team.team_barrier();
    if (rank >= elements || !inside) return;
    for (int share = 1; share < shares; ++share) total += totals[share * elements + rank];
    this->store(element, total);
  }
};

template <class Accumulator, class ExecutionSpace, class Product>
void launch_split_k_reduce(const ExecutionSpace& exec, const KernelLabel& product_label, const Product& product) {
  if (product.partial_sums == nullptr) return;
  const KernelLabel label = product_label + split_k_step;
  if constexpr (is_host_space<ExecutionSpace>) {
    using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    launch_observed(label, [&] {
      Kokkos::parallel_for(label.if_heard(), policy(exec, 0, product.slice_size()),
                           SplitKReduce<Product, Accumulator>{product});
    });
  } else {
    const SplitKReduceTeams<Product, Accumulator> kernel(product, exec.concurrency());
    const std::int64_t teams = ceil_div(product.slice_size(), kernel.elements);
    const Kokkos::TeamPolicy<ExecutionSpace> policy(exec, static_cast<int>(teams), kernel.threads);
    launch_observed(label, [&] { launch_teams(label.if_heard(), policy, kernel.scratch_bytes, kernel); });
  }
}

}  // namespace Tegula::Impl

#endif
