// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SGD_HPP
#define TEGULA_SGD_HPP

#include <Tegula.hpp>
#include <cstddef>

namespace Tegula::Training {

/// All parameters of a network, one after the other, so that one kernel updates them. Masters, gradients and
/// velocities are kept in the accumulator's type, since 16 bits lose updates that are small beside the weight.
/// `stored` is what the products read; where the types are the same, it is the masters themselves.
template <class MemorySpace, class Storage>
struct Parameters {
  using T = accumulator_t<Storage>;

  explicit Parameters(std::size_t count)
      : master("Tegula::master", count), gradient("Tegula::gradient", count), velocity("Tegula::velocity", count) {
    if constexpr (std::is_same_v<Storage, T>) {
      stored = master;
    } else {
      stored = Kokkos::View<Storage*, MemorySpace>("Tegula::stored", count);
    }
  }

  Kokkos::View<T*, MemorySpace> master;
  Kokkos::View<T*, MemorySpace> gradient;
  Kokkos::View<T*, MemorySpace> velocity;
  Kokkos::View<Storage*, MemorySpace> stored;
};

/// Stochastic gradient descent with momentum:
///
///   velocity = momentum velocity + scale gradient
///   master   = master - rate velocity
///   stored   = master, rounded
template <class MemorySpace, class Storage>
struct SgdStep {
  using T = accumulator_t<Storage>;

  Parameters<MemorySpace, Storage> parameters;
  T rate;
  T momentum;
  T scale;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    const T velocity       = momentum * parameters.velocity(i) + scale * parameters.gradient(i);
    const T master         = parameters.master(i) - rate * velocity;
    parameters.velocity(i) = velocity;
    parameters.master(i)   = master;
    parameters.stored(i)   = static_cast<Storage>(master);
  }
};

/// Queues a step on exec.
template <class ExecutionSpace, class MemorySpace, class Storage>
void sgd_step(const ExecutionSpace& exec, const Parameters<MemorySpace, Storage>& parameters, double rate,
              double momentum, double scale) {
  using T = accumulator_t<Storage>;
  const SgdStep<MemorySpace, Storage> kernel{parameters, static_cast<T>(rate), static_cast<T>(momentum),
                                             static_cast<T>(scale)};
  Kokkos::parallel_for("Tegula::sgd", Kokkos::RangePolicy<ExecutionSpace>(exec, 0, parameters.master.extent(0)),
                       kernel);
}

}  // namespace Tegula::Training

#endif
