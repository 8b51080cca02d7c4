// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_backward_perf: Tegula::gemm_backward against a derivative pass, two gemm of a BLAS and column sums.

#include <map>

#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfPasses.hpp"
#include "Tegula_PerfProduct.hpp"
#include "Tegula_PerfReference.hpp"
#include "Tegula_PerfRun.hpp"

namespace Tegula::Perf {
namespace {

constexpr ProgramText text{
    "tegula_backward_perf",
    "dA, dB and dbias of C = act(op_a(A) op_b(B) + bias) from dC and what the forward pass saved: "
    "Tegula::gemm_backward beside a pass that forms dZ = dC act'(saved), two KokkosBlas::gemm (kokkoskernels) or "
    "cblas_[sd]gemm (openblas), and column sums of dZ",
    "flops = 4 m n k; bytes = (2 m k + 2 k n + m n [dC] + m n [saved, where act' needs it] + n) * bytes of an element",
    false};

/// The gradients that one side computes.
template <class T>
struct Gradients {
  Matrix<T> dA, dB;
  VectorView<T> dbias;
};

Op transposed(Op op) { return op == Op::none ? Op::transpose : Op::none; }

/// Both products by a gemm: op_a(dA) = dZ op_b(B)^T and op_b(dB) = op_a(A)^T dZ; where dA or dB is asked for
/// transposed, the transposed product.
template <class T>
void peer_products(Gemm<T> gemm, Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& dZ,
                   const Gradients<T>& gradients) {
  if (op_a == Op::none) {
    gemm(Op::none, dZ, transposed(op_b), B, gradients.dA);
  } else {
    gemm(op_b, B, Op::transpose, dZ, gradients.dA);
  }
  if (op_b == Op::none) {
    gemm(transposed(op_a), A, Op::none, dZ, gradients.dB);
  } else {
    gemm(Op::transpose, dZ, op_a, A, gradients.dB);
  }
}

template <class T, class Activation>
class BackwardCase : public Case {
 public:
  explicit BackwardCase(const CaseSpec& spec)
      : spec_(spec),
        A_(Matrix<T>::random("A", spec_.a_rows(), spec_.a_columns(), spec.layouts[0], 4 * spec.seed)),
        B_(Matrix<T>::random("B", spec_.b_rows(), spec_.b_columns(), spec.layouts[1], 4 * spec.seed + 1)),
        dC_(Matrix<T>::random("dC", m(), n(), spec.layouts[2], 4 * spec.seed + 2)),
        saved_(Matrix<T>::random("saved", m(), n(), spec.layouts[2], 4 * spec.seed + 3)) {
    options_.op_a = spec.op_a;
    options_.op_b = spec.op_b;
    add_tegula();
    for (const std::string& peer : spec.peers) add_peer(peer);
  }

  const std::vector<Side>& sides() override { return sides_; }
  std::string planned_label() override { return plan(results_.front().gradients).label(); }
  double flops() const override { return 2 * spec_.flops(); }
  double compulsory_bytes() const override {
    const std::int64_t read_of_dz = Activation::saved == Saved::nothing ? m() * n() : 2 * m() * n();
    return static_cast<double>(2 * m() * k() + 2 * k() * n() + read_of_dz + n()) * sizeof(T);
  }

  std::vector<double> check() override {
    const References references = reference_gradients();
    std::vector<double> worst(sides_.size());
    for (std::size_t s = 0; s < sides_.size(); ++s)
      if (sides_[s].run) worst[s] = check_side(sides_[s].name, results_[s], references);
    return worst;
  }

 private:
  std::int64_t m() const { return spec_.shape.m; }
  std::int64_t n() const { return spec_.shape.n; }
  std::int64_t k() const { return spec_.shape.k; }

  /// What a side writes, and how far a sum may be off.
  struct Result {
    Gradients<T> gradients;
    Tolerance (*tolerance)(std::int64_t terms);
  };

  Plan plan(const Gradients<T>& gradients) const {
    return make_plan(exec_, dC_.strided(), A_.strided(), B_.strided(), saved_.strided(), gradients.dA.strided(),
                     gradients.dB.strided(), gradients.dbias, Activation(), options_);
  }

  /// Gradients in the layouts of their operands.
  Gradients<T> poisoned_gradients(const std::string& prefix) const {
    return {Matrix<T>::poisoned(prefix + "dA", spec_.a_rows(), spec_.a_columns(), spec_.layouts[0]),
            Matrix<T>::poisoned(prefix + "dB", spec_.b_rows(), spec_.b_columns(), spec_.layouts[1]),
            poisoned_vector<T>(prefix + "dbias", n())};
  }

  void add_tegula() {
    const Gradients<T> gradients = poisoned_gradients("");
    const Workspace<ExecutionSpace> workspace("workspace", plan(gradients).workspace_bytes());
    const auto run = [exec = exec_, dC = dC_.strided(), A = A_.strided(), B = B_.strided(), saved = saved_.strided(),
                      dA = gradients.dA.strided(), dB = gradients.dB.strided(), dbias = gradients.dbias,
                      options = options_, workspace] {
      Tegula::gemm_backward(exec, dC, A, B, saved, dA, dB, dbias, Activation(), options, workspace);
    };
    sides_.push_back({"tegula", run, "", ""});
    results_.push_back({gradients, &tegula_tolerance<T>});
  }

  void add_peer(const std::string& peer) {
    const Gradients<T> gradients = poisoned_gradients("peer ");
    const Matrix<T> dZ           = Matrix<T>::poisoned("peer dZ", m(), n(), spec_.layouts[2]);
    sides_.push_back(peer_side(peer, dZ, gradients));
    results_.push_back({gradients, &peer_tolerance<T>});
  }

  Side peer_side(const std::string& peer, const Matrix<T>& dZ, const Gradients<T>& gradients) const {
    const Product<T> product = product_of<T>(peer);
    if (product.gemm == nullptr) return absent_for_type<T>(peer);
    const auto run = [=, spec = spec_, exec = exec_, A = A_, B = B_, dC = dC_, saved = saved_] {
      dZ.visit([&](const auto& dZ_view) {
        using View       = std::decay_t<decltype(dZ_view)>;
        using LayoutType = typename View::array_layout;
        const View dC_view(dC.storage().data(), dZ.rows(), dZ.columns());
        const View saved_view(saved.storage().data(), dZ.rows(), dZ.columns());
        for_each_element<LayoutType>("peer::derivative", exec, dZ.rows(), dZ.columns(),
                                     Derivative<T, LayoutType, Activation>{dZ_view, dC_view, saved_view, Activation()});
        peer_products(product.gemm, spec.op_a, A, spec.op_b, B, dZ, gradients);
        sum_columns(exec, dZ_view, gradients.dbias);
      });
    };
    return {peer, run, product.path, ""};
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
  double check_side(const std::string& side, const Result& result, const References& references) const {
    const auto& [gradients, tolerance] = result;
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
  GemmBackwardOptions options_;
  std::vector<Side> sides_;
  std::vector<Result> results_;  // of each side
};

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  return run_program(text, make_case<BackwardCase>, argc, argv);
}
