// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_BACKWARD_CASE_HPP
#define TEGULA_PERF_BACKWARD_CASE_HPP

#include <optional>

#include "Tegula_PerfCases.hpp"
#include "Tegula_PerfColumnSums.hpp"
#include "Tegula_PerfCuBlasLt.hpp"
#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfPaths.hpp"
#include "Tegula_PerfProduct.hpp"
#include "Tegula_PerfReference.hpp"
#include "Tegula_PerfTimer.hpp"

/// A case of tegula_backward_perf, compiled in a source file for each pair of element types.

namespace Tegula::Perf {

/// The gradients that one side computes with one set: those of parameters are of R.
template <class T, class R>
struct Gradients {
  Matrix<T> dA;
  Matrix<R> dB;
  VectorView<R> dbias, dbias_below;  // the second one empty, unless there is a layer below
};

/// op(matrix), which lies where the matrix does.
template <class T>
Matrix<T> applied(Op op, const Matrix<T>& matrix) {
  if (op == Op::none) return matrix;
  return Matrix<T>(matrix.storage(), matrix.columns(), matrix.rows(),
                   matrix.layout() == Layout::right ? Layout::left : Layout::right);
}

inline Op transposed(Op op) { return op == Op::none ? Op::transpose : Op::none; }

/// dA by a gemm: op_a(dA) = dZ op_b(B)^T, or that transposed where dA is asked for transposed.
template <class T, class GemmType>
auto product_for_dA(const GemmType& gemm, Op op_a, Op op_b, const Matrix<T>& B, const Matrix<T>& dZ,
                    const Matrix<T>& dA) {
  return op_a == Op::none ? gemm(Op::none, dZ, transposed(op_b), B, dA) : gemm(op_b, B, Op::transpose, dZ, dA);
}

/// dB likewise: op_b(dB) = op_a(A)^T dZ. dZ is the second factor where op_b is none.
template <class T, class R, class GemmType>
auto product_for_dB(const GemmType& gemm, Op op_a, Op op_b, const Matrix<T>& A, const Matrix<T>& dZ,
                    const Matrix<R>& dB) {
  return op_b == Op::none ? gemm(transposed(op_a), A, Op::none, dZ, dB) : gemm(Op::transpose, dZ, op_a, A, dB);
}

/// dZ(i, j) in a kernel, in double.
template <class T, class Activation>
struct ReferenceElements {
  Elements<T> dC, saved;
  Activation activation;

  KOKKOS_FUNCTION double operator()(std::int64_t i, std::int64_t j) const {
    return dC(i, j) * activation.derivative(saved(i, j));
  }
};

template <class T, class R, class Activation>
class BackwardCase : public Case {
 public:
  using Gradients = Perf::Gradients<T, R>;

  explicit BackwardCase(const CaseSpec& spec) : spec_(spec) {
    options_.op_a            = spec.op_a;
    options_.op_b            = spec.op_b;
    options_.compute         = spec.compute;
    options_.plan            = spec_.plan();
    const auto sets          = static_cast<std::size_t>(operand_sets(compulsory_bytes()));
    const std::uint64_t seed = 4 * spec.seed;
    A_                       = random_matrices<T>("A", sets, spec.a_rows(), spec.a_columns(), spec.layouts[0], seed);
    B_     = random_matrices<T>("B", sets, spec.b_rows(), spec.b_columns(), spec.layouts[1], seed + 1);
    dC_    = random_matrices<T>("dC", sets, m(), n(), spec.layouts[2], seed + 2);
    saved_ = random_matrices<T>("saved", sets, m(), n(), spec.layouts[2], seed + 3);
    sums_  = std::make_unique<ColumnSumsPlan<T>>(m(), n(), spec.layouts[2]);
    if (has_below())
      sums_below_ = std::make_unique<ColumnSumsPlan<T>>(m(), k(), applied(spec.op_a, A_.front()).layout());
    add_tegula();
    for (const std::string& peer : spec.peers) add_peer(peer);
  }

  const std::vector<Side>& sides() override { return sides_; }
  std::vector<std::string> planned_labels() override {
    return Perf::planned_labels(plan(results_.front().gradients.front()));
  }
  double flops() const override { return 2 * spec_.flops(); }
  double compulsory_bytes() const override {
    const std::int64_t read_of_dz = has_derivative ? 2 * m() * n() : m() * n();
    const std::int64_t sums       = n() + (has_below() ? k() : 0);
    return static_cast<double>(2 * m() * k() + k() * n() + read_of_dz) * sizeof(T) +
           static_cast<double>(k() * n() + sums) * sizeof(R);
  }

  void reset(std::size_t side) override {
    for (const Gradients& gradients : results_[side].gradients) {
      poison(gradients.dA.storage());
      for (const VectorView<R>& values : {gradients.dB.storage(), gradients.dbias, gradients.dbias_below})
        if (values.extent(0) > 0) poison(values);
    }
  }

