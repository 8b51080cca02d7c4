// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_backward_perf: Tegula::gemm_backward against a derivative pass, two gemm of a BLAS and column sums.

#include "Tegula_PerfCuBlasLt.hpp"
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
    "Tegula::gemm_backward beside a pass that forms dZ = dC act'(saved), two KokkosBlas::gemm (kokkoskernels), "
    "cblas_[sd]gemm (openblas) or cublasGemmEx (cublas), and column sums of dZ, or two cublasLtMatmul (cublaslt), of "
    "which one sums the columns too; for the identity the pass is left out",
    "flops = 4 m n k; bytes = (2 m k + 2 k n + m n [dC] + m n [saved, where act' needs it] + n) * bytes of an element",
    false};

/// The gradients that one side computes.
template <class T>
struct Gradients {
  Matrix<T> dA, dB;
  VectorView<T> dbias;
};

Op transposed(Op op) { return op == Op::none ? Op::transpose : Op::none; }

/// dA by a gemm: op_a(dA) = dZ op_b(B)^T, or that transposed where dA is asked for transposed.
template <class T, class GemmType>
auto product_for_dA(const GemmType& gemm, Op op_a, Op op_b, const Matrix<T>& B, const Matrix<T>& dZ,
                    const Matrix<T>& dA) {
  return op_a == Op::none ? gemm(Op::none, dZ, transposed(op_b), B, dA) : gemm(op_b, B, Op::transpose, dZ, dA);
}

/// dB likewise: op_b(dB) = op_a(A)^T dZ. dZ is the second factor where op_b is none.
template <class T, class GemmType>
auto product_for_dB(const GemmType& gemm, Op op_a, Op op_b, const Matrix<T>& A, const Matrix<T>& dZ,
                    const Matrix<T>& dB) {
  return op_b == Op::none ? gemm(transposed(op_a), A, Op::none, dZ, dB) : gemm(Op::transpose, dZ, op_a, A, dB);
}

/// dZ(i, j) in a kernel, in double.
template <class T, class Activation>
struct DerivativeElements {
  Elements<T> dC, saved;
  Activation activation;

  KOKKOS_FUNCTION double operator()(std::int64_t i, std::int64_t j) const {
    return dC(i, j) * activation.derivative(saved(i, j));
  }
};

template <class T, class Activation>
class BackwardCase : public Case {
 public:
  explicit BackwardCase(const CaseSpec& spec) : spec_(spec) {
    options_.op_a    = spec.op_a;
    options_.op_b    = spec.op_b;
    options_.compute = spec.compute;
    options_.plan    = spec_.plan();
    for (int set = operand_sets(compulsory_bytes()); set > 0; --set) sets_.push_back(new_operands());
    add_tegula();
    for (const std::string& peer : spec.peers) add_peer(peer);
  }

  const std::vector<Side>& sides() override { return sides_; }
  std::string planned_label() override { return plan(results_.front().gradients.front()).label(); }
  double flops() const override { return 2 * spec_.flops(); }
  double compulsory_bytes() const override {
    const std::int64_t read_of_dz = has_derivative ? 2 * m() * n() : m() * n();
    return static_cast<double>(2 * m() * k() + 2 * k() * n() + read_of_dz + n()) * sizeof(T);
  }

  std::vector<Verdict> check() override {
    const References references = reference_gradients();
    std::vector<Verdict> verdicts;
    for (std::size_t s = 0; s < sides_.size(); ++s)
      verdicts.push_back(verdict_of([&] { return worst_error(sides_[s].name, results_[s], references); }));
    return verdicts;
  }

 private:
  static constexpr bool has_derivative = Activation::saved != Saved::nothing;

  std::int64_t m() const { return spec_.shape.m; }
  std::int64_t n() const { return spec_.shape.n; }
  std::int64_t k() const { return spec_.shape.k; }

  /// The same in every set.
  struct Operands {
    Matrix<T> A, B, dC, saved;
  };

  /// What a side writes for each set.
  struct Result {
    std::vector<Gradients<T>> gradients;
    bool plain;  ///< dA and dB alone
  };

