// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_FAMILY_HPP
#define TEGULA_TEST_CUDA_FAMILY_HPP

#include <algorithm>

#include "Tegula_TestCudaTrials.hpp"
#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestTools.hpp"
#include "Tegula_TestTypes.hpp"

/// What the tests of the families for tensor cores share: element types, and facts that hold for each of them.

namespace Tegula::Test {

/// Input and output type.
template <class InputType, class OutputType>
struct CudaTypes {
  using Input  = InputType;
  using Output = OutputType;
};

using AllCudaTypes = testing::Types<CudaTypes<bhalf_t, bhalf_t>, CudaTypes<half_t, half_t>, CudaTypes<bhalf_t, float>,
                                    CudaTypes<half_t, float>>;

/// Those whose results are of 16 bits.
using HalfCudaTypes = testing::Types<CudaTypes<bhalf_t, bhalf_t>, CudaTypes<half_t, half_t>>;

struct CudaTypesName {
  template <class T>
  static std::string GetName(int) {
    return std::string(ScalarTraits<typename T::Input>::name) + '_' + ScalarTraits<typename T::Output>::name;
  }
};

/// The base of a fixture, whose tests are skipped where the family does not run. A family has a name, tiles, and
/// `edges`, extents around which something changes; if it is not `native`, the way it computes; `splits`, if it does
/// not cut the inner dimension into any number of parts; `leaves_empty_sums`, if it does not take alpha = 0;
/// `stores_once(tile)`, if it takes beta = 0 only with tiles for which this does not hold; and `gradients_lie_in_runs`,
/// if it takes dC and what was saved only where both are contiguous in one direction.
template <class T, class Family>
class CudaFamily : public AgainstPortable {
 protected:
  static constexpr Compute compute() {
    if constexpr (requires { Family::compute; }) {
      return Family::compute;
    } else {
      return Compute::native;
    }
  }
  static GemmOptions options_with(const PlanOptions& plan) { return {.compute = compute(), .plan = plan}; }

  using Space        = Kokkos::Cuda;
  using Input        = typename T::Input;
  using Output       = typename T::Output;
  using InputMatrix  = StridedMatrix<Space::memory_space, Input>;
  using OutputMatrix = StridedMatrix<Space::memory_space, Output>;
  using BiasMatrix   = StridedMatrix<Space::memory_space, CudaBias<Input>>;

  void SetUp() override { needs_family(Family::name); }

  // One or a few, or around an edge.
  std::int64_t draw_extent() {
    if (random_() % 4 == 0) return static_cast<std::int64_t>(1 + random_() % 9);
    return pick(random_, Family::edges()) + static_cast<std::int64_t>(random_() % 3) - 1;
  }
  GemmShape draw_shape() {
    const GemmShape shape{draw_extent(), draw_extent(), draw_extent()};
    return random_() % 4 == 0 ? GemmShape{shape.m, shape.n, 3 * shape.k + 5} : shape;
  }
  static int draw_split(Random& random) {
    if constexpr (requires { Family::splits(); }) {
      return pick(random, Family::splits());
    } else {
      return static_cast<int>(2 + random() % 3);
    }
  }
  // What the planner chooses, or any tile, and splits.
  PlanOptions draw_plan() {
    PlanOptions plan{.family = Family::name};
    if (random_() % 6 != 0) plan.tile = pick(random_, Family::tiles());
    if (random_() % 4 == 0) plan.split_k = draw_split(random_);
    if (random_() % 4 == 0) plan.group = static_cast<int>(1 + random_() % 3);
    return plan;
  }

  template <class Options>
  static Options taken(Options options) {
    if (requires { Family::leaves_empty_sums; } && options.alpha == 0) options.alpha = 1;
    options.compute = compute();
    if constexpr (requires { Family::stores_once(TileShape()); })
      if (!Family::stores_once(options.plan.tile)) forget_results(options);
    return options;
  }
  static void forget_results(GemmOptions& options) { options.beta = 0; }
  static void forget_results(GemmBackwardOptions& options) { options.dA = options.dB = Update::overwrite; }