  std::vector<Verdict> check() override {
    const References references = reference_gradients();
    std::vector<Verdict> verdicts;
    for (std::size_t s = 0; s < sides_.size(); ++s)
      verdicts.push_back(verdict_of([&] { return worst_error(sides_[s].name, results_[s], references); }));
    return verdicts;
  }

 private:
  static constexpr double unhurried    = 1;  // seconds
  static constexpr bool has_derivative = Activation::saved != Saved::nothing;

  bool has_below() const { return !spec_.below.empty(); }
  std::int64_t m() const { return spec_.shape.m; }
  std::int64_t n() const { return spec_.shape.n; }
  std::int64_t k() const { return spec_.shape.k; }

  /// Of one set. dZ is where a peer's pass puts it: for the identity it is dC.
  struct Operands {
    Matrix<T> A, B, dC, saved, dZ;
  };

  /// What a side writes for each set.
  struct Result {
    std::vector<Gradients> gradients;
    bool plain;  ///< dA and dB alone
  };

  /// Gradients in the layouts of their operands, for so many sets.
  std::vector<Gradients> new_gradients(const std::string& side, std::size_t sets) const {
    const auto dA    = new_matrices<T>("dA of " + side, sets, spec_.a_rows(), spec_.a_columns(), spec_.layouts[0]);
    const auto dB    = new_matrices<R>("dB of " + side, sets, spec_.b_rows(), spec_.b_columns(), spec_.layouts[1]);
    const auto dbias = new_vectors<R>("dbias of " + side, sets, n());
    const auto below = has_below() ? new_vectors<R>("dbias of the layer below of " + side, sets, k())
                                   : std::vector<VectorView<R>>(sets);
    std::vector<Gradients> gradients;
    for (std::size_t set = 0; set < sets; ++set) gradients.push_back({dA[set], dB[set], dbias[set], below[set]});
    return gradients;
  }

  /// What the forward pass saved, by the name that the activation has for it; one matrix stands for either.
  static auto named(const Matrix<T>& saved) { return saved_for(Activation(), saved.strided(), saved.strided()); }

  /// The layer below is Relu's, and A its output.
  static auto dZ_below(const Matrix<T>& A, const Gradients& gradients) {
    return Below(gradients.dA.strided(), Relu(), Output(A.strided()), gradients.dbias_below);
  }

  Plan plan(const Gradients& gradients) const {
    const auto plan_with = [&](const auto& dA) {
      return make_plan(exec_, dC_.front().strided(), A_.front().strided(), B_.front().strided(), named(saved_.front()),
                       dA, gradients.dB.strided(), gradients.dbias, Activation(), options_);
    };
    return has_below() ? plan_with(dZ_below(A_.front(), gradients)) : plan_with(gradients.dA.strided());
  }

  /// A side with call_with(operands, gradients) for each set.
  template <class CallWith>
  void add(const std::string& name, bool plain, const CallWith& call_with) {
    const std::size_t sets = A_.size();
    const bool forms_dZ    = has_derivative && name != "tegula";
    const auto dZ          = forms_dZ ? new_matrices<T>("dZ of " + name, sets, m(), n(), spec_.layouts[2]) : dC_;
    results_.push_back({new_gradients(name, sets), plain});
    Result& result = results_.back();
    sides_.push_back(side_of(name, sets, [&](std::size_t set) {
      return call_with(Operands{A_[set], B_[set], dC_[set], saved_[set], dZ[set]}, result.gradients[set]);
    }));
    if (sides_.back().calls.empty()) result.gradients.clear();
  }

  void add_tegula() {
    const Workspace<ExecutionSpace> workspace("workspace", plan(new_gradients("none", 1).front()).workspace_bytes());
    add("tegula", false, [&](const Operands& operands, const Gradients& gradients) {
      const auto call_with = [&](const auto& dA) {
        const auto run = [exec = exec_, dC = operands.dC.strided(), A = operands.A.strided(), B = operands.B.strided(),
                          saved = named(operands.saved), dA, dB = gradients.dB.strided(), dbias = gradients.dbias,
                          options = options_, workspace] {
          Tegula::gemm_backward(exec, dC, A, B, saved, dA, dB, dbias, Activation(), options, workspace);
        };
        return Call{run, "", ""};
      };
      return has_below() ? call_with(dZ_below(operands.A, gradients)) : call_with(gradients.dA.strided());
    });
  }

  void add_peer(const std::string& peer) {
    add(peer, peer == "cublas_plain", [&](const Operands& operands, const Gradients& gradients) {
      if (peer == "cublaslt") return cublaslt_call(operands, gradients);
      return products_and_passes(peer, operands, gradients);
    });
  }

