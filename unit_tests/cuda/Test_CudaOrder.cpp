// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestCudaGraph.hpp"

/// Kernels may begin before what is queued in front of them has ended. Results do not tell: calls that read what was
/// written in front of them, and overwrite what was read there, give bit by bit what they give when each waits on the
/// host for the one before. Needs a GPU of NVIDIA.

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

}  // namespace
}  // namespace Tegula::Test