  // With lines of whole runs of 16 bytes, or with any.
  InputMatrix operand(Op op, std::int64_t rows, std::int64_t columns) {
    const std::int64_t alignment = random_() % 3 == 0 ? 1 : 8;
    return op == Op::none ? InputMatrix(random_, rows, columns, false, alignment)
                          : InputMatrix(random_, columns, rows, false, alignment);
  }
  // dC, and what was saved, which lies as dC does or anyhow.
  InputMatrix gradient_operand(std::int64_t rows, std::int64_t columns) {
    InputMatrix drawn = operand(Op::none, rows, columns);
    return lies_in_runs(drawn, drawn) ? std::move(drawn) : gradient_operand(rows, columns);
  }
  InputMatrix saved_with(const InputMatrix& dC, std::int64_t rows, std::int64_t columns) {
    InputMatrix drawn = random_() % 2 == 0 ? alike(dC) : operand(Op::none, rows, columns);
    return lies_in_runs(dC, drawn) ? std::move(drawn) : saved_with(dC, rows, columns);
  }
  bool lies_in_runs(const InputMatrix& dC, const InputMatrix& matrix) const {
    const auto view     = matrix.view();
    const unsigned runs = dC.view().stride(1) == 1 ? 1 : 0;
    if constexpr (requires { Family::gradients_lie_in_runs; })
      if (Family::gradients_lie_in_runs && view.stride(runs) != 1) return false;
    return !gradients_in_words_ ||
           (view.stride(1 - runs) % 8 == 0 && reinterpret_cast<std::uintptr_t>(view.data()) % 16 == 0);
  }
  // Other elements, which lie as those of another matrix do.
  InputMatrix alike(const InputMatrix& matrix) {
    InputMatrix other = matrix;
    other.redraw(random_);
    return other;
  }
  bool gradients_in_words_ = false;  // whether they are to lie in runs of 16 bytes, of which lines are whole ones

  OutputMatrix output(std::int64_t rows, std::int64_t columns, bool poisoned) {
    return OutputMatrix(random_, rows, columns, poisoned, random_() % 3 == 0 ? 1 : 8);
  }

  static double rounding_factor() { return ::Tegula::Test::rounding_factor(compute()); }
  static double tensor_core_factor(std::int64_t k) { return ::Tegula::Test::tensor_core_factor<Input>(compute(), k); }

  void gemm_is_what_the_portable_family_computes(int trials) {
    gemm_is_what_the_portable_family_computes(trials, [](const auto& trial) { run_cuda_gemm(trial); });
  }

  /// A call of gemm with operands that lie anyhow.
  CudaGemmTrial<Input, Output> gemm_trial(int number, const GemmShape& shape, const GemmOptions& options) {
    return {number,
            shape,
            options,
            operand(options.op_a, shape.m, shape.k),
            operand(options.op_b, shape.k, shape.n),
            BiasMatrix(random_, 1, shape.n),
            output(shape.m, shape.n, options.beta == 0),
            output(shape.m, shape.n, true)};
  }

  /// The same with an activation of the test's: run(trial) runs one by both families.
  template <class Run>
  void gemm_is_what_the_portable_family_computes(int trials, const Run& run) {
    for (int number = 0; number < trials; ++number) {
      const GemmShape shape = draw_shape();
      const auto trial      = gemm_trial(number, shape, taken(draw_gemm_options(draw_plan())));
      run(trial);
      ASSERT_TRUE(trial.agrees(tensor_core_factor(shape.k)));
    }
  }

  testing::AssertionResult backward_agrees_with_portable(int number, const GemmShape& shape,
                                                         const GemmBackwardOptions& options) {
    const auto gradient_of = [&](Op op, std::int64_t rows, std::int64_t columns, Update update) {
      const bool poisoned = update == Update::overwrite;
      return op == Op::none ? output(rows, columns, poisoned) : output(columns, rows, poisoned);
    };
    const InputMatrix dC = gradient_operand(shape.m, shape.n);
    const CudaBackwardTrial<Input, Output> trial{number,
                                                 shape,
                                                 options,
                                                 operand(options.op_a, shape.m, shape.k),
                                                 operand(options.op_b, shape.k, shape.n),
                                                 dC,
                                                 saved_with(dC, shape.m, shape.n),
                                                 gradient_of(options.op_a, shape.m, shape.k, options.dA),
                                                 gradient_of(options.op_b, shape.k, shape.n, options.dB),
                                                 BiasMatrix(random_, 1, shape.n, options.dbias == Update::overwrite)};
    const double dZ_error = run_cuda_backward(trial);
    return trial.agrees(tensor_core_factor(std::max(shape.m, shape.n)), dZ_error);
  }

  void gemm_backward_is_what_the_portable_family_computes(int trials) {
    for (int number = 0; number < trials; ++number) {
      const GemmShape shape = draw_shape();
      ASSERT_TRUE(backward_agrees_with_portable(number, shape, taken(draw_backward_options(draw_plan()))));
    }
  }

