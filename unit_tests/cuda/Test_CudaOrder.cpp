// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestCudaGraph.hpp"
#include "cuda/Tegula_CudaMachine.hpp"
#include "cuda/Tegula_ProductsBeside.hpp"

/// Kernels may begin before what is queued in front of them has ended, and those of both products of gemm_backward run
/// beside each other. Results do not tell: calls that read what was written in front of them, and overwrite what was
/// read there, give bit by bit what they give when each waits on the host for the one before. Needs a GPU of NVIDIA.

namespace Tegula::Test {
namespace {

// Takes so long that what is queued behind it could begin and end meanwhile.
template <class View>
struct HalvedSlowly {
  View X;

  KOKKOS_FUNCTION void operator()(int element) const {
    const int i = element / X.extent_int(1), j = element % X.extent_int(1);
    float half = 1;
    for (int turn = 0; turn < 20000; ++turn) half = 0.5f * half + 0.25f;
    X(i, j) = static_cast<typename View::non_const_value_type>(half * static_cast<float>(X(i, j)));
  }
};

/// Layers forward and backward, and other work, each on what was written in front of it.
template <class T>
class Chain {
 public:
  Chain(Random& random, const CudaWay& way)
      : way_(way), m_(way.fit(wanted).m), n_(std::min(way.fit(wanted).n, way.fit(wanted).k)) {
    for (Matrix* matrix : {&X_, &Y_, &dX_}) *matrix = Matrix("results", m_, n_);
    dW_    = Matrix("dW", n_, n_);
    db_    = Vector("db", n_);
    first_ = drawn(random, m_);
    W_     = drawn(random, n_);
  }

  /// Calls between() behind every piece of work.
  template <class Between>
  void queue(const Kokkos::Cuda& exec, const Between& between) const {
    const auto work = [&](const auto& queue_one) {
      queue_one();
      between();
    };
    const auto halve = [&](const Matrix& X) {
      const Kokkos::RangePolicy<Kokkos::Cuda> elements(exec, 0, X.extent_int(0) * X.extent_int(1));
      Kokkos::parallel_for("halve", elements, HalvedSlowly<Matrix>{X});
    };
    work([&] { Kokkos::deep_copy(exec, X_, first_); });
    work([&] { Kokkos::deep_copy(exec, db_, T(0.25f)); });
    for (int step = 0; step < 9; ++step) {
      const PlanOptions own{.family = way_.family, .split_k = way_.splits ? 1 + step % 3 : 0};
      GemmOptions forward;
      GemmBackwardOptions backward;
      if (way_.takes_gemm) forward = {.compute = way_.compute, .plan = own};
      if (way_.takes_backward) backward = {.compute = way_.compute, .plan = own};
      work([&] { gemm(exec, X_, W_, Y_, Epilogue(Relu(), db_), forward, workspace_); });
      if (step % 3 == 1) work([&] { halve(Y_); });
      work([&] { gemm_backward(exec, Y_, X_, W_, Output(Y_), dX_, dW_, db_, Relu(), backward, workspace_); });
      if (step % 3 == 2) work([&] { halve(dX_); });
      work([&] { gemm(exec, dX_, W_, X_, {}, forward, workspace_); });
    }
  }

  std::vector<double> results() const {
    std::vector<double> all;
    for (const Matrix& matrix : {X_, Y_, dX_, dW_}) {
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix);
      for (std::size_t e = 0; e < host.size(); ++e)
        all.push_back(static_cast<double>(static_cast<float>(host.data()[e])));
    }
    return all;
  }

 private:
  using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Vector = Kokkos::View<T*, Kokkos::CudaSpace>;
  static constexpr GemmShape wanted{64, 40, 40};