  using Run = std::function<void()>;

  /// dZ = dC act'(saved) over memory; nothing for the identity.
  Run form_dZ(const Operands& operands) const {
    if constexpr (!has_derivative) return [] {};
    return [exec = exec_, operands] { derivative_pass(exec, operands.dC, operands.saved, operands.dZ, Activation()); };
  }

  /// The same and dbias, in one pass.
  Run form_dZ_and_dbias(const Operands& operands, const Gradients& gradients) const {
    return [exec = exec_, plan = *sums_, operands, dbias = gradients.dbias] {
      if constexpr (has_derivative) {
        derivative_and_sums_pass(exec, plan, operands.dC, operands.saved, operands.dZ, Activation(), dbias);
      } else {
        column_sums_pass(exec, plan, operands.dC, dbias);
      }
    };
  }

  /// What a peer does behind its products: dA becomes dZ of the layer below, in its place, and its columns are summed.
  Run form_below(const Operands& operands, const Gradients& gradients) const {
    if (!has_below()) return [] {};
    return
        [exec = exec_, plan = *sums_below_, A = applied(spec_.op_a, operands.A), dA = applied(spec_.op_a, gradients.dA),
         dbias = gradients.dbias_below] { derivative_and_sums_pass(exec, plan, dA, A, dA, Relu(), dbias); };
  }

  /// For cublas_plain dZ is there before anything is timed, and dbias is not formed.
  Call products_and_passes(const std::string& peer, const Operands& operands, const Gradients& gradients) const {
    const Product<T, T> product            = product_of<T, T>(peer, spec_.compute);
    const Product<T, R> product_of_weights = product_of<T, R>(peer, spec_.compute);
    if (!product.gemm || !product_of_weights.gemm) return absent_for_types<T, R>();
    const auto by = [](const auto& gemm) {
      return [=](Op op_x, const Matrix<T>& X, Op op_y, const Matrix<T>& Y, const auto& result) {
        gemm(op_x, X, op_y, Y, result, Scaling());
      };
    };
    const auto multiply = [=, spec = spec_, for_dA = by(product.gemm), for_dB = by(product_of_weights.gemm)] {
      product_for_dA(for_dA, spec.op_a, spec.op_b, operands.B, operands.dZ, gradients.dA);
      product_for_dB(for_dB, spec.op_a, spec.op_b, operands.A, operands.dZ, gradients.dB);
    };
    if (peer == "cublas_plain") {
      form_dZ(operands)();
      return {multiply, product.path, ""};
    }
    const auto run = [multiply, pass = form_dZ_and_dbias(operands, gradients),
                      below = form_below(operands, gradients)] {
      pass();
      multiply();
      below();
    };
    return {run, product.path, ""};
  }

  /// The faster of two ways to dbias: by the product for dB, or by the pass that forms dZ.
  Call cublaslt_call([[maybe_unused]] const Operands& operands, [[maybe_unused]] const Gradients& gradients) {
#if TEGULA_PERF_HAS_CUBLAS
    const auto product = [&](Op op_x, const Matrix<T>& X, Op op_y, const Matrix<T>& Y, const auto& result) {
      return cublaslt_product(column_major_product(op_x, X, op_y, Y, result), spec_.compute);
    };
    const auto product_and_sums = [&](Op op_x, const Matrix<T>& X, Op op_y, const Matrix<T>& Y,
                                      const Matrix<R>& result) {
      return cublaslt_product_and_sums(column_major_product(op_x, X, op_y, Y, result), spec_.compute,
                                       spec_.op_b == Op::none, gradients.dbias.data());
    };
    const auto& [A, B, dC, saved, dZ] = operands;
    const Call dA                     = product_for_dA(product, spec_.op_a, spec_.op_b, B, dZ, gradients.dA);
    const Call dB                     = product_for_dB(product, spec_.op_a, spec_.op_b, A, dZ, gradients.dB);
    const Call dB_and_sums            = product_for_dB(product_and_sums, spec_.op_a, spec_.op_b, A, dZ, gradients.dB);
    if (!dA.run) return dA;
    if (!dB.run && !dB_and_sums.run) return dB;
    const auto in_turn = [below = form_below(operands, gradients)](const Run& pass, const Run& dB_run,
                                                                   const Run& dA_run) {
      return [=] {
        pass();
        dB_run();
        dA_run();
        below();
      };
    };
    const Run by_pass    = in_turn(form_dZ_and_dbias(operands, gradients), dB.run, dA.run);
    const Run by_product = in_turn(form_dZ(operands), dB_and_sums.run, dA.run);
    if (!sums_by_product_)
      sums_by_product_ =
          !dB.run || (dB_and_sums.run && quick_seconds(by_product, unhurried) < quick_seconds(by_pass, unhurried));
    const std::string pass = has_derivative ? "pass for dZ" : "";
    if (*sums_by_product_)
      return {by_product,
              pass + (has_derivative ? "; " : "") + "dB and dbias: " + dB_and_sums.path + "; dA: " + dA.path, ""};
    return {by_pass,
            pass + (has_derivative ? " and dbias" : "pass for dbias") + "; dB: " + dB.path + "; dA: " + dA.path, ""};
#else
    return absent_for_types<T, R>();
#endif
  }

