// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_PRODUCTS_HPP
#define TEGULA_HOST_PRODUCTS_HPP

#include <array>
#include <optional>

#include "Tegula_HostCallbacks.hpp"
#include "Tegula_HostKernel.hpp"

/// From a call to the products that a host computes, for sums of type T. Nothing here needs Kokkos.

namespace Tegula::Impl {

template <class T>
HostMatrix<T> host_matrix(const CallMatrix& m, const Call& call, Instructions instructions) {
  if (m.data == nullptr) return {};
  if (m.element == call.accumulator) return {m.data, m.row_stride, m.column_stride};
  return {m.data, m.row_stride, m.column_stride, host_elements(m, instructions)};
}

/// The operands and the result of the one product of gemm. What stores the result runs its own set of instructions.
template <class T>
HostOperand<T> host_left(const Call& call, Instructions instructions) {
  return {host_matrix<T>(call.A, call, instructions)};
}
template <class T>
HostOperand<T> host_right(const Call& call, Instructions instructions) {
  return {host_matrix<T>(call.B, call, instructions).transposed(),
          {},
          {},
          static_cast<const T*>(call.B_panels.data),
          call.B.rows};
}
template <class T>
HostResult<T> host_result(const Call& call, Instructions instructions, Instructions finishing) {
  const auto matrix = [&](const CallMatrix& m) { return host_matrix<T>(m, call, instructions); };
  return {matrix(call.C), T(call.alpha), T(call.beta), matrix(call.bias), matrix(call.Z), host_value(call, finishing)};
}

/// The products of gemm_backward, dA and dB^T. What stores dA runs its own set of instructions, and finds in `below`
/// what a layer below multiplies it by, if there is one.
template <class T>
std::array<HostSides<T>, 2> host_gradients(const Call& call, Instructions instructions, Instructions finishing,
                                           std::optional<HostBelow<T>>& below) {
  const auto matrix = [&](const CallMatrix& m) { return host_matrix<T>(m, call, instructions); };
  const auto beta   = [](Update update) { return T(update == Update::accumulate ? 1 : 0); };
  const HostOperand<T> dZ{matrix(call.dC), matrix(call.saved), host_slope(call, call.accumulator, instructions)};
  const HostOperand<T> dZ_transposed{dZ.matrix.transposed(), dZ.saved.transposed(), dZ.slope};
  HostResult<T> dA{matrix(call.dA), T(call.alpha_of(call.dA_shape())), beta(call.update_dA)};
  if (call.below && !call.below->is_identity()) {
    below    = HostBelow<T>{matrix(call.below->saved), host_slope(*call.below, call.accumulator, finishing)};
    dA.below = &*below;
  }
  const HostResult<T> dB{
      matrix(call.dB).transposed(), T(call.alpha_of(call.dB_shape())),      beta(call.update_dB), {}, {}, {},
      matrix(call.dbias),           call.update_dbias == Update::accumulate};
  return {HostSides<T>{dZ, {matrix(call.B)}, dA}, HostSides<T>{dZ_transposed, {matrix(call.A).transposed()}, dB}};
}

/// Calls run(call) with a planned call as the host's kernel takes it.
template <class T, class Run>
void with_host_call(const Call& call, const Plan& plan, char* workspace, const Run& run) {
  const Instructions instructions = host_instructions();
  if (call.is_backward) {
    const Instructions finishing = finishing_instructions(instructions, plan.products[0].split_k);
    std::optional<HostBelow<T>> below;
    const std::array<HostSides<T>, 2> sides = host_gradients<T>(call, instructions, finishing, below);
    const auto product                      = [&](std::size_t p, char* memory) {
      return HostProduct<T>([&] { return sides[p].left; }, [&] { return sides[p].right; },
                            [&] { return sides[p].result; }, plan.products[p], memory);
    };
    const HostProduct<T> products[] = {product(0, workspace), product(1, workspace + plan.products[0].workspace_bytes)};
    run(HostCall<T>{products, instructions, &plan});
  } else {
    const Instructions finishing = finishing_instructions(instructions, plan.products[0].split_k);
    const HostProduct<T> product(
        [&] { return host_left<T>(call, instructions); }, [&] { return host_right<T>(call, instructions); },
        [&] { return host_result<T>(call, instructions, finishing); }, plan.products[0], workspace);
    run(HostCall<T>{{&product, 1}, instructions, &plan});
  }
}

}  // namespace Tegula::Impl

#endif
