// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_gemm_perf: Tegula::gemm with its fused epilogue against the gemm of a BLAS and a pass over its result, and
// against oneDNN and cuBLASLt, which fuse too.

#include "Tegula_PerfCuBlasLt.hpp"
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
    "C = act(op_a(A) op_b(B) + bias): Tegula::gemm, one kernel, beside KokkosBlas::gemm (kokkoskernels), "
    "cblas_[sd]gemm (openblas) or cublasGemmEx (cublas) and a pass that adds the bias and applies the activation, and "
    "beside one kernel of another library with both fused in (onednn, cublaslt)",
    "flops = 2 m n k; bytes = (m k + k n + m n + n) * bytes of an element, every operand moved once", true};

/// The operands, with op_a(A) of m x k and op_b(B) of k x n, the same in every set. B is scaled so that the sums are of
/// order 1, where activations are neither constant nor linear.
template <class T, class Activation>
class GemmCase : public Case {
 public:
  explicit GemmCase(const CaseSpec& spec)
      : spec_(spec), bias_(random_vector<T>("bias", n(), 4 * spec.seed + 2, 1)), epilogue_(Activation(), bias_) {
    options_.op_a    = spec.op_a;
    options_.op_b    = spec.op_b;
    options_.compute = spec.compute;
    options_.plan    = spec_.plan();
    for (int set = operand_sets(compulsory_bytes()); set > 0; --set) {
      A_.push_back(Matrix<T>::random("A", spec.a_rows(), spec.a_columns(), spec.layouts[0], 4 * spec.seed));
      B_.push_back(Matrix<T>::random("B", spec.b_rows(), spec.b_columns(), spec.layouts[1], 4 * spec.seed + 1,
                                     3 / std::sqrt(static_cast<double>(k()))));
    }
    add_tegula();
    for (const std::string& peer : spec.peers) add_peer(peer);
  }

  const std::vector<Side>& sides() override { return sides_; }
  std::string planned_label() override { return plan(results_.front().C.front()).label(); }
  double flops() const override { return spec_.flops(); }
  double compulsory_bytes() const override {
    return static_cast<double>(m() * k() + k() * n() + m() * n() + n()) * sizeof(T);
  }

  std::vector<Verdict> check() override {
    const SampledRows rows = sampled_rows(m(), spec_.seed);
    const Reference product =
        reference_product(rows, n(), k(), Elements<T>(A_.front(), spec_.op_a), Elements<T>(B_.front(), spec_.op_b));
    const Reference layer = with_epilogue(product);
    std::vector<Verdict> verdicts;
    for (std::size_t s = 0; s < sides_.size(); ++s)
      verdicts.push_back(
          verdict_of([&] { return worst_error(sides_[s].name, results_[s].C, results_[s].plain ? product : layer); }));
    return verdicts;
  }

 private:
  std::int64_t m() const { return spec_.shape.m; }
  std::int64_t n() const { return spec_.shape.n; }
  std::int64_t k() const { return spec_.shape.k; }
  Plan plan(const Matrix<T>& C) const {
    return make_plan(exec_, A_.front().strided(), B_.front().strided(), C.strided(), epilogue_, options_);
  }

  Reference with_epilogue(const Reference& product) const {
    const HostRows bias = gather_rows(SampledRows{}, n(), Elements<T>(Matrix<T>(bias_, 1, n(), Layout::right)));
    const auto copy     = [](const HostRows& rows) {
      HostRows copied("copy", rows.extent(0), rows.extent(1));
      Kokkos::deep_copy(copied, rows);
      return copied;
    };
    Reference layer{product.rows, copy(product.value), copy(product.scale), copy(product.square)};
    for (int s = 0; s < samples; ++s) {
      for (std::int64_t j = 0; j < n(); ++j) {
        layer.value(s, j) = Activation()(product.value(s, j) + bias(s, j));
        layer.scale(s, j) += std::abs(bias(s, j));
        layer.square(s, j) += bias(s, j) * bias(s, j);
      }
    }
    return layer;
  }