  // Such that results stay about as large.
  Matrix drawn(Random& random, std::int64_t rows) const {
    const Matrix matrix("drawn", rows, n_);
    const auto host = Kokkos::create_mirror_view(matrix);
    for (std::size_t e = 0; e < host.size(); ++e)
      host.data()[e] = from_double<T>(uniform(random, -1, 1) / std::sqrt(static_cast<double>(n_) / 2));
    Kokkos::deep_copy(matrix, host);
    return matrix;
  }

  CudaWay way_;
  std::int64_t m_, n_;
  Matrix first_, W_, X_, Y_, dX_, dW_;
  Vector db_;
  CudaWorkspace workspace_ = CudaWorkspace("workspace", 16 << 20);
};

class CudaOrder : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { needs_family(way().family); }
  const CudaWay& way() const { return way_named(GetParam()); }

  template <class T>
  void keeps_its_order() {
    const Chain<T> chain(random_, way());
    const Kokkos::Cuda& exec = stream_.exec();
    chain.queue(exec, [&] { exec.fence(); });
    const auto expected = chain.results();
    for (int round = 0; round < 5; ++round) {
      chain.queue(exec, [] {});
      exec.fence();
      ASSERT_TRUE(are_same_numbers(chain.results(), expected)) << "round " << round;
    }
    const CudaGraph graph(exec, cudaStreamCaptureModeThreadLocal, [&] { chain.queue(exec, [] {}); });
    for (int replay = 0; replay < 5; ++replay) {
      graph.launch();
      graph.launch();
      exec.fence();
      ASSERT_TRUE(are_same_numbers(chain.results(), expected)) << "replay " << replay;
    }
  }

  Random random_ = make_random();
  CudaStream stream_;
};

INSTANTIATE_TEST_SUITE_P(Cuda, CudaOrder, testing::ValuesIn(cuda_way_names),
                         [](const auto& info) { return info.param; });

TEST_P(CudaOrder, IsThatOfTheStream) {
  switch (way().element) {
    case CudaElement::f32:
      return keeps_its_order<float>();
    case CudaElement::f64:
      return keeps_its_order<double>();
    default:
      return keeps_its_order<bhalf_t>();
  }
}

/// The backward passes of a network, from the last layer to the first: what a layer gives to the one below is the
/// result of the product in front, which the other one runs beside. All use one workspace, so that what a
/// multiprocessor may have kept of it is old.
template <class T>
class Gradients {
  using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Vector = Kokkos::View<T*, Kokkos::CudaSpace>;

 public:
  Gradients(Random& random, const Kokkos::Cuda& exec) {
    const std::int64_t rows = extent(random, 1500);
    std::int64_t width      = extent(random, 300);
    for (Matrix& top : tops_) top = drawn(random, rows, width);
    dY_               = Matrix("dY", rows, width);
    std::size_t bytes = 0;
    Matrix below      = dY_;
    for (int l = 0; l < 5; ++l) {
      const std::int64_t inputs = extent(random, 300);
      Layer layer{below, drawn(random, rows, width), drawn(random, rows, inputs), drawn(random, inputs, width)};
      layer.dX = Matrix("dX", rows, inputs);
      layer.dW = Matrix("dW", inputs, width);
      layer.db = Vector("db", width);
      if (l % 2 == 0) layer.options.plan.family = family;
      layer.plan = make_plan(exec, layer.dY, layer.X, layer.W, Output(layer.Y), layer.dX, layer.dW, layer.db, Relu(),
                             layer.options);
      // Also where that is predicted to be no faster.
      layer.plan.products[1].runs_beside =
          !layer.plan.is_one_kernel && Impl::can_run_beside(layer.plan.products, Impl::cuda_machine(exec));
      if (layer.plan.products[1].runs_beside)
        layer.plan.products[1].beside_scratch_bytes =
            Impl::scratch_beside(layer.plan.products, Impl::cuda_machine(exec));
      bytes = std::max(bytes, layer.plan.workspace_bytes());
      below = layer.dX;
      width = inputs;
      layers_.push_back(layer);
    }
    workspace_ = CudaWorkspace("workspace", bytes);
  }

