// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PRODUCT_LIST_HPP
#define TEGULA_PRODUCT_LIST_HPP

#include "Tegula_KokkosCompat.hpp"

/// The products that one kernel computes.

namespace Tegula::Impl {

/// The products of a call. The league has the teams of the first product, then those of the second, and so on.
template <class... Products>
struct ProductList {
  template <class Compute>
  KOKKOS_FUNCTION void with_team(std::int64_t, const Compute&) const {}
};

template <class First, class... Others>
struct ProductList<First, Others...> {
  First first;
  ProductList<Others...> others;

  explicit ProductList(const First& first_, const Others&... others_) : first(first_), others{others_...} {}

  /// Calls compute(product, work) with the work of one team of the league.
  TEGULA_CALLS_ANY_FUNCTION
  template <class Compute>
  KOKKOS_FUNCTION void with_team(std::int64_t team, const Compute& compute) const {
    if (team < first.teams()) {
      compute(first, first.work(team));
    } else {
      others.with_team(team - first.teams(), compute);
    }
  }
};

}  // namespace Tegula::Impl

#endif
