// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PackPanels.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "Tegula_HostKernel.hpp"
#include "Tegula_HostPanels.hpp"
#include "Tegula_HostProducts.hpp"
#include "Tegula_Instances.hpp"

namespace Tegula::Impl {
namespace {

RegisterTileShape register_tile_of(Element accumulator) {
  const Instructions instructions = host_instructions();
  return accumulator == Element::f64 ? register_tile<double>(instructions) : register_tile<float>(instructions);
}

/// Columns of a matrix are the lines of an operand, k x n.
template <class T>
HostOperand<T> columns_of(const CallMatrix& matrix, Element accumulator, Instructions instructions) {
  Call call;
  call.accumulator = accumulator;
  return {host_matrix<T>(matrix, call, instructions).transposed()};
}

template <class T>
struct PackGroup {
  Instructions instructions;
  HostOperand<T> operand;
  std::int64_t lines, depth;
  T* to;

  void operator()(int group) const { pack_group(instructions, operand, lines, depth, group, to); }
};

template <class T, class ExecutionSpace>
void pack_all(const ExecutionSpace& exec, const CallMatrix& matrix, Element accumulator, T* to) {
  const Instructions instructions = host_instructions();
  const HostOperand<T> operand    = columns_of<T>(matrix, accumulator, instructions);
  const Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>> groups(
      exec, 0, panel_groups<T>(instructions, matrix.columns));
  Kokkos::parallel_for("Tegula::pack", groups, PackGroup<T>{instructions, operand, matrix.columns, matrix.rows, to});
  exec.fence();
}

}  // namespace

PanelSize panel_size(const CallMatrix& matrix, Element accumulator) {
  const RegisterTileShape shape = register_tile_of(accumulator);
  if (matrix.rows == 0 || matrix.columns == 0 || matrix.columns > std::numeric_limits<int>::max() - shape.columns)
    return {0, 0};
  const VectorPanels panels(static_cast<int>(matrix.columns), shape);
  return {panels.padded_lines() * matrix.rows, shape.columns};
}

template <class ExecutionSpace>
void pack_panels_of(const ExecutionSpace& exec, const CallMatrix& matrix, Element accumulator, void* to) {
  if (accumulator == Element::f64) {
    pack_all(exec, matrix, accumulator, static_cast<double*>(to));
  } else {
    pack_all(exec, matrix, accumulator, static_cast<float*>(to));
  }
}

void check_panels(const Call& call) {
  if (call.B_panels.data == nullptr) return;
  const int columns = register_tile_of(call.accumulator).columns;
  if (call.B_panels.columns == columns) return;
  throw std::invalid_argument(std::string("Tegula::") + call.name + ": B was packed in panels of " +
                              std::to_string(call.B_panels.columns) + " columns, kernels for " +
                              name(host_instructions()) + " read " + std::to_string(columns));
}

#define TEGULA_PACK_PANELS(PREFIX, SPACE, ...) \
  PREFIX template void pack_panels_of(const SPACE&, const CallMatrix&, Element, void*);
TEGULA_HOST_SPACES(TEGULA_PACK_PANELS, , )

}  // namespace Tegula::Impl