  void nan_propagates_through_relu() {
    Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", 64, 64), B("B", 64, 64);
    Kokkos::View<Output**, Kokkos::LayoutRight, Space> C("C", 64, 64);
    auto host = Kokkos::create_mirror(A);
    for (int i = 0; i < 64; ++i) host(i, i) = from_double<Input>(-1);
    host(5, 5) = from_double<Input>(std::numeric_limits<double>::quiet_NaN());
    Kokkos::deep_copy(A, host);
    host(5, 5) = from_double<Input>(1);
    Kokkos::deep_copy(B, host);
    gemm(Space(), A, B, C, Epilogue(Relu()), options_with({.family = Family::name}));
    auto result = Kokkos::create_mirror(C);
    Kokkos::deep_copy(result, C);
    EXPECT_TRUE(std::isnan(to_double(result(5, 5))));
    EXPECT_EQ(to_double(result(6, 6)), 1);
    EXPECT_EQ(to_double(result(6, 7)), 0);
  }

  void a_line_may_be_repeated() {
    const auto line = random_matrix(random_, 1, 72), b = random_matrix(random_, 72, 40);
    const DeviceMatrix<Space, Kokkos::LayoutRight, Input> row(line), B(b);
    const Kokkos::View<const Input**, Kokkos::LayoutStride, Space::memory_space> A(row.view().data(),
                                                                                   Kokkos::LayoutStride(70, 0, 72, 1));
    DeviceMatrix<Space, Kokkos::LayoutRight, Output> C(70, 40), expected(70, 40);
    gemm(Space(), A, B.view(), C.view(), {}, options_with({.family = Family::name}));
    gemm(Space(), A, B.view(), expected.view(), {}, {.plan = {.family = "portable"}});
    const HostMatrix gauge(70, 40, 72);
    EXPECT_TRUE(
        compare(C.values(), expected.values(), twice_allowed<Output>(expected.values(), gauge, 2 + rounding_factor())));
  }

  // Without products the result is the bias alone, whatever the scratch holds.
  void a_sum_of_nothing_is_the_bias(std::int64_t m, std::int64_t n, const PlanOptions& plan,
                                    std::int64_t alignment = 1) {
    const InputMatrix A(random_, m, 0, false, alignment), B(random_, 0, n);
    const BiasMatrix bias(random_, 1, n);
    const OutputMatrix C(random_, m, n, true);
    gemm(Space(), A.view(), B.view(), C.view(), Epilogue(Identity(), bias.row()), options_with(plan));
    const HostMatrix values = C.values(), row = bias.values();
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        ASSERT_EQ(values(i, j), to_double(from_double<Output>(row(0, j)))) << i << ' ' << j << ' ' << text(plan.tile);
    EXPECT_TRUE(C.surroundings_untouched());
  }

  // In every tile.
  void a_sum_of_nothing_is_the_bias() {
    for (const TileShape& tile : Family::tiles())
      a_sum_of_nothing_is_the_bias(300, 200, {.family = Family::name, .tile = tile});
  }

  // What the planner chooses for dense rows.
  static std::string family_of(std::int64_t m, std::int64_t n, std::int64_t k, Op op_b = Op::none) {
    const bool is_straight = op_b == Op::none;
    const Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", m, k),
        B("B", is_straight ? k : n, is_straight ? n : k);
    const Kokkos::View<Output**, Kokkos::LayoutRight, Space> C("C", m, n);
    return make_plan(Space(), A, B, C, {}, {.op_b = op_b}).family;
  }

  // A product of gemm_backward is one of gemm: whatever dC is multiplied by, the family computes it, and tools are
  // told.
  void computes_the_first_gradient(const GemmShape& shape) {
    const auto [m, n, k] = shape;
    const Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", m, k), B("B", k, n), dC("dC", m, n), dA("dA", m, k);
    const GemmBackwardOptions options{.compute = compute(), .plan = {.family = Family::name}};
    const Plan plan = make_plan(Space(), dC, A, B, none, dA, none, none, Identity(), options);
    EXPECT_STREQ(plan.products[0].family, Family::name);
    EXPECT_EQ(plan.products[1].teams(), 0);
    const Workspace<Space> workspace("workspace", plan.workspace_bytes());
    const auto seen         = record([&] {
                        gemm_backward(Space(), dC, A, B, none, dA, none, none, Identity(), options, workspace);
                      }).launches;
    const std::string label = plan.label(plan.products[0]);
    EXPECT_TRUE(std::any_of(seen.begin(), seen.end(), [&](const auto& l) { return l.label == label; })) << label;
  }

  // The tile is checked before anything is queued.
  void a_tile_that_there_is_not_is_refused() {
    const Kokkos::View<Input**, Kokkos::LayoutRight, Space> A("A", 64, 64);
    const Kokkos::View<Output**, Kokkos::LayoutRight, Space> C("C", 64, 64);
    EXPECT_THROW(gemm(Space(), A, A, C, {}, options_with({.family = Family::name, .tile = {80, 48, 24}})),
                 std::invalid_argument);
  }
};

}  // namespace Tegula::Test

#endif
