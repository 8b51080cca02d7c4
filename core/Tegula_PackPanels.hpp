// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PACK_PANELS_HPP
#define TEGULA_PACK_PANELS_HPP

#include <cstdint>

#include "Tegula_Call.hpp"

/// The library's part of Tegula_PackedMatrix.hpp: panels of columns, panel[k columns + j], one behind the other, as
/// microkernels of hosts read them. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// Elements of the type of sums, and columns of a panel. No elements: there is nothing to pack, or kernels do not take
/// so many columns.
struct PanelSize {
  std::int64_t elements;
  int columns;
};
PanelSize panel_size(const CallMatrix& matrix, Element accumulator);

/// Packs a matrix on all threads of exec, and waits. Hosts, and the element types that Tegula brings.
template <class ExecutionSpace>
void pack_panels_of(const ExecutionSpace& exec, const CallMatrix& matrix, Element accumulator, void* to);

/// Throws std::invalid_argument if B is packed for other instructions than those that kernels of hosts run now.
void check_panels(const Call& call);

}  // namespace Tegula::Impl

#endif
