// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each of the errors below, of which one is defined: it must fail, with a sentence of the library's.

#include <Tegula.hpp>

/// An element type of a user's own, without the include that it needs.
struct OwnFloat {
  explicit OwnFloat(float v) : value(v) {}
  explicit operator float() const { return value; }

  float value;
};
template <>
struct Tegula::ScalarTraits<OwnFloat> {
  using accumulator                     = float;
  static constexpr double unit_roundoff = 0x1p-24;
  static constexpr const char* name     = "own_f32";
};

template <class A, class B, class C>
void multiply() {
  const Kokkos::View<A**> a("A", 2, 2);
  const Kokkos::View<B**> b("B", 2, 2);
  const Kokkos::View<C**> c("C", 2, 2);
  Tegula::gemm(Kokkos::DefaultExecutionSpace(), a, b, c);
}

template <class Activation, class Make>
void differentiate(const Make& saved) {
  const Kokkos::View<double**> a("A", 2, 2), da("dA", 2, 2);
  Tegula::gemm_backward(a, a, a, saved(a), da, Tegula::none, Tegula::none, Activation());
}

template <class Make>
void differentiate_below(const Make& below) {
  const Kokkos::View<double**> a("A", 2, 2), da("dA", 2, 2);
  Tegula::gemm_backward(a, a, a, Tegula::none, below(da), Tegula::none, Tegula::none);
}

#if defined(TEGULA_TEST_MIXED_ACCUMULATORS)
template void multiply<double, float, double>();
#elif defined(TEGULA_TEST_UNKNOWN_ELEMENT)
template void multiply<int, int, int>();
#elif defined(TEGULA_TEST_OWN_ELEMENT_WITHOUT_HEADER)
template void multiply<float, OwnFloat, float>();
#elif defined(TEGULA_TEST_NOTHING_SAVED)
void test() {
  differentiate<Tegula::Relu>([](const auto&) { return Tegula::none; });
}
#elif defined(TEGULA_TEST_UNNAMED_SAVED)
void test() {
  differentiate<Tegula::Relu>([](const auto& view) { return view; });
}
#elif defined(TEGULA_TEST_OUTPUT_FOR_PRE_ACTIVATION)
void test() {
  differentiate<Tegula::GeluErf>([](const auto& view) { return Tegula::Output(view); });
}
#elif defined(TEGULA_TEST_PRE_ACTIVATION_FOR_OUTPUT)
void test() {
  differentiate<Tegula::Relu>([](const auto& view) { return Tegula::PreActivation(view); });
}
#elif defined(TEGULA_TEST_NOTHING_SAVED_BELOW)
void test() {
  differentiate_below([](const auto& view) { return Tegula::Below(view, Tegula::Relu()); });
}
#elif defined(TEGULA_TEST_PRE_ACTIVATION_BELOW)
void test() {
  differentiate_below(
      [](const auto& view) { return Tegula::Below(view, Tegula::Relu(), Tegula::PreActivation(view)); });
}
#elif defined(TEGULA_TEST_NOTHING_BELOW)
void test() {
  differentiate_below([](const auto&) { return Tegula::Below(Tegula::none, Tegula::Relu()); });
}
#elif defined(TEGULA_TEST_SAVED_WITHOUT_A_VIEW)
void test() {
  differentiate<Tegula::GeluErf>(
      [](const auto& view) { return Tegula::saved_for(Tegula::GeluErf(), view, Tegula::none); });
}
#endif
