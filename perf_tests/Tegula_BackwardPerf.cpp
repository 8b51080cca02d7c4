// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_backward_perf: Tegula::gemm_backward against a derivative pass, two KokkosBlas::gemm and column sums.

#include <map>

#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfPasses.hpp"
#include "Tegula_PerfPeerGemm.hpp"
#include "Tegula_PerfReference.hpp"
#include "Tegula_PerfRun.hpp"

namespace Tegula::Perf {
namespace {

constexpr ProgramText text{
    "tegula_backward_perf",
    "dA, dB and dbias of C = act(op_a(A) op_b(B) + bias) from dC and what the forward pass saved: "
    "Tegula::gemm_backward beside a pass that forms dZ = dC act'(saved), two KokkosBlas::gemm and column sums of dZ",
    "flops = 4 m n k; bytes = (2 m k + 2 k n + m n [dC] + m n [saved, where act' needs it] + n) * bytes of an element"};

/// The gradients that one side computes.
template <class T>
struct Gradients {
  Matrix<T> dA, dB;
  VectorView<T> dbias;
};

template <class T, class Activation>
class BackwardCase : public Case {
 public:
  explicit BackwardCase(const CaseSpec& spec)
      : spec_(spec),
        A_(Matrix<T>::random("A", spec_.a_rows(), spec_.a_columns(), spec.layouts[0], 4 * spec.seed)),
        B_(Matrix<T>::random("B", spec_.b_rows(), spec_.b_columns(), spec.layouts[1], 4 * spec.seed + 1)),
        dC_(Matrix<T>::random("dC", m(), n(), spec.layouts[2], 4 * spec.seed + 2)),
        saved_(Matrix<T>::random("saved", m(), n(), spec.layouts[2], 4 * spec.seed + 3)),
        tegula_(poisoned_gradients("", 1)),
        peer_(poisoned_gradients("peer ", spec.with_peer ? 1 : 0)),
        dZ_(Matrix<T>::poisoned("dZ", spec.with_peer ? m() : 0, n(), spec.layouts[2])) {
    options_.op_a = spec.op_a;
    options_.op_b = spec.op_b;
    workspace_    = Workspace<ExecutionSpace>("workspace", plan().workspace_bytes());
  }

  bool has_peer() const override { return has_peer_gemm<T>; }
  std::string planned_label() override { return plan().label(); }
  double flops() const override { return 2 * spec_.flops(); }
  double compulsory_bytes() const override {
    const std::int64_t read_of_dz = Activation::saved == Saved::nothing ? m() * n() : 2 * m() * n();
    return static_cast<double>(2 * m() * k() + 2 * k() * n() + read_of_dz + n()) * sizeof(T);
  }

  void run_tegula() override {
    Tegula::gemm_backward(exec_, dC_.strided(), A_.strided(), B_.strided(), saved_.strided(), tegula_.dA.strided(),
                          tegula_.dB.strided(), tegula_.dbias, Activation(), options_, workspace_);
  }

  void run_peer() override {
    if constexpr (has_peer_gemm<T>) {
      dZ_.visit([&](const auto& dZ) {
        using View       = std::decay_t<decltype(dZ)>;
        using LayoutType = typename View::array_layout;
        const View dC(dC_.storage().data(), m(), n()), saved(saved_.storage().data(), m(), n());
        for_each_element<LayoutType>("peer::derivative", exec_, m(), n(),
                                     Derivative<T, LayoutType, Activation>{dZ, dC, saved, Activation()});
        peer_products();
        sum_columns(exec_, dZ, peer_.dbias);
      });
    }
  }

  Errors check(bool with_peer) override {
    const References references = reference_gradients();
    Errors worst;
    worst.tegula = check_side("Tegula", tegula_, &tegula_tolerance<T>, references);
    if (with_peer) worst.peer = check_side("the peer", peer_, &peer_tolerance<T>, references);
    return worst;
  }

 private:
  std::int64_t m() const { return spec_.shape.m; }
  std::int64_t n() const { return spec_.shape.n; }
  std::int64_t k() const { return spec_.shape.k; }

  Plan plan() const {
    return make_plan(exec_, dC_.strided(), A_.strided(), B_.strided(), saved_.strided(), tegula_.dA.strided(),
                     tegula_.dB.strided(), tegula_.dbias, Activation(), options_);
  }

