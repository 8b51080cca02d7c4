// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfFma.hpp"

// Where the compiler takes it, code for more than SSE2, the default of x86-64, is built too: the machine is to be
// measured, not the flags of this build.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define TEGULA_PERF_X86_TARGETS 1
#if defined(__clang__)
#define TEGULA_PERF_AVX512 "avx512f"
#else  // g++ would use half of a register
#define TEGULA_PERF_AVX512 "avx512f,prefer-vector-width=512"
#endif
#else
#define TEGULA_PERF_X86_TARGETS 0
#endif

namespace Tegula::Perf {
namespace {

// Its copy in each function below is compiled for the instruction set of that function.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T choose_chains(int chains, T factor, T addend, std::int64_t steps) {
  switch (chains) {
    case 16:
      return fma_chains<T, 16>(factor, addend, steps);
    case 32:
      return fma_chains<T, 32>(factor, addend, steps);
    case 64:
      return fma_chains<T, 64>(factor, addend, steps);
    default:
      return fma_chains<T, 128>(factor, addend, steps);
  }
}

#if TEGULA_PERF_X86_TARGETS
template <class T>
[[gnu::target(TEGULA_PERF_AVX512)]] T avx512_fma(int chains, T factor, T addend, std::int64_t steps) {
  return choose_chains(chains, factor, addend, steps);
}
template <class T>
[[gnu::target("avx2,fma")]] T avx2_fma(int chains, T factor, T addend, std::int64_t steps) {
  return choose_chains(chains, factor, addend, steps);
}
#endif

template <class T>
T best_fma(int chains, T factor, T addend, std::int64_t steps) {
#if TEGULA_PERF_X86_TARGETS
  if (__builtin_cpu_supports("avx512f")) return avx512_fma(chains, factor, addend, steps);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2_fma(chains, factor, addend, steps);
#endif
  return choose_chains(chains, factor, addend, steps);
}

}  // namespace

float host_fma(int chains, float factor, float addend, std::int64_t steps) {
  return best_fma(chains, factor, addend, steps);
}

double host_fma(int chains, double factor, double addend, std::int64_t steps) {
  return best_fma(chains, factor, addend, steps);
}

}  // namespace Tegula::Perf