  /// So many layers have products that run beside each other.
  int beside() const {
    return static_cast<int>(std::count_if(layers_.begin(), layers_.end(),
                                          [](const Layer& layer) { return layer.plan.products[1].runs_beside; }));
  }

  template <class Between>
  void queue(const Kokkos::Cuda& exec, bool may_run_beside, const Between& between) const {
    for (const Matrix& top : tops_) {
      Kokkos::deep_copy(exec, dY_, top);
      for (const Layer& layer : layers_) {
        Plan plan = layer.plan;
        plan.products[1].runs_beside &= may_run_beside;
        gemm_backward(exec, plan, layer.dY, layer.X, layer.W, Output(layer.Y), layer.dX, layer.dW, layer.db, Relu(),
                      layer.options, workspace_);
        between();
      }
    }
  }

  /// All gradients of the top that was last.
  std::vector<double> results() const {
    std::vector<double> all;
    const auto add = [&](const auto& view) {
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
      for (std::size_t e = 0; e < host.size(); ++e)
        all.push_back(static_cast<double>(static_cast<float>(host.data()[e])));
    };
    for (const Layer& layer : layers_) {
      add(layer.dX);
      add(layer.dW);
      add(layer.db);
    }
    return all;
  }

 private:
  // One that computes products one by one.
  static constexpr const char* family = std::is_same_v<T, float> ? "simt" : "mma";

  struct Layer {
    Matrix dY, Y, X, W, dX{}, dW{};
    Vector db{};
    GemmBackwardOptions options{};
    Plan plan{};
  };

  static std::int64_t extent(Random& random, double most) {
    return static_cast<std::int64_t>(std::exp(uniform(random, 0, std::log(most))));
  }

  // Such that results stay about as large.
  static Matrix drawn(Random& random, std::int64_t rows, std::int64_t columns) {
    const Matrix matrix("drawn", rows, columns);
    const auto host = Kokkos::create_mirror_view(matrix);
    for (std::size_t e = 0; e < host.size(); ++e)
      host.data()[e] = from_double<T>(uniform(random, -1, 1) / std::sqrt(static_cast<double>(columns)));
    Kokkos::deep_copy(matrix, host);
    return matrix;
  }

  std::array<Matrix, 3> tops_;
  Matrix dY_;
  std::vector<Layer> layers_;
  CudaWorkspace workspace_;
};

template <class T>
class CudaGradientsOrder : public testing::Test {};
using GradientElements = testing::Types<bhalf_t, float, double>;
TYPED_TEST_SUITE(CudaGradientsOrder, GradientElements, );

TYPED_TEST(CudaGradientsOrder, ProductsRunBesideEachOther) {
  Random random = make_random();
  const CudaStream stream;
  const Kokkos::Cuda& exec = stream.exec();
  int beside               = 0;
  for (int network = 0; network < 30; ++network) {
    const Gradients<TypeParam> gradients(random, exec);
    beside += gradients.beside();
    gradients.queue(exec, false, [&] { exec.fence(); });
    const auto expected = gradients.results();
    for (int round = 0; round < 3; ++round) {
      gradients.queue(exec, true, [] {});
      exec.fence();
      ASSERT_TRUE(are_same_numbers(gradients.results(), expected)) << "network " << network << ", round " << round;
    }
    const CudaGraph graph(exec, cudaStreamCaptureModeThreadLocal, [&] { gradients.queue(exec, true, [] {}); });
    graph.launch();
    graph.launch();
    exec.fence();
    ASSERT_TRUE(are_same_numbers(gradients.results(), expected)) << "network " << network << ", in a graph";
  }
  const Impl::CudaMachine machine = Impl::cuda_machine(exec);
  if (machine.has_entry && machine.major >= 9) EXPECT_GT(beside, 45) << "of 150";
}

}  // namespace
}  // namespace Tegula::Test
