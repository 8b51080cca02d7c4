// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfFma.hpp"

// Without it the default of x86-64, SSE2, would be measured and not the machine. Sanitizers do not get along with the
// dispatch that it takes.
#if defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && !defined(__CUDACC__) && defined(__x86_64__) && \
    defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define TEGULA_PERF_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define TEGULA_PERF_CLONES
#endif

namespace Tegula::Perf {
namespace {

// Its copy in each clone of host_fma is compiled for the clone's instruction set.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T choose_chains(int chains, T factor, T addend, std::int64_t steps) {
  switch (chains) {
    case 16:
      return fma_chains<T, 16>(factor, addend, steps);
    case 32:
      return fma_chains<T, 32>(factor, addend, steps);
    case 64:
      return fma_chains<T, 64>(factor, addend, steps);
    case 128:
      return fma_chains<T, 128>(factor, addend, steps);
    default:
      throw std::logic_error("host_fma: no such number of chains");
  }
}

}  // namespace

TEGULA_PERF_CLONES float host_fma(int chains, float factor, float addend, std::int64_t steps) {
  return choose_chains(chains, factor, addend, steps);
}

TEGULA_PERF_CLONES double host_fma(int chains, double factor, double addend, std::int64_t steps) {
  return choose_chains(chains, factor, addend, steps);
}

}  // namespace Tegula::Perf
