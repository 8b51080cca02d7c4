// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_FMA_HPP
#define TEGULA_PERF_FMA_HPP

#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>

namespace Tegula::Perf {

/// A number of independent chains of sum = sum * factor + addend, all in registers: flops = 2 chains steps.
template <class T, int Chains>
KOKKOS_FORCEINLINE_FUNCTION T fma_chains(T factor, T addend, std::int64_t steps) {
  T sums[Chains];
  for (int i = 0; i < Chains; ++i) sums[i] = T(i);
  for (std::int64_t step = 0; step < steps; ++step)
    for (int i = 0; i < Chains; ++i) sums[i] = sums[i] * factor + addend;
  T total = 0;
  for (int i = 0; i < Chains; ++i) total += sums[i];
  return total;
}

/// Which of these numbers of chains fills a core depends on its vector length, latency and registers: the best counts.
inline constexpr std::array host_fma_chains{16, 32, 64, 128};

/// fma_chains on the host, compiled for the instruction sets that the machine may have. chains is one of the above.
float host_fma(int chains, float factor, float addend, std::int64_t steps);
double host_fma(int chains, double factor, double addend, std::int64_t steps);

}  // namespace Tegula::Perf

#endif
