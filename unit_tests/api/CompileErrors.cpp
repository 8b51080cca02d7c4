// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each of the errors below, of which one is defined: it must fail, with a sentence of the library's.

#include <Tegula.hpp>

template <class A, class B, class C>
void multiply() {
  const Kokkos::View<A**> a("A", 2, 2);
  const Kokkos::View<B**> b("B", 2, 2);
  const Kokkos::View<C**> c("C", 2, 2);
  Tegula::gemm(Kokkos::DefaultExecutionSpace(), a, b, c);
}

#if defined(TEGULA_TEST_MIXED_ACCUMULATORS)
template void multiply<double, float, double>();
#elif defined(TEGULA_TEST_UNKNOWN_ELEMENT)
template void multiply<int, int, int>();
#elif defined(TEGULA_TEST_NOTHING_SAVED)
void differentiate() {
  const Kokkos::View<double**> a("A", 2, 2), da("dA", 2, 2);
  Tegula::gemm_backward(Kokkos::DefaultExecutionSpace(), a, a, a, Tegula::none, da, Tegula::none, Tegula::none,
                        Tegula::Relu());
}
#endif