  Operands new_operands() const {
    const std::uint64_t seed = 4 * spec_.seed;
    return {Matrix<T>::random("A", spec_.a_rows(), spec_.a_columns(), spec_.layouts[0], seed),
            Matrix<T>::random("B", spec_.b_rows(), spec_.b_columns(), spec_.layouts[1], seed + 1),
            Matrix<T>::random("dC", m(), n(), spec_.layouts[2], seed + 2),
            Matrix<T>::random("saved", m(), n(), spec_.layouts[2], seed + 3)};
  }

  /// Gradients in the layouts of their operands.
  Gradients<T> new_gradients(const std::string& side) const {
    return {Matrix<T>::poisoned("dA of " + side, spec_.a_rows(), spec_.a_columns(), spec_.layouts[0]),
            Matrix<T>::poisoned("dB of " + side, spec_.b_rows(), spec_.b_columns(), spec_.layouts[1]),
            poisoned_vector<T>("dbias of " + side, n())};
  }

  Plan plan(const Gradients<T>& gradients) const {
    const Operands& first = sets_.front();
    return make_plan(exec_, first.dC.strided(), first.A.strided(), first.B.strided(), first.saved.strided(),
                     gradients.dA.strided(), gradients.dB.strided(), gradients.dbias, Activation(), options_);
  }

  /// A side with call_with(operands, gradients) for each set.
  template <class CallWith>
  void add(const std::string& name, bool plain, const CallWith& call_with) {
    Result result{{}, plain};
    sides_.push_back(side_of(name, sets_.size(), [&](std::size_t set) {
      result.gradients.push_back(new_gradients(name));
      return call_with(sets_[set], result.gradients.back());
    }));
    if (sides_.back().calls.empty()) result.gradients.clear();
    results_.push_back(result);
  }

  void add_tegula() {
    const Workspace<ExecutionSpace> workspace("workspace", plan(new_gradients("none")).workspace_bytes());
    add("tegula", false, [&](const Operands& operands, const Gradients<T>& gradients) {
      const auto run = [exec = exec_, dC = operands.dC.strided(), A = operands.A.strided(), B = operands.B.strided(),
                        saved = operands.saved.strided(), dA = gradients.dA.strided(), dB = gradients.dB.strided(),
                        dbias = gradients.dbias, options = options_, workspace] {
        Tegula::gemm_backward(exec, dC, A, B, saved, dA, dB, dbias, Activation(), options, workspace);
      };
      return Call{run, "", ""};
    });
  }

  void add_peer(const std::string& peer) {
    add(peer, peer == "cublas_plain", [&](const Operands& operands, const Gradients<T>& gradients) {
      if (peer == "cublaslt") return cublaslt_call(operands, gradients);
      return products_and_passes(peer, operands, gradients);
    });
  }

  /// Where a peer's pass puts dZ: nowhere for the identity, whose dZ is dC.
  Matrix<T> new_dZ(const Operands& operands) const {
    return has_derivative ? Matrix<T>::poisoned("dZ", m(), n(), spec_.layouts[2]) : operands.dC;
  }

  /// dZ = dC act'(saved) over memory.
  static void derivative_pass(const ExecutionSpace& exec, const Operands& operands, const Matrix<T>& dZ) {
    if constexpr (has_derivative)
      dZ.visit([&](const auto& dZ_view) {
        using View       = std::decay_t<decltype(dZ_view)>;
        using LayoutType = typename View::array_layout;
        const View dC_view(operands.dC.storage().data(), dZ.rows(), dZ.columns());
        const View saved_view(operands.saved.storage().data(), dZ.rows(), dZ.columns());
        for_each_element<LayoutType>("peer::derivative", exec, dZ.rows(), dZ.columns(),
                                     Derivative<T, LayoutType, Activation>{dZ_view, dC_view, saved_view, Activation()});
      });
  }

