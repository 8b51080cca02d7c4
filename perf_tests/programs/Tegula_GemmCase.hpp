// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_GEMM_CASE_HPP
#define TEGULA_PERF_GEMM_CASE_HPP

#include "Tegula_PerfCases.hpp"
#include "Tegula_PerfCuBlasLt.hpp"
#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfElementPass.hpp"
#include "Tegula_PerfLibxsmm.hpp"
#include "Tegula_PerfOneDnn.hpp"
#include "Tegula_PerfPaths.hpp"
#include "Tegula_PerfProduct.hpp"
#include "Tegula_PerfReference.hpp"

/// A case of tegula_gemm_perf, compiled in a source file for each pair of element types.

namespace Tegula::Perf {

/// Tegula's epilogue: bias and activation, or nothing.
template <class R, class Activation, bool HasBias>
using LayerEpilogue = std::conditional_t<HasBias, Epilogue<Activation, VectorView<R>>, Epilogue<>>;

/// The operands, of T, with op_a(A) of m x k and op_b(B) of k x n, the same in every set. C, the bias and Z, the
/// activation's argument, which is stored if the backward pass needs it and it is asked for, are of R. B is scaled so
/// that the sums are of order 1, where activations are neither constant nor linear.
template <class T, class R, class Activation, bool HasBias>
class GemmCase : public Case {
 public:
  explicit GemmCase(const CaseSpec& spec) : spec_(spec), bias_("bias", static_cast<std::size_t>(n())) {
    fill_random(bias_, 4 * spec.seed + 2);
    if constexpr (HasBias) epilogue_ = LayerEpilogue<R, Activation, HasBias>(Activation(), bias_);
    options_.op_a    = spec.op_a;
    options_.op_b    = spec.op_b;
    options_.alpha   = spec.scaling.alpha;
    options_.beta    = spec.scaling.beta;
    options_.compute = spec.compute;
    options_.plan    = spec_.plan();

    const auto sets = static_cast<std::size_t>(operand_sets(compulsory_bytes()));
    A_              = random_matrices<T>("A", sets, spec.a_rows(), spec.a_columns(), spec.layouts[0], 4 * spec.seed);
    B_              = random_matrices<T>("B", sets, spec.b_rows(), spec.b_columns(), spec.layouts[1], 4 * spec.seed + 1,
                            3 / std::sqrt(static_cast<double>(k())));
    add_tegula();
    for (const std::string& peer : spec.peers) add_peer(peer);
  }

  const std::vector<Side>& sides() override { return sides_; }
  std::vector<std::string> planned_labels() override { return Perf::planned_labels(plan(results_.front())); }
  double flops() const override { return spec_.flops(); }
  double compulsory_bytes() const override {
    const std::int64_t times_c = spec_.scaling.beta == 0 ? 1 : 2;
    const std::int64_t of_R    = (times_c + (stores_Z() ? 1 : 0)) * m() * n() + (HasBias ? n() : 0);
    return static_cast<double>(m() * k() + k() * n()) * sizeof(T) + static_cast<double>(of_R) * sizeof(R);
  }

  void reset(std::size_t side) override {
    for (const Matrix<R>& C : results_[side].C) {
      if (spec_.scaling.beta == 0) {
        poison(C.storage());
      } else {
        fill_random(C.storage(), C_seed());
      }
    }
    for (const Matrix<R>& Z : results_[side].Z) poison(Z.storage());
  }

  std::vector<Verdict> check() override {
    const SampledRows rows = sampled_rows(m(), spec_.seed);
    const Reference product =
        reference_product(rows, n(), k(), Elements<T>(A_.front(), spec_.op_a), Elements<T>(B_.front(), spec_.op_b));
    const Reference scaled = with_scaling(product), argument = with_bias(scaled), layer = activated(argument);
    std::vector<Verdict> verdicts;
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      const Result& result    = results_[s];
      const std::string& side = sides_[s].name;
      verdicts.push_back(verdict_of([&] {
        return std::max(worst_error("C of " + side, side, result.C, result.plain ? scaled : layer),
                        worst_error("Z of " + side, side, result.Z, argument));
      }));
    }
    return verdicts;
  }

 private:
  /// What a side writes for each set.
  struct Result {
    std::vector<Matrix<R>> C, Z;  ///< Z: if it is stored
    bool plain;                   ///< the product alone, without bias and activation

    const Matrix<R>& Z_or_C(std::size_t set) const { return Z.empty() ? C[set] : Z[set]; }
  };

