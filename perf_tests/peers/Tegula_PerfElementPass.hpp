// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_ELEMENT_PASS_HPP
#define TEGULA_PERF_ELEMENT_PASS_HPP

#include <algorithm>
#include <type_traits>

#include "Tegula_KokkosCompat.hpp"
#include "Tegula_PerfMatrix.hpp"
#include "Tegula_PerfPack.hpp"

/// Passes over memory that a code makes around the gemm of a BLAS, which fuses nothing, as a careful user writes them:
/// on a device 16 bytes at a time, with several loads in flight in each thread; on a host along lines that the compiler
/// vectorises. Labels begin with "peer::".
///
/// A line is a row of a row-major matrix, a column of a column-major one. Lines follow each other without a gap, so
/// that element e is the one at offset e % length of line e / length.

namespace Tegula::Perf {

/// C = act(C + bias), the bias for each column, whose elements lie along a line or are the same for all of it.
template <class T, class Activation, bool ByRows>
struct BiasActivation {
  using accumulator          = accumulator_t<T>;
  static constexpr int width = pack_width<T>;
  struct Inputs {
    Pack<T> c;
    Pack<T, ByRows ? width : 1> addends;
  };

  T* C;
  const T* bias;
  std::int64_t length;
  Activation activation;

  KOKKOS_FUNCTION T* out() const { return C; }

  // The bias is loaded together with C: loaded after C has come, it would be a second wait.
  KOKKOS_FUNCTION Inputs load(std::int64_t first) const {
    const std::int64_t line = quotient(first, length), offset = first - line * length;
    Inputs inputs;
    inputs.c = load_pack<width>(C + first);
    if constexpr (!ByRows) {
      inputs.addends.set(0, bias[line]);
    } else if (length % width == 0) {
      inputs.addends = load_pack<width>(bias + offset);
    } else {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < width; ++i) inputs.addends.set(i, bias[(offset + i) % length]);
    }
    return inputs;
  }

  // A pack may begin anywhere in a line, and go on into the next ones.
  KOKKOS_FUNCTION Pack<T> pack(const Inputs& inputs, std::int64_t first) const {
    Pack<T> result;
    const bool in_one_line = ByRows || quotient(first, length) == quotient(first + width - 1, length);
    if (in_one_line) {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < width; ++i) result.set(i, value(inputs.c[i], inputs.addends[ByRows ? i : 0]));
    } else {
      TEGULA_UNROLL_ON_DEVICE
      for (int i = 0; i < width; ++i) result.set(i, value(inputs.c[i], bias[quotient(first + i, length)]));
    }
    return result;
  }

  KOKKOS_FUNCTION void element(std::int64_t line, std::int64_t offset) const {
    T& c = C[line * length + offset];
    c    = value(c, bias[ByRows ? offset : line]);
  }

  KOKKOS_FUNCTION T value(T c, T addend) const {
    return static_cast<T>(activation(static_cast<accumulator>(c) + static_cast<accumulator>(addend)));
  }
};

/// dZ = dC act'(saved)
template <class T, class Activation>
struct Derivative {
  using accumulator = accumulator_t<T>;
  struct Inputs {
    Pack<T> dC, saved;
  };

  const T *dC, *saved;
  T* dZ;
  std::int64_t length;
  Activation activation;

  KOKKOS_FUNCTION T* out() const { return dZ; }
  KOKKOS_FUNCTION Inputs load(std::int64_t first) const {
    return {load_pack<pack_width<T>>(dC + first), load_pack<pack_width<T>>(saved + first)};
  }

  KOKKOS_FUNCTION Pack<T> pack(const Inputs& inputs, std::int64_t) const {
    Pack<T> result;
    TEGULA_UNROLL_ON_DEVICE
    for (int i = 0; i < pack_width<T>; ++i) result.set(i, static_cast<T>(value(inputs.dC[i], inputs.saved[i])));
    return result;
  }

  KOKKOS_FUNCTION void element(std::int64_t line, std::int64_t offset) const {
    const std::int64_t e = line * length + offset;
    dZ[e]                = static_cast<T>(value(dC[e], saved[e]));
  }

