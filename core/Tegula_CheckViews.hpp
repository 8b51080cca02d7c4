// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CHECK_VIEWS_HPP
#define TEGULA_CHECK_VIEWS_HPP

#include "Tegula_Check.hpp"
#include "Tegula_Scalar.hpp"

/// How Views become the arguments that are checked.

namespace Tegula::Impl {

/// Name of an element type; a workspace is made of bytes.
template <class Element>
constexpr const char* scalar_name() {
  if constexpr (Scalar<Element>) {
    return ScalarTraits<Element>::name;
  } else {
    return "byte";
  }
}

template <class ExecutionSpace, class ViewType>
void ArgumentList::add(const char* role, Access access, const ViewType& view) {
  if constexpr (!is_none<ViewType>) {
    using element      = typename ViewType::non_const_value_type;
    constexpr int rank = static_cast<int>(ViewType::rank);
    static_assert(rank == 1 || rank == 2);
    Argument& argument = arguments_[count_++];
    argument           = {role,
                          access,
                          scalar_name<element>(),
                          sizeof(element),
                          rank,
                          view.data(),
                          {1, 1},
                          {0, 0},
                          Kokkos::SpaceAccessibility<ExecutionSpace, typename ViewType::memory_space>::accessible,
                          &view,
                          [](const void* v) { return static_cast<const ViewType*>(v)->label(); }};
    for (int r = 0; r < rank; ++r) {
      argument.extent[2 - rank + r] = static_cast<std::int64_t>(view.extent(r));
      argument.stride[2 - rank + r] = static_cast<std::int64_t>(view.stride(r));
    }
  }
}

}  // namespace Tegula::Impl

#endif