  std::int64_t m() const { return spec_.shape.m; }
  std::int64_t n() const { return spec_.shape.n; }
  std::int64_t k() const { return spec_.shape.k; }
  std::uint64_t C_seed() const { return 4 * spec_.seed + 3; }
  static constexpr bool has_saved_argument = HasBias && Activation::saved == Saved::pre_activation;
  bool stores_Z() const { return has_saved_argument && spec_.saved; }
  Plan plan(const Result& result) const {
    return with_b(B_.front(), [&](const auto& b) {
      return with_epilogue(result.Z_or_C(0), [&](const auto& epilogue) {
        return make_plan(exec_, A_.front().strided(), b, result.C.front().strided(), epilogue, options_);
      });
    });
  }

  /// use(B), packed if that is asked for.
  template <class Use>
  auto with_b(const Matrix<T>& B, const Use& use) const {
    if (spec_.packed) return use(pack(exec_, B.strided(), options_.op_b));
    return use(B.strided());
  }

  /// use(epilogue), which stores Z if that is asked for.
  template <class Use>
  auto with_epilogue(const Matrix<R>& Z, const Use& use) const {
    if constexpr (has_saved_argument)
      if (stores_Z()) return use(Epilogue(Activation(), bias_, Z.strided()));
    return use(epilogue_);
  }

  /// Copies the values; copies of a Reference share them.
  static Reference copy(const Reference& reference) {
    const auto copied = [](const HostRows& rows) {
      const HostRows fresh("copy", rows.extent(0), rows.extent(1));
      Kokkos::deep_copy(fresh, rows);
      return fresh;
    };
    return {reference.rows, copied(reference.value), copied(reference.scale), copied(reference.square)};
  }

  /// alpha product + beta C, with the C that is there before the call.
  Reference with_scaling(const Reference& product) const {
    const auto [alpha, beta] = spec_.scaling;
    Reference scaled         = copy(product);
    for (int s = 0; s < samples; ++s) {
      for (std::int64_t j = 0; j < n(); ++j) {
        scaled.value(s, j) *= alpha;
        scaled.scale(s, j) *= std::abs(alpha);
        scaled.square(s, j) *= alpha * alpha;
      }
    }
    if (beta == 0) return scaled;
    const Matrix<R> C     = random_matrices<R>("C before", 1, m(), n(), spec_.layouts[2], C_seed()).front();
    const HostRows before = gather_rows(product.rows, n(), std::vector{Elements<R>(C)});
    for (int s = 0; s < samples; ++s)
      for (std::int64_t j = 0; j < n(); ++j) add_term(scaled, s, j, beta * before(s, j));
    return scaled;
  }

  static void add_term(const Reference& reference, int s, std::int64_t j, double term) {
    reference.value(s, j) += term;
    reference.scale(s, j) += std::abs(term);
    reference.square(s, j) += term * term;
  }

  /// value + bias
  Reference with_bias(const Reference& scaled) const {
    if constexpr (!HasBias) return scaled;
    Reference argument = copy(scaled);
    const HostRows bias =
        gather_rows(SampledRows{}, n(), std::vector{Elements<R>(Matrix<R>(bias_, 1, n(), Layout::right))});
    for (int s = 0; s < samples; ++s)
      for (std::int64_t j = 0; j < n(); ++j) add_term(argument, s, j, bias(s, j));
    return argument;
  }

  /// act(value)
  Reference activated(const Reference& argument) const {
    if constexpr (!HasBias) return argument;
    Reference layer = copy(argument);
    for (int s = 0; s < samples; ++s)
      for (std::int64_t j = 0; j < n(); ++j) layer.value(s, j) = Activation()(layer.value(s, j));
    return layer;
  }

  double worst_error(const std::string& what, const std::string& side, const std::vector<Matrix<R>>& results,
                     const Reference& reference) const {
    std::vector<Elements<R>> elements;
    for (const Matrix<R>& result : results) elements.emplace_back(result);
    if (elements.empty()) return 0;
    return check_rows(what, reference, tolerance_of<R>(side, k(), spec_.compute),
                      gather_rows(reference.rows, n(), elements));
  }

  Result new_result(const std::string& side, std::size_t sets, bool plain) const {
    const auto matrices = [&](const std::string& matrix) {
      return new_matrices<R>(matrix + " of " + side, sets, m(), n(), spec_.layouts[2]);
    };
    return {matrices("C"), stores_Z() && !plain ? matrices("Z") : std::vector<Matrix<R>>(), plain};
  }

  /// A side with call_with(A, B, C, Z) for each set. Where Z is not stored, C stands for it.
  template <class CallWith>
  void add(const std::string& name, bool plain, const CallWith& call_with) {
    results_.push_back(new_result(name, A_.size(), plain));
    Result& result = results_.back();
    sides_.push_back(side_of(name, A_.size(), [&](std::size_t set) {
      return call_with(A_[set], B_[set], result.C[set], result.Z_or_C(set));
    }));
    if (sides_.back().calls.empty()) result = {{}, {}, plain};
  }

