// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "Tegula_TestCudaTrials.hpp"
#include "Tegula_TestFamilies.hpp"
#include "cuda/Tegula_CudaPlanner.hpp"
#include "cuda/Tegula_CudaProducts.hpp"
#include "cuda/Tegula_CudaRunPlan.hpp"
#include "product/Tegula_UncutCall.hpp"

/// Whatever is proposed for a call computes it: every configuration of every family, with every split, and with copies
/// of operands or without. Planners choose among proposals by predicted times, which are fitted anew now and then, so
/// what they choose today is not all that must be right. Needs a GPU of compute capability 8.0 or newer, and is skipped
/// elsewhere.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;
using Space = Kokkos::Cuda;

/// What can be proposed for a call, each as a plan.
class Plans {
 public:
  explicit Plans(const Call& call) : call_(call), machine_(cuda_machine(Space())) {
    call.is_backward ? add_gradients() : add_gemm();
  }

  const std::vector<Plan>& all() const { return all_; }

  /// The first of the portable family, which computes everything that is wanted in one launch.
  const Plan& portable() const {
    const auto is_portable = [](const Plan& plan) {
      return plan.family == std::string("portable") && plan.gradient.teams() == 0;
    };
    return *std::find_if(all_.begin(), all_.end(), is_portable);
  }

 private:
  using Products = std::array<ProductPlan, 2>;

  template <class Visit>
  void for_each_cut(Covers covers, const Calls& calls, const Visit& visit) const {
    for (const CudaFamily* family : cuda_families()) {
      if (family->covers != covers || refusal_of(*family, calls, machine_, {}) != nullptr) continue;
      family->propose(calls, machine_, {},
                      [&](const Proposal& proposal) { visit(*family, family->cut(calls, machine_, {}, proposal)); });
    }
  }

  void add(const char* family, const Products& products, const GradientPlan& gradient, bool is_one_kernel) {
    Plan plan          = uncut_plan(family, "Cuda", call_);
    plan.products      = products;
    plan.gradient      = gradient;
    plan.is_one_kernel = is_one_kernel;
    all_.push_back(plan);
  }

  void add_gemm() {
    for_each_cut(Covers::product, {&call_, 1},
                 [&](const CudaFamily& family, const Products& cut) { add(family.name, cut, {}, false); });
  }

  // At once, or behind the pass that forms dZ: both products by one kernel, or each by what is proposed for it, however
  // the other one is computed.
  void add_gradients() {
    for_each_cut(Covers::gradients, {&call_, 1},
                 [&](const CudaFamily& family, const Products& cut) { add(family.name, cut, {}, true); });
    alignas(128) static char workspace[128];  // whose place does not matter but for its alignment
    const GradientPlan gradient = plan_gradient(call_, machine_);
    const auto calls            = gradient_products(call_, gradient_of(call_, gradient, workspace));
    if (!is_wanted(calls[0]) && !is_wanted(calls[1])) return add("passes", {}, gradient, false);
    std::array<std::vector<ProductPlan>, 2> ways;
    for (std::size_t p = 0; p < calls.size(); ++p)
      if (is_wanted(calls[p]))
        for_each_cut(Covers::product, {&calls[p], 1},
                     [&](const CudaFamily&, const Products& cut) { ways[p].push_back(cut[0]); });
    for (std::size_t w = 0; w < std::max(ways[0].size(), ways[1].size()); ++w) {
      Products products{};
      for (std::size_t p = 0; p < calls.size(); ++p)
        if (!ways[p].empty()) products[p] = ways[p][w % ways[p].size()];
      add(products[products[0].teams() > 0 ? 0 : 1].family, products, gradient, false);
    }
    if (is_wanted(calls[0]) && is_wanted(calls[1]))
      for_each_cut(Covers::two_products, calls,
                   [&](const CudaFamily& family, const Products& cut) { add(family.name, cut, gradient, true); });
  }

  const Call& call_;
  const CudaMachine machine_;
  std::vector<Plan> all_;
};

void run(const Call& call, const Plan& plan) {
  const Kokkos::View<char*, Kokkos::CudaSpace> workspace("workspace", plan.workspace_bytes());
  Kokkos::deep_copy(workspace, '\xff');  // NaN
  launch_cuda_plan(Space(), call, plan, workspace.data());
  Space().fence();
}

template <class InputType, class OutputType, Compute Mode>
struct ProposalCase {
  using Input                   = InputType;
  using Output                  = OutputType;
  static constexpr Compute mode = Mode;
};

using ProposalCases =
    testing::Types<ProposalCase<bhalf_t, bhalf_t, Compute::native>, ProposalCase<half_t, half_t, Compute::native>,
                   ProposalCase<bhalf_t, float, Compute::native>, ProposalCase<float, float, Compute::native>,
                   ProposalCase<float, float, Compute::tf32>, ProposalCase<float, float, Compute::fp32_split>,
                   ProposalCase<double, double, Compute::native>>;

