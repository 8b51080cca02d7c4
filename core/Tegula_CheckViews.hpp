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
    argument.role      = role;
    argument.access    = access;
    argument.scalar    = scalar_name<element>();
    argument.rank      = rank;
    argument.reachable = Kokkos::SpaceAccessibility<ExecutionSpace, typename ViewType::memory_space>::accessible;
    argument.view      = &view;
    argument.label     = [](const void* v) { return static_cast<const ViewType*>(v)->label(); };
    // A vector has one row.
    argument.memory.begin     = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view.data()));
    argument.memory.bytes     = sizeof(element);
    argument.memory.extent[0] = 1;
    argument.memory.stride[0] = 0;
    for (int r = 0; r < rank; ++r) {
      argument.memory.extent[2 - rank + r] = static_cast<std::int64_t>(view.extent(r));
      argument.memory.stride[2 - rank + r] = static_cast<std::int64_t>(view.stride(r));
    }
  }
}

}  // namespace Tegula::Impl

#endif
