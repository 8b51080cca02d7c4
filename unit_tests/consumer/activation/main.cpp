// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstring>

#include "hard_swish.hpp"

/// Calls gemm with an activation that is compiled into Tegula's kernels, here or in a library: its results are right,
/// and on a GPU that has such kernels they need no pass of their own.

namespace {

constexpr int m = 70, n = 50, k = 40;

using Matrix = Kokkos::View<double**, Kokkos::LayoutRight>;

/// A matrix of multiples of 1/4, whose products are exact.
Matrix matrix(int rows, int columns, int seed) {
  const Matrix device("matrix", rows, columns);
  const auto host = Kokkos::create_mirror_view(device);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) host(i, j) = ((i * 7 + j * 3 + seed) % 9 - 4) * 0.25;
  Kokkos::deep_copy(device, host);
  return device;
}

int count_errors(const Consumer::HardSwish& activation) {
  const Matrix A = matrix(m, k, 1), B = matrix(k, n, 5), C("C", m, n);
  Tegula::gemm(A, B, C, Tegula::Epilogue(activation));
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), A);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), B);
  const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
  int errors   = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double z = 0;
      for (int p = 0; p < k; ++p) z += a(i, p) * b(p, j);
      const double expected = activation(z);
      if (!(std::abs(c(i, j) - expected) <= 1e-14 * std::abs(expected))) ++errors;
    }
  // A family for CUDA that the activation is compiled into applies it itself.
  Tegula::Plan plan = Tegula::make_plan(A, B, C, Tegula::Epilogue(activation));
  if (std::strcmp(plan.space, "Cuda") == 0 && std::strcmp(plan.family, "portable") != 0) {
    plan = Tegula::make_plan(A, B, C, Tegula::Epilogue(activation), {.plan = {.family = "mma"}});
    if (plan.products[0].passes.finishes) ++errors;
  }
  std::printf("%d errors\n%s\n", errors, plan.text().c_str());
  return errors;
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return count_errors({2.5}) + count_errors({}) == 0 ? 0 : 1;
}