  /// Rows of op_a(dA), of that of the layer below, of op_b(dB), and dbias, which is a row of its own.
  struct References {
    Reference dA, below, dB, dbias;
  };

  /// Rows of dZ of the layer below: dA where A is positive.
  Reference reference_below(Reference dA) const {
    if (!has_below()) return dA;
    const auto A = gather_rows(dA.rows, k(), std::vector<Elements<T>>{Elements<T>(A_.front(), spec_.op_a)});
    for (int s = 0; s < samples; ++s)
      for (std::int64_t j = 0; j < k(); ++j)
        if (!(A(s, j) > 0)) dA.value(s, j) = dA.scale(s, j) = dA.square(s, j) = 0;
    return dA;
  }

  References reference_gradients() const {
    const Matrix<T>&A = A_.front(), &B = B_.front();
    const ReferenceElements<T, Activation> dZ{Elements<T>(dC_.front()), Elements<T>(saved_.front()), Activation()};
    const auto dA = [&] {
      return reference_product(sampled_rows(m(), spec_.seed), k(), n(), dZ, Elements<T>(B, transposed(spec_.op_b)));
    };
    return {dA(), reference_below(dA()),
            reference_product(sampled_rows(k(), spec_.seed), n(), m(), Elements<T>(A, transposed(spec_.op_a)), dZ),
            reference_product(SampledRows{}, n(), m(), Ones(), dZ)};
  }

  /// dZ may have been rounded to T, where it is not dC.
  template <class Stored>
  Tolerance tolerance(const std::string& side, std::int64_t terms, const Elements<Stored>&) const {
    return tolerance_of<Stored, std::conditional_t<has_derivative, T, Stored>>(side, terms, spec_.compute);
  }

  double worst_error(const std::string& side, const Result& result, const References& references) const {
    if (result.gradients.empty()) return 0;
    const auto check = [&](const char* what, const Reference& reference, std::int64_t terms, const auto& elements_of) {
      std::vector<decltype(elements_of(result.gradients.front()))> elements;
      for (const Gradients& gradients : result.gradients) elements.push_back(elements_of(gradients));
      const auto columns = static_cast<std::int64_t>(reference.value.extent(1));
      return check_rows(std::string(what) + " of " + side, reference, tolerance(side, terms, elements.front()),
                        gather_rows(reference.rows, columns, elements));
    };
    const Reference& dA = result.plain ? references.dA : references.below;
    const double worst =
        std::max(check("op(dA)", dA, n(), [&](const auto& all) { return Elements<T>(all.dA, spec_.op_a); }),
                 check("op(dB)", references.dB, m(), [&](const auto& all) { return Elements<R>(all.dB, spec_.op_b); }));
    if (result.plain) return worst;
    if (has_below()) check_dbias_below(side, result);
    return std::max(worst, check("dbias", references.dbias, m(), [&](const auto& all) {
                      return Elements<R>(Matrix<R>(all.dbias, 1, n(), Layout::right));
                    }));
  }

  /// dbias of the layer below, of the dZ that was stored with each set.
  void check_dbias_below(const std::string& side, const Result& result) const {
    for (const Gradients& gradients : result.gradients) {
      const Matrix<R> sums(gradients.dbias_below, 1, k(), Layout::right);
      const Reference reference =
          reference_product(SampledRows{}, k(), m(), Ones(), Elements<T>(gradients.dA, spec_.op_a));
      check_rows("dbias of the layer below of " + side, reference, tolerance_of<R, T>(side, m(), spec_.compute),
                 gather_rows(reference.rows, k(), std::vector{Elements<R>(sums)}));
    }
  }

  CaseSpec spec_;
  ExecutionSpace exec_;
  std::vector<Matrix<T>> A_, B_, dC_, saved_;  // of each set
  std::unique_ptr<ColumnSumsPlan<T>> sums_, sums_below_;
  std::optional<bool> sums_by_product_;  // how cublaslt forms dbias, once it is known
  GemmBackwardOptions options_;
  std::vector<Side> sides_;
  std::vector<Result> results_;  // of each side
};

template <class T, class R>
std::unique_ptr<Case> backward_case(const CaseSpec& spec) {
  return make_case<T, R, BackwardCase>(spec);
}

}  // namespace Tegula::Perf

#endif
