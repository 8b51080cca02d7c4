// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_gemm_perf: Tegula::gemm with its fused epilogue against KokkosBlas::gemm and a pass over its result.

#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfPasses.hpp"
#include "Tegula_PerfPeerGemm.hpp"
#include "Tegula_PerfReference.hpp"
#include "Tegula_PerfRun.hpp"

namespace Tegula::Perf {
namespace {

constexpr ProgramText text{
    "tegula_gemm_perf",
    "C = act(op_a(A) op_b(B) + bias): Tegula::gemm, one kernel, beside KokkosBlas::gemm and a pass that adds the bias "
    "and applies the activation",
    "flops = 2 m n k; bytes = (m k + k n + m n + n) * bytes of an element, every operand moved once"};

/// The operands, with op_a(A) of m x k and op_b(B) of k x n. B is scaled so that the sums are of order 1, where
/// activations are neither constant nor linear.
template <class T, class Activation>
class GemmCase : public Case {
 public:
  explicit GemmCase(const CaseSpec& spec)
      : spec_(spec),
        A_(Matrix<T>::random("A", spec.a_rows(), spec.a_columns(), spec.layouts[0], 4 * spec.seed)),
        B_(Matrix<T>::random("B", spec.b_rows(), spec.b_columns(), spec.layouts[1], 4 * spec.seed + 1,
                             3 / std::sqrt(static_cast<double>(k())))),
        bias_(random_vector<T>("bias", n(), 4 * spec.seed + 2, 1)),
        C_(Matrix<T>::poisoned("C", m(), n(), spec.layouts[2])),
        peer_C_(Matrix<T>::poisoned("peer C", spec.with_peer ? m() : 0, n(), spec.layouts[2])),
        epilogue_(Activation(), bias_) {
    options_.op_a = spec.op_a;
    options_.op_b = spec.op_b;
    workspace_    = Workspace<ExecutionSpace>("workspace", plan().workspace_bytes());
  }

  bool has_peer() const override { return has_peer_gemm<T>; }
  std::string planned_label() override { return plan().label(); }
  double flops() const override { return spec_.flops(); }
  double compulsory_bytes() const override {
    return static_cast<double>(m() * k() + k() * n() + m() * n() + n()) * sizeof(T);
  }

  void run_tegula() override {
    Tegula::gemm(exec_, A_.strided(), B_.strided(), C_.strided(), epilogue_, options_, workspace_);
  }

  void run_peer() override {
    if constexpr (has_peer_gemm<T>) {
      peer_gemm(spec_.op_a, A_, spec_.op_b, B_, peer_C_);
      peer_C_.visit([&](const auto& C) {
        using LayoutType = typename std::decay_t<decltype(C)>::array_layout;
        for_each_element<LayoutType>("peer::bias_activation", exec_, m(), n(),
                                     BiasActivation<T, LayoutType, Activation>{C, bias_, Activation()});
      });
    }
  }

  Errors check(bool with_peer) override {
    const HostMatrix<T> A(A_, spec_.op_a), B(B_, spec_.op_b), bias(Matrix<T>(bias_, 1, n(), Layout::right)), C(C_),
        peer_C(peer_C_);
    Errors worst;
    for (const std::int64_t i : sampled_rows(m(), spec_.seed)) {
      ReferenceRow row = reference_row(
          n(), k(), [&](std::int64_t p) { return A(i, p); }, B);
      for (std::int64_t j = 0; j < n(); ++j) {
        row.value[j] = Activation()(row.value[j] + bias(0, j));
        row.scale[j] += std::abs(bias(0, j));
      }
      worst.tegula = std::max(worst.tegula, check_row("C of Tegula", i, row, tegula_tolerance<T>(k()), C));
      if (with_peer)
        worst.peer = std::max(worst.peer, check_row("C of the peer", i, row, peer_tolerance<T>(k()), peer_C));
    }
    return worst;
  }

 private:
  std::int64_t m() const { return spec_.shape.m; }
  std::int64_t n() const { return spec_.shape.n; }
  std::int64_t k() const { return spec_.shape.k; }
  Plan plan() const { return make_plan(exec_, A_.strided(), B_.strided(), C_.strided(), epilogue_, options_); }

  CaseSpec spec_;
  ExecutionSpace exec_;
  Matrix<T> A_, B_;
  VectorView<T> bias_;
  Matrix<T> C_, peer_C_;
  Epilogue<Activation, VectorView<T>> epilogue_;
  GemmOptions options_;
  Workspace<ExecutionSpace> workspace_;
};

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  return run_program(text, make_case<GemmCase>, argc, argv);
}