struct ProposalCaseName {
  template <class T>
  static std::string GetName(int) {
    constexpr const char* modes[] = {"", "_tf32", "_fp32_split"};
    return std::string(ScalarTraits<typename T::Input>::name) + '_' + ScalarTraits<typename T::Output>::name +
           modes[static_cast<int>(T::mode)];
  }
};

template <class Case>
class CudaProposals : public AgainstPortable {
 protected:
  using Input         = typename Case::Input;
  using Output        = typename Case::Output;
  using Bias          = CudaBias<Input>;
  using GemmCase      = CudaGemmTrial<Input, Output>;
  using BackwardCase  = CudaBackwardTrial<Input, Output>;
  using InputMatrix   = StridedMatrix<Kokkos::CudaSpace, Input>;
  using OutputMatrix  = StridedMatrix<Kokkos::CudaSpace, Output>;
  using BiasMatrix    = StridedMatrix<Kokkos::CudaSpace, Bias>;
  using Sum           = accumulator_t<Output>;
  using InputElements = MatrixRef<const Input>;

  void SetUp() override {
    if (Space().cuda_device_prop().major < 8) GTEST_SKIP() << "needs a GPU of compute capability 8.0 or newer";
  }

  std::int64_t draw_extent() {
    return pick(random_, std::vector<std::int64_t>{1, 2, 3, 7, 8, 16, 31, 32, 33, 64, 72, 100, 128, 136, 200});
  }
  // Of the kinds that some families want, every other time, or ragged.
  static bool is_of_a_kind(int number) { return number % 2 == 0; }
  GemmShape draw_shape(int number) {
    constexpr GemmShape kinds[] = {{1000, 8, 16}, {16, 1000, 32}, {8, 200, 136}, {200, 4, 200}, {136, 128, 64}};
    if (is_of_a_kind(number)) return kinds[static_cast<std::size_t>(number) / 4 % std::size(kinds)];
    return {draw_extent(), draw_extent(), draw_extent()};
  }

  // Half of those have rows in runs of 16 bytes throughout; a quarter of all have runs in any direction.
  template <class Matrix>
  Matrix matrix(int number, Op op, std::int64_t rows, std::int64_t columns, bool poisoned) {
    const bool is_straight = op == Op::none, has_runs = number % 4 < 2;
    while (true) {
      const std::int64_t alignment = has_runs ? 8 : 1;
      Matrix drawn                 = is_straight ? Matrix(random_, rows, columns, poisoned, alignment)
                                                 : Matrix(random_, columns, rows, poisoned, alignment);
      if (!has_runs || !is_of_a_kind(number) || drawn.view().stride(is_straight ? 1 : 0) == 1) return drawn;
    }
  }

  GemmCase draw_gemm(int number) {
    const GemmShape shape = draw_shape(number);
    GemmOptions options   = draw_gemm_options({});
    options.compute       = Case::mode;
    if (is_of_a_kind(number) && options.alpha == 0) options.alpha = 1;  // few families are for empty sums
    return {number / 2,                                                 // which leaves every epilogue to all shapes
            shape,
            options,
            matrix<InputMatrix>(number, options.op_a, shape.m, shape.k, false),
            matrix<InputMatrix>(number, options.op_b, shape.k, shape.n, false),
            BiasMatrix(random_, 1, shape.n),
            matrix<OutputMatrix>(number, Op::none, shape.m, shape.n, options.beta == 0),
            matrix<OutputMatrix>(number, Op::none, shape.m, shape.n, true)};
  }

  BackwardCase draw_backward(int number) {
    const auto [m, n, k]        = draw_shape(number);
    GemmBackwardOptions options = draw_backward_options({});
    options.compute             = Case::mode;
    if (is_of_a_kind(number) && options.alpha == 0) options.alpha = 1;
    const auto poisoned = [](Update update) { return update == Update::overwrite; };
    return {number + 3 * (number / 20),  // other gradients of the same shapes
            {m, n, k},
            options,
            matrix<InputMatrix>(number, options.op_a, m, k, false),
            matrix<InputMatrix>(number, options.op_b, k, n, false),
            matrix<InputMatrix>(number, Op::none, m, n, false),
            matrix<InputMatrix>(number, Op::none, m, n, false),
            matrix<OutputMatrix>(number, options.op_a, m, k, poisoned(options.dA)),
            matrix<OutputMatrix>(number, options.op_b, k, n, poisoned(options.dB)),
            BiasMatrix(random_, 1, n, poisoned(options.dbias))};
  }

  // The call of a trial, with results in these places.
  template <class Activation>
  static Call call_of_gemm(const GemmCase& t, const OutputMatrix& C, const OutputMatrix& Z,
                           const Activation& activation) {
    using Types     = GemmTypes<Input, Input, Output, Bias, Output, Activation>;
    const auto bias = [&]<class BiasView>(const BiasView& view) {
      const auto both = [&](const auto& pre_activation) {
        const Epilogue epilogue(activation, view, pre_activation);
        Call call = gemm_call<Types>(t.A.view(), t.B.view(), C.view(), epilogue, t.options);
        add_activation<Space, Types>(call, activation);
        return call;
      };
      return t.has_Z() ? both(Z.view()) : both(none);
    };
    return t.has_bias() ? bias(t.bias.row()) : bias(none);
  }