  KOKKOS_FUNCTION accumulator value(T dc, T kept) const {
    return static_cast<accumulator>(dc) * activation.derivative(static_cast<accumulator>(kept));
  }
};

/// On a host: an item is a line.
template <class Pass>
struct LineWalk {
  Pass pass;
  std::int64_t length;

  KOKKOS_FUNCTION void operator()(std::int64_t line) const {
    for (std::int64_t offset = 0; offset < length; ++offset) pass.element(line, offset);
  }
};

/// On a device: an item is a number of packs, each `items` behind the last one, so that neighbouring threads touch
/// neighbouring packs. The first items take the elements behind the last whole pack, too.
template <class T, class Pass, int Packs>
struct PackWalk {
  static constexpr int width = pack_width<T>;

  Pass pass;
  std::int64_t elements, length;
  std::int64_t items;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t packs = elements / width;
    typename Pass::Inputs inputs[Packs];
    TEGULA_UNROLL_ON_DEVICE
    for (int p = 0; p < Packs; ++p)
      if (item + p * items < packs) inputs[p] = pass.load((item + p * items) * width);
    TEGULA_UNROLL_ON_DEVICE
    for (int p = 0; p < Packs; ++p) {
      const std::int64_t first = (item + p * items) * width;
      if (item + p * items < packs) pass.pack(inputs[p], first).store(pass.out() + first);
    }
    const std::int64_t left = packs * width + item;
    if (left < elements) pass.element(left / length, left % length);
  }
};

namespace Impl {

template <int Packs, class T, class Pass>
void walk_packs(const char* label, const ExecutionSpace& exec, const Pass& pass, std::int64_t elements,
                std::int64_t length) {
  const std::int64_t packs = elements / pack_width<T>;
  const std::int64_t items = std::max(ceil_div(packs, Packs), elements - packs * pack_width<T>);
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, items),
                       PackWalk<T, Pass, Packs>{pass, elements, length, items});
}

template <class T, class Pass>
void walk(const char* label, const ExecutionSpace& exec, const Pass& pass, std::int64_t elements, std::int64_t length) {
  if constexpr (runs_on_host) {
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, elements / length),
        LineWalk<Pass>{pass, length});
  } else {  // as soon as one pack a thread would occupy the device more than so often, a thread has as many
    constexpr int several = 4;
    if (elements / pack_width<T> >= several * static_cast<std::int64_t>(exec.concurrency())) {
      walk_packs<several, T>(label, exec, pass, elements, length);
    } else {
      walk_packs<1, T>(label, exec, pass, elements, length);
    }
  }
}

template <class T>
std::int64_t line_length(const Matrix<T>& matrix) {
  return matrix.layout() == Layout::right ? matrix.columns() : matrix.rows();
}

}  // namespace Impl

/// C(i, j) = act(C(i, j) + bias(j))
template <class T, class Activation>
void bias_activation_pass(const ExecutionSpace& exec, const Matrix<T>& C, const VectorView<const T>& bias,
                          const Activation& activation) {
  const std::int64_t length = Impl::line_length(C);
  const auto walk           = [&]<bool ByRows>(std::bool_constant<ByRows>) {
    Impl::walk<T>("peer::bias_activation", exec,
                  BiasActivation<T, Activation, ByRows>{C.storage().data(), bias.data(), length, activation},
                  C.rows() * C.columns(), length);
  };
  C.layout() == Layout::right ? walk(std::true_type()) : walk(std::false_type());
}

/// dZ(i, j) = dC(i, j) act'(saved(i, j)), all three in the same layout.
template <class T, class Activation>
void derivative_pass(const ExecutionSpace& exec, const Matrix<T>& dC, const Matrix<T>& saved, const Matrix<T>& dZ,
                     const Activation& activation) {
  const std::int64_t length = Impl::line_length(dZ);
  Impl::walk<T>(
      "peer::derivative", exec,
      Derivative<T, Activation>{dC.storage().data(), saved.storage().data(), dZ.storage().data(), length, activation},
      dZ.rows() * dZ.columns(), length);
}

}  // namespace Tegula::Perf

#endif
