// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_gemm_perf: Tegula::gemm with its fused epilogue against the gemm of a BLAS and a pass over its result, and
// against oneDNN, which fuses too.

#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfOneDnn.hpp"
#include "Tegula_PerfPasses.hpp"
#include "Tegula_PerfProduct.hpp"
#include "Tegula_PerfReference.hpp"
#include "Tegula_PerfRun.hpp"

namespace Tegula::Perf {
namespace {

constexpr ProgramText text{
    "tegula_gemm_perf",
    "C = act(op_a(A) op_b(B) + bias): Tegula::gemm, one kernel, beside KokkosBlas::gemm (kokkoskernels) or "
    "cblas_[sd]gemm (openblas) and a pass that adds the bias and applies the activation, and beside a matmul primitive "
    "with both fused in (onednn)",
    "flops = 2 m n k; bytes = (m k + k n + m n + n) * bytes of an element, every operand moved once", true};

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
        epilogue_(Activation(), bias_) {
    options_.op_a = spec.op_a;
    options_.op_b = spec.op_b;
    add(tegula_side(new_C("C")), tegula_tolerance<T>(k()));
    for (const std::string& peer : spec.peers) add(peer_side(peer, new_C("peer C")), peer_tolerance<T>(k()));
  }

  const std::vector<Side>& sides() override { return sides_; }
  std::string planned_label() override { return plan(results_.front().C).label(); }
  double flops() const override { return spec_.flops(); }
  double compulsory_bytes() const override {
    return static_cast<double>(m() * k() + k() * n() + m() * n() + n()) * sizeof(T);
  }

  std::vector<double> check() override {
    const HostMatrix<T> A(A_, spec_.op_a), B(B_, spec_.op_b), bias(Matrix<T>(bias_, 1, n(), Layout::right));
    std::vector<HostMatrix<T>> C;
    for (const Result& result : results_) C.emplace_back(result.C);
    std::vector<double> worst(sides_.size());
    for (const std::int64_t i : sampled_rows(m(), spec_.seed)) {
      ReferenceRow row = reference_row(
          n(), k(), [&](std::int64_t p) { return A(i, p); }, B);
      for (std::int64_t j = 0; j < n(); ++j) {
        row.value[j] = Activation()(row.value[j] + bias(0, j));
        row.scale[j] += std::abs(bias(0, j));
      }
      for (std::size_t s = 0; s < sides_.size(); ++s)
        if (sides_[s].run)
          worst[s] = std::max(worst[s], check_row("C of " + sides_[s].name, i, row, results_[s].tolerance, C[s]));
    }
    return worst;
  }

 private:
  std::int64_t m() const { return spec_.shape.m; }
  std::int64_t n() const { return spec_.shape.n; }
  std::int64_t k() const { return spec_.shape.k; }
  Plan plan(const Matrix<T>& C) const {
    return make_plan(exec_, A_.strided(), B_.strided(), C.strided(), epilogue_, options_);
  }

  /// What a side writes, and how far that may be off.
  struct Result {
    Matrix<T> C;
    Tolerance tolerance;
  };

  Matrix<T> new_C(const std::string& label) const { return Matrix<T>::poisoned(label, m(), n(), spec_.layouts[2]); }

  void add(const std::pair<Side, Matrix<T>>& side, const Tolerance& tolerance) {
    sides_.push_back(side.first);
    results_.push_back({side.second, tolerance});
  }

  std::pair<Side, Matrix<T>> tegula_side(const Matrix<T>& C) const {
    const Workspace<ExecutionSpace> workspace("workspace", plan(C).workspace_bytes());
    const auto run = [exec = exec_, A = A_.strided(), B = B_.strided(), view = C.strided(), epilogue = epilogue_,
                      options = options_, workspace] { Tegula::gemm(exec, A, B, view, epilogue, options, workspace); };
    return {Side{"tegula", run, "", ""}, C};
  }

  std::pair<Side, Matrix<T>> peer_side(const std::string& peer, const Matrix<T>& C) const {
    return {peer == "onednn" ? fused_side(C) : product_side(peer, C), C};
  }

  Side product_side(const std::string& peer, const Matrix<T>& C) const {
    const Product<T> product = product_of<T>(peer);
    if (product.gemm == nullptr) return absent_for_type<T>(peer);
    const auto run = [=, spec = spec_, A = A_, B = B_, exec = exec_, bias = bias_] {
      product.gemm(spec.op_a, A, spec.op_b, B, C);
      C.visit([&](const auto& view) {
        using LayoutType = typename std::decay_t<decltype(view)>::array_layout;
        for_each_element<LayoutType>("peer::bias_activation", exec, C.rows(), C.columns(),
                                     BiasActivation<T, LayoutType, Activation>{view, bias, Activation()});
      });
    };
    return {peer, run, product.path, ""};
  }

  Side fused_side(const Matrix<T>& C) const {
    if constexpr (has_onednn_layer<T>)
      return onednn_side({m(), n(), k(), A_.storage().data(), B_.storage().data(), bias_.data(), C.storage().data(),
                          A_.strides(spec_.op_a), B_.strides(spec_.op_b), C.strides(), Activation::name});
    return absent_for_type<T>("onednn");
  }

  CaseSpec spec_;
  ExecutionSpace exec_;
  Matrix<T> A_, B_;
  VectorView<T> bias_;
  Epilogue<Activation, VectorView<T>> epilogue_;
  GemmOptions options_;
  std::vector<Side> sides_;
  std::vector<Result> results_;  // of each side
};

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  return run_program(text, make_case<GemmCase>, argc, argv);
}
