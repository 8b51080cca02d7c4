// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SPLIT_REDUCE_HPP
#define TEGULA_SPLIT_REDUCE_HPP

#include <string>

#include "Tegula_KokkosCompat.hpp"

namespace Tegula::Impl {

/// Adds the slices of partial sums that a product left in its workspace, always in the order of the splits, and passes
/// the sums on to the product's result. One element an index.
template <class Product, class Accumulator>
struct SplitReduce {
  Product product;

  KOKKOS_FUNCTION void operator()(std::int64_t element) const {
    Accumulator sum = 0;
    for (std::int64_t split = 0; split < product.split_k; ++split) sum += product.slice(split)[element];
    const std::int64_t sums = product.shape.m * product.shape.n;
    if (element < sums) {
      product.result.store(element / product.shape.n, element % product.shape.n, sum);
    } else {
      product.result.store_row_sum(element - sums, sum);
    }
  }
};

template <class Accumulator, class ExecutionSpace, class Product>
void launch_split_reduce(const ExecutionSpace& exec, const std::string& label, const Product& product) {
  if (product.partial_sums == nullptr) return;
  using policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label + "[split_reduce]", policy(exec, 0, product.slice_size()),
                       SplitReduce<Product, Accumulator>{product});
}

}  // namespace Tegula::Impl

#endif