  /// For cublas_plain dZ is there before anything is timed, and dbias is not formed.
  Call products_and_passes(const std::string& peer, const Operands& operands, const Gradients<T>& gradients) const {
    const Product<T> product = product_of<T>(peer, spec_.compute);
    if (!product.gemm) return absent_for_type<T>();
    const Matrix<T> dZ  = new_dZ(operands);
    const auto multiply = [=, spec = spec_] {
      product_for_dA(product.gemm, spec.op_a, spec.op_b, operands.B, dZ, gradients.dA);
      product_for_dB(product.gemm, spec.op_a, spec.op_b, operands.A, dZ, gradients.dB);
    };
    if (peer == "cublas_plain") {
      derivative_pass(exec_, operands, dZ);
      return {multiply, product.path, ""};
    }
    const ColumnSumsPlan<T> sums(m(), n());
    const auto run = [=, exec = exec_] {
      derivative_pass(exec, operands, dZ);
      multiply();
      dZ.visit([&](const auto& dZ_view) { sum_columns(exec, sums, dZ_view, gradients.dbias); });
    };
    return {run, product.path, ""};
  }

  Call cublaslt_call([[maybe_unused]] const Operands& operands, [[maybe_unused]] const Gradients<T>& gradients) const {
#if TEGULA_PERF_HAS_CUBLAS
    const Matrix<T> dZ = new_dZ(operands);
    const auto product = [&](Op op_x, const Matrix<T>& X, Op op_y, const Matrix<T>& Y, const Matrix<T>& result) {
      return cublaslt_product(column_major_product(op_x, X, op_y, Y, result), spec_.compute);
    };
    const auto product_and_sums = [&](Op op_x, const Matrix<T>& X, Op op_y, const Matrix<T>& Y,
                                      const Matrix<T>& result) {
      return cublaslt_product_and_sums(column_major_product(op_x, X, op_y, Y, result), spec_.compute,
                                       spec_.op_b == Op::none, gradients.dbias.data());
    };
    const Call dA = product_for_dA(product, spec_.op_a, spec_.op_b, operands.B, dZ, gradients.dA);
    const Call dB = product_for_dB(product_and_sums, spec_.op_a, spec_.op_b, operands.A, dZ, gradients.dB);
    if (!dA.run) return dA;
    if (!dB.run) return dB;
    const auto run = [=, exec = exec_] {
      derivative_pass(exec, operands, dZ);
      dB.run();
      dA.run();
    };
    return {run, std::string(has_derivative ? "pass for dZ; " : "") + "dB and dbias: " + dB.path + "; dA likewise", ""};
#else
    return absent_for_type<T>();
#endif
  }

  /// Rows of op_a(dA), of op_b(dB), and dbias, which is a row of its own.
  struct References {
    Reference dA, dB, dbias;
  };

  References reference_gradients() const {
    const auto& [A, B, dC, saved] = sets_.front();
    const DerivativeElements<T, Activation> dZ{Elements<T>(dC), Elements<T>(saved), Activation()};
    return {reference_product(sampled_rows(m(), spec_.seed), k(), n(), dZ, Elements<T>(B, transposed(spec_.op_b))),
            reference_product(sampled_rows(k(), spec_.seed), n(), m(), Elements<T>(A, transposed(spec_.op_a)), dZ),
            reference_product(SampledRows{}, n(), m(), Ones(), dZ)};
  }

  double worst_error(const std::string& side, const Result& result, const References& references) const {
    double worst = 0;
    for (const Gradients<T>& gradients : result.gradients)
      worst = std::max(worst, check_gradients(side, result, gradients, references));
    return worst;
  }

  /// Returns the worst error.
  double check_gradients(const std::string& side, const Result& result, const Gradients<T>& gradients,
                         const References& references) const {
    const auto check = [&](const char* what, const Reference& reference, std::int64_t terms, const Matrix<T>& matrix,
                           Op op) {
      const std::int64_t columns = static_cast<std::int64_t>(reference.value.extent(1));
      return check_rows(std::string(what) + " of " + side, reference, tolerance_of<T>(side, terms, spec_.compute),
                        gather_rows(reference.rows, columns, Elements<T>(matrix, op)));
    };
    const double worst = std::max(check("op(dA)", references.dA, n(), gradients.dA, spec_.op_a),
                                  check("op(dB)", references.dB, m(), gradients.dB, spec_.op_b));
    if (result.plain) return worst;
    const Matrix<T> dbias(gradients.dbias, 1, n(), Layout::right);
    return std::max(worst, check("dbias", references.dbias, m(), dbias, Op::none));
  }

  CaseSpec spec_;
  ExecutionSpace exec_;
  std::vector<Operands> sets_;
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