  /// Gradients in the layouts of their operands; `times` 0 leaves them without elements.
  Gradients<T> poisoned_gradients(const std::string& prefix, std::int64_t times) const {
    return {Matrix<T>::poisoned(prefix + "dA", times * spec_.a_rows(), spec_.a_columns(), spec_.layouts[0]),
            Matrix<T>::poisoned(prefix + "dB", times * spec_.b_rows(), spec_.b_columns(), spec_.layouts[1]),
            poisoned_vector<T>(prefix + "dbias", times * n())};
  }

  static Op transposed(Op op) { return op == Op::none ? Op::transpose : Op::none; }

  /// op_a(dA) = dZ op_b(B)^T and op_b(dB) = op_a(A)^T dZ; where dA or dB is asked for transposed, the transposed
  /// product.
  void peer_products() {
    if (spec_.op_a == Op::none) {
      peer_gemm(Op::none, dZ_, transposed(spec_.op_b), B_, peer_.dA);
    } else {
      peer_gemm(spec_.op_b, B_, Op::transpose, dZ_, peer_.dA);
    }
    if (spec_.op_b == Op::none) {
      peer_gemm(transposed(spec_.op_a), A_, Op::none, dZ_, peer_.dB);
    } else {
      peer_gemm(Op::transpose, dZ_, spec_.op_a, A_, peer_.dB);
    }
  }

  /// Rows of op_a(dA), of op_b(dB), and dbias, which is a row of its own.
  struct References {
    std::map<std::int64_t, ReferenceRow> dA, dB;
    ReferenceRow dbias;
  };

  /// dZ in double, row by row.
  std::vector<double> reference_dZ() const {
    const HostMatrix<T> dC(dC_), saved(saved_);
    std::vector<double> dZ(static_cast<std::size_t>(m() * n()));
    for (std::int64_t i = 0; i < m(); ++i)
      for (std::int64_t j = 0; j < n(); ++j) dZ[i * n() + j] = dC(i, j) * Activation().derivative(saved(i, j));
    return dZ;
  }

  References reference_gradients() const {
    const HostMatrix<T> A(A_, spec_.op_a), B(B_, spec_.op_b);
    const std::vector<double> values = reference_dZ();
    const auto dZ                    = [&](std::int64_t i, std::int64_t j) { return values[i * n() + j]; };
    const auto B_transposed          = [&](std::int64_t j, std::int64_t p) { return B(p, j); };
    References references;
    for (const std::int64_t i : sampled_rows(m(), spec_.seed))
      references.dA[i] = reference_row(
          k(), n(), [&](std::int64_t j) { return dZ(i, j); }, B_transposed);
    for (const std::int64_t p : sampled_rows(k(), spec_.seed))
      references.dB[p] = reference_row(
          n(), m(), [&](std::int64_t i) { return A(i, p); }, dZ);
    references.dbias = reference_row(
        n(), m(), [](std::int64_t) { return 1.0; }, dZ);
    return references;
  }

  /// Returns the worst error.
  double check_side(const std::string& side, const Gradients<T>& gradients, Tolerance (*tolerance)(std::int64_t),
                    const References& references) const {
    const HostMatrix<T> dA(gradients.dA, spec_.op_a), dB(gradients.dB, spec_.op_b),
        dbias(Matrix<T>(gradients.dbias, 1, n(), Layout::right));
    double worst = check_row("dbias of " + side, 0, references.dbias, tolerance(m()), dbias);
    for (const auto& [i, row] : references.dA)
      worst = std::max(worst, check_row("op(dA) of " + side, i, row, tolerance(n()), dA));
    for (const auto& [p, row] : references.dB)
      worst = std::max(worst, check_row("op(dB) of " + side, p, row, tolerance(m()), dB));
    return worst;
  }

  CaseSpec spec_;
  ExecutionSpace exec_;
  Matrix<T> A_, B_, dC_, saved_;
  Gradients<T> tegula_, peer_;
  Matrix<T> dZ_;
  GemmBackwardOptions options_;
  Workspace<ExecutionSpace> workspace_;
};

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  return run_program(text, make_case<BackwardCase>, argc, argv);
}