  template <class Activation>
  static Call call_of_backward(const BackwardCase& t, const OutputMatrix& dA, const OutputMatrix& dB,
                               const BiasMatrix& dbias, const Activation& activation) {
    using Types = GemmBackwardTypes<Input, Input, Input, Input, Output, Output, Bias, Activation>;
    Call call   = gemm_backward_call<Types>(t.dC.view(), t.A.view(), t.B.view(), t.saved.view(), dA.view(), dB.view(),
                                          dbias.row(), t.options);
    if (Activation::saved == Saved::nothing) call.saved = call_matrix(InputElements());
    if (!t.wants_dA()) call.dA = call_matrix(MatrixRef<Output>());
    if (!t.wants_dB()) call.dB = call_matrix(MatrixRef<Output>());
    if (!t.wants_dbias()) call.dbias = call_matrix(MatrixRef<Bias>());
    add_activation<Space, Types>(call, activation);
    return call;
  }

  // Each run has results of its own. All but the first compare with what the first one left.
  template <class Activation>
  void expect_gemm(const GemmCase& drawn, const Activation& activation) {
    const Call call = call_of_gemm(drawn, drawn.expected, drawn.expected_Z, activation);
    const Plans plans(call);
    run(call, plans.portable());
    const HostMatrix gauge = drawn.gauge();
    const double factor    = tensor_core_factor<Input>(Case::mode, drawn.shape.k);
    for (const Plan& plan : plans.all()) {
      const GemmCase trial = drawn;
      run(call_of_gemm(trial, trial.C, trial.Z, activation), plan);
      ASSERT_TRUE(trial.agrees(factor, gauge)) << plan.text();
      note(plan);
    }
  }

  template <class Activation>
  void expect_backward(const BackwardCase& drawn, const Activation& activation, double dZ_error) {
    const Call call = call_of_backward(drawn, drawn.expected_dA, drawn.expected_dB, drawn.expected_dbias, activation);
    const Plans plans(call);
    run(call, plans.portable());
    const auto gauges   = drawn.gauges();
    const double factor = tensor_core_factor<Input>(Case::mode, std::max(drawn.shape.m, drawn.shape.n));
    for (const Plan& plan : plans.all()) {
      const BackwardCase trial = drawn;
      run(call_of_backward(trial, trial.dA, trial.dB, trial.dbias, activation), plan);
      ASSERT_TRUE(trial.agrees(factor, dZ_error, gauges)) << plan.text();
      note(plan);
    }
  }

  void note(const Plan& plan) {
    for (const ProductPlan& product : plan.products)
      if (product.teams() > 0) seen_.insert(product.family);
  }

  /// The families for these elements.
  static std::vector<std::string> families_for_elements() {
    if (sizeof(Input) == 2) return {"portable", "mma", "wgmma"};
    if (sizeof(Input) == 8) return {"portable", "mma", "stream", "gemv", "panel"};
    std::vector<std::string> all{"portable", "simt", "stream", "gemv"};
    if (Case::mode == Compute::tf32)
      for (const char* family : {"tf32", "mma"}) all.emplace_back(family);
    if (Case::mode == Compute::fp32_split)
      for (const char* family : {"fp32_split", "tf32x3"}) all.emplace_back(family);
    return all;
  }
  void expect_families(const std::vector<std::string>& families) const {
    for (const std::string& family : families)
      EXPECT_EQ(seen_.count(family) > 0, why_not(family).empty()) << family << ' ' << why_not(family);
  }

  std::set<std::string> seen_;
};

TYPED_TEST_SUITE(CudaProposals, ProposalCases, ProposalCaseName);

TYPED_TEST(CudaProposals, ComputeGemm) {
  for (int number = 0; number < 40 && !this->HasFatalFailure(); ++number) {
    const auto drawn = this->draw_gemm(number);
    switch (number / 4 % 3) {
      case 0:
        this->expect_gemm(drawn, Identity());
        break;
      case 1:
        this->expect_gemm(drawn, Relu());
        break;
      default:
        this->expect_gemm(drawn, GeluTanh());
    }
  }
  this->expect_families(this->families_for_elements());
}

TYPED_TEST(CudaProposals, ComputeGradients) {
  using Input = typename TypeParam::Input;
  for (int number = 0; number < 40 && !this->HasFatalFailure(); ++number) {
    const auto drawn = this->draw_backward(number);
    switch (number / 4 % 3) {
      case 0:
        this->expect_backward(drawn, Identity(), 0);
        break;
      case 1:
        this->expect_backward(drawn, Relu(), 0);
        break;
      default:
        this->expect_backward(drawn, Tanh(), ScalarTraits<Input>::unit_roundoff);
    }
  }
  auto families = this->families_for_elements();
  if (sizeof(Input) > 2) families.emplace_back("tall");
  families.emplace_back("shallow");
  this->expect_families(families);
}

}  // namespace
}  // namespace Tegula::Test