  void add_tegula() {
    const Workspace<ExecutionSpace> workspace("workspace", plan(new_result("a plan", 1, false)).workspace_bytes());
    add("tegula", false, [&](const Matrix<T>& A, const Matrix<T>& B, const Matrix<R>& C, const Matrix<R>& Z) {
      return with_b(B, [&](const auto& b) {
        return with_epilogue(Z, [&](const auto& epilogue) {
          const auto run = [exec = exec_, a = A.strided(), b, c = C.strided(), epilogue, options = options_,
                            workspace] { Tegula::gemm(exec, a, b, c, epilogue, options, workspace); };
          return Call{run, "", ""};
        });
      });
    });
  }

  void add_peer(const std::string& peer) {
    const bool is_plain = peer == "cublas_plain";
    add(peer, is_plain, [&](const Matrix<T>& A, const Matrix<T>& B, const Matrix<R>& C, const Matrix<R>& Z) {
      if (peer == "cublaslt") return cublaslt_layer(A, B, C, Z);
      if (stores_Z() && !is_plain) return Call{{}, "", "it stores no argument of an activation"};
      if (peer == "onednn") return onednn_layer(A, B, C);
      if (peer == "libxsmm") return libxsmm_and_pass(A, B, C);
      return product_and_pass(peer, A, B, C);
    });
  }

  Call product_and_pass(const std::string& peer, const Matrix<T>& A, const Matrix<T>& B, const Matrix<R>& C) const {
    const Product<T, R> product = product_of<T, R>(peer, spec_.compute);
    if (!product.gemm) return absent_for_types<T, R>();
    const auto multiply = [=, spec = spec_] { product.gemm(spec.op_a, A, spec.op_b, B, C, spec.scaling); };
    if (!HasBias || peer == "cublas_plain") return {multiply, product.path, ""};
    return {with_pass(multiply, C), product.path, ""};
  }

  /// The pass over C follows what multiplies.
  template <class Multiply>
  auto with_pass(const Multiply& multiply, const Matrix<R>& C) const {
    return [=, exec = exec_, bias = bias_] {
      multiply();
      bias_activation_pass<R>(exec, C, bias, Activation());
    };
  }

  Call libxsmm_and_pass(const Matrix<T>& A, const Matrix<T>& B, const Matrix<R>& C) const {
    if constexpr (has_libxsmm_gemm<T> && std::is_same_v<T, R>) {
      const Call product = libxsmm_call<T>(column_major_product(spec_.op_a, A, spec_.op_b, B, C, spec_.scaling));
      if (!HasBias || !product.run) return product;
      return {with_pass(product.run, C), product.path, ""};
    }
    return absent_for_types<T, R>();
  }

  Call onednn_layer(const Matrix<T>& A, const Matrix<T>& B, const Matrix<R>& C) const {
    if constexpr (has_onednn_layer<T> && std::is_same_v<T, R>)
      return onednn_call({m(), n(), k(), A.storage().data(), B.storage().data(), HasBias ? bias_.data() : nullptr,
                          C.storage().data(), A.strides(spec_.op_a), B.strides(spec_.op_b), C.strides(),
                          Activation::name, spec_.scaling});
    return absent_for_types<T, R>();
  }

  Call cublaslt_layer([[maybe_unused]] const Matrix<T>& A, [[maybe_unused]] const Matrix<T>& B,
                      [[maybe_unused]] const Matrix<R>& C, [[maybe_unused]] const Matrix<R>& Z) const {
#if TEGULA_PERF_HAS_CUBLAS
    const ColumnMajorProduct product = column_major_product(spec_.op_a, A, spec_.op_b, B, C, spec_.scaling);
    if constexpr (!HasBias) return cublaslt_product(product, spec_.compute);
    return Perf::cublaslt_layer(product, spec_.compute, bias_.data(), Activation::name,
                                {spec_.saved, Z.storage().data()});
#else
    return absent_for_types<T, R>();
#endif
  }

  CaseSpec spec_;
  ExecutionSpace exec_;
  std::vector<Matrix<T>> A_, B_;  // of each set
  VectorView<R> bias_;
  LayerEpilogue<R, Activation, HasBias> epilogue_;
  GemmOptions options_;
  std::vector<Side> sides_;
  std::vector<Result> results_;  // of each side
};

template <class T, class R, class Activation>
using LayerCase = GemmCase<T, R, Activation, true>;

template <class T, class R>
std::unique_ptr<Case> gemm_case(const CaseSpec& spec) {
  if (spec.epilogue == EpilogueKind::none) return std::make_unique<GemmCase<T, R, Identity, false>>(spec);
  return make_case<T, R, LayerCase>(spec);
}

}  // namespace Tegula::Perf

#endif