  double worst_error(const std::string& side, const std::vector<Matrix<T>>& C, const Reference& reference) const {
    const Tolerance tolerance = tolerance_of<T>(side, k(), spec_.compute);
    double worst              = 0;
    for (const Matrix<T>& one : C)
      worst = std::max(
          worst, check_rows("C of " + side, reference, tolerance, gather_rows(reference.rows, n(), Elements<T>(one))));
    return worst;
  }

  /// What a side writes for each set.
  struct Result {
    std::vector<Matrix<T>> C;
    bool plain;  ///< the product alone, without bias and activation
  };

  Matrix<T> new_C(const std::string& label) const { return Matrix<T>::poisoned(label, m(), n(), spec_.layouts[2]); }

  /// A side with call_with(A, B, C) for each set.
  template <class CallWith>
  void add(const std::string& name, bool plain, const CallWith& call_with) {
    Result result{{}, plain};
    sides_.push_back(side_of(name, A_.size(), [&](std::size_t set) {
      result.C.push_back(new_C("C of " + name));
      return call_with(A_[set], B_[set], result.C.back());
    }));
    if (sides_.back().calls.empty()) result.C.clear();
    results_.push_back(result);
  }

  void add_tegula() {
    const Workspace<ExecutionSpace> workspace("workspace", plan(new_C("C")).workspace_bytes());
    add("tegula", false, [&](const Matrix<T>& A, const Matrix<T>& B, const Matrix<T>& C) {
      const auto run = [exec = exec_, a = A.strided(), b = B.strided(), c = C.strided(), epilogue = epilogue_,
                        options = options_, workspace] { Tegula::gemm(exec, a, b, c, epilogue, options, workspace); };
      return Call{run, "", ""};
    });
  }

  void add_peer(const std::string& peer) {
    add(peer, peer == "cublas_plain", [&](const Matrix<T>& A, const Matrix<T>& B, const Matrix<T>& C) {
      if (peer == "onednn") return onednn_layer(A, B, C);
      if (peer == "cublaslt") return cublaslt_layer(A, B, C);
      return product_and_pass(peer, A, B, C);
    });
  }

  Call product_and_pass(const std::string& peer, const Matrix<T>& A, const Matrix<T>& B, const Matrix<T>& C) const {
    const Product<T> product = product_of<T>(peer, spec_.compute);
    if (!product.gemm) return absent_for_type<T>();
    const auto multiply = [=, spec = spec_] { product.gemm(spec.op_a, A, spec.op_b, B, C); };
    if (peer == "cublas_plain") return {multiply, product.path, ""};
    const auto run = [=, exec = exec_, bias = bias_] {
      multiply();
      C.visit([&](const auto& view) {
        using LayoutType = typename std::decay_t<decltype(view)>::array_layout;
        for_each_element<LayoutType>("peer::bias_activation", exec, C.rows(), C.columns(),
                                     BiasActivation<T, LayoutType, Activation>{view, bias, Activation()});
      });
    };
    return {run, product.path, ""};
  }

  Call onednn_layer(const Matrix<T>& A, const Matrix<T>& B, const Matrix<T>& C) const {
    if constexpr (has_onednn_layer<T>)
      return onednn_call({m(), n(), k(), A.storage().data(), B.storage().data(), bias_.data(), C.storage().data(),
                          A.strides(spec_.op_a), B.strides(spec_.op_b), C.strides(), Activation::name});
    return absent_for_type<T>();
  }

  Call cublaslt_layer([[maybe_unused]] const Matrix<T>& A, [[maybe_unused]] const Matrix<T>& B,
                      [[maybe_unused]] const Matrix<T>& C) const {
#if TEGULA_PERF_HAS_CUBLAS
    return Perf::cublaslt_layer(column_major_product(spec_.op_a, A, spec_.op_b, B, C), spec_.compute, bias_.data(),
                                Activation::name);
#else
    return absent_for_type<T>();
#endif
  }

  CaseSpec spec_;
  ExecutionSpace exec_;
  std::vector<Matrix<T>> A_, B_;  // of each set
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
