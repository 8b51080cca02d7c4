// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SGD_HPP
#define TEGULA_SGD_HPP

#include <Tegula.hpp>
#include <cstddef>
#include <cstdint>

#include "Tegula_BatchNumber.hpp"
#include "Tegula_Run.hpp"

namespace Tegula::Training {

/// All parameters of a network, one after the other, so that one kernel updates them. Masters, gradients and
/// velocities are kept in the accumulator's type, since 16 bits lose updates that are small beside the weight.
/// `stored` is what the products read; where the types are the same, it is the masters themselves. All are a little
/// longer than asked for, so that they are whole runs; nobody reads what is beyond.
template <class MemorySpace, class Storage>
struct Parameters {
  using T                     = accumulator_t<Storage>;
  static constexpr int length = run_length<MemorySpace, T>;

  explicit Parameters(std::size_t count)
      : runs(static_cast<std::int64_t>((count + length - 1) / length)),
        master("Tegula::master", runs * length),
        gradient("Tegula::gradient", runs * length),
        velocity("Tegula::velocity", runs * length) {
    if constexpr (std::is_same_v<Storage, T>) {
      stored = master;
    } else {
      stored = Kokkos::View<Storage*, MemorySpace>("Tegula::stored", runs * length);
    }
  }

  std::int64_t runs;
  Kokkos::View<T*, MemorySpace> master;
  Kokkos::View<T*, MemorySpace> gradient;
  Kokkos::View<T*, MemorySpace> velocity;
  Kokkos::View<Storage*, MemorySpace> stored;
};

/// From begin to end - 1.
struct Range {
  std::int64_t begin, end;
};

/// A step of stochastic gradient descent with momentum, on the gradients of a batch:
///
///   velocity = momentum velocity + scale gradient
///   master   = master - rate velocity
///   stored   = master, rounded
///
/// The rate is rates(batch), of the batch before the next one. A thread takes a run of parameters, one word of masters
/// on a GPU, so that a warp writes whole lines. Which ones are updated is a range of numbers of runs.
template <class MemorySpace, class Storage>
struct SgdStep {
  using T                     = accumulator_t<Storage>;
  static constexpr int length = run_length<MemorySpace, T>;

  SgdStep(const Parameters<MemorySpace, Storage>& parameters, const Range& range,
          const Kokkos::View<T*, MemorySpace>& rates_, const BatchNumber<MemorySpace>& number_, double momentum_,
          double scale_)
      : runs(range),
        gradient(parameters.gradient.data()),
        velocity(parameters.velocity.data()),
        master(parameters.master.data()),
        stored(parameters.stored.data()),
        rates(rates_.data()),
        number(number_),
        momentum(static_cast<T>(momentum_)),
        scale(static_cast<T>(scale_)) {}

  Range runs;
  const T* gradient;
  T* velocity;
  T* master;
  Storage* stored;
  const T* rates;
  BatchNumber<MemorySpace> number;
  T momentum;
  T scale;

  KOKKOS_FUNCTION std::int64_t size() const { return runs.end - runs.begin; }

  KOKKOS_FUNCTION void operator()(std::int64_t number_in_range) const {
    const std::int64_t i = runs.begin + number_in_range;
    const auto g         = load_run<length>(gradient, i);
    auto v               = load_run<length>(static_cast<const T*>(velocity), i);
    auto w               = load_run<length>(static_cast<const T*>(master), i);
    const T rate         = rates[number.next() - 1];
    Run<Storage, length> rounded;
    for (int e = 0; e < length; ++e) {
      v[e]       = momentum * v[e] + scale * g[e];
      w[e]       = w[e] - rate * v[e];
      rounded[e] = static_cast<Storage>(w[e]);
    }
    store_run(velocity, i, v);
    store_run(master, i, w);
    if constexpr (!std::is_same_v<Storage, T>) store_run(stored, i, rounded);
  }
};

}  // namespace Tegula::Training

#endif
