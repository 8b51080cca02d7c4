// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TestCudaCalls.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace Tegula::Test {
namespace {

constexpr std::size_t layer_workspace_bytes = 64 << 20;

template <class T>
class Layer final : public CudaLayer {
 public:
  Layer(Random& random, const CudaWay& way, const GemmShape& shape, int split_k, std::int64_t alignment,
        const Kokkos::Cuda& exec)
      : CudaLayer(CudaWorkspace(Kokkos::view_alloc(exec, std::string("workspace")), layer_workspace_bytes)),
        way_(way),
        split_k_(split_k),
        by_rows_(random() % 2 == 0),
        A_(matrix(random, shape.m, shape.k, false, alignment, exec)),
        B_(matrix(random, shape.k, shape.n, false, alignment, exec)),
        bias_(random, 1, shape.n, false, 1, exec),
        dC_(matrix(random, shape.m, shape.n, false, alignment, exec)),
        C_(matrix(random, shape.m, shape.n, true, alignment, exec)),
        dA_(matrix(random, shape.m, shape.k, true, alignment, exec)),
        dB_(matrix(random, shape.k, shape.n, true, alignment, exec)),
        dbias_(random, 1, shape.n, true, 1, exec) {}

  void queue(const Kokkos::Cuda& exec) const override { run(exec, workspace_); }
  void run_without_workspace(const Kokkos::Cuda& exec) const override { run(exec, {}); }

  std::array<Plan, 2> plans(const Kokkos::Cuda& exec) const override {
    return {make_plan(exec, A_.view(), B_.view(), C_.view(), Epilogue(Relu(), bias_.row()), gemm_options()),
            make_plan(exec, dC_.view(), A_.view(), B_.view(), Output(C_.view()), dA_.view(), dB_.view(), dbias_.row(),
                      Relu(), backward_options())};
  }

  void redraw(Random& random) const override {
    for (const Matrix* input : {&A_, &B_, &bias_, &dC_}) input->redraw(random);
    forget_results();
  }

  void forget_results() const override {
    for (const Matrix* result : {&C_, &dA_, &dB_, &dbias_}) result->make_poison();
  }

  std::vector<double> results() const override {
    std::vector<double> all;
    for (const Matrix* result : {&C_, &dA_, &dB_, &dbias_}) {
      const HostMatrix matrix = result->values();
      all.insert(all.end(), matrix.values.begin(), matrix.values.end());
    }
    return all;
  }

 private:
  using Matrix = StridedMatrix<Kokkos::CudaSpace, T>;

  // Drawn until it lies as the family asks.
  Matrix matrix(Random& random, std::int64_t rows, std::int64_t columns, bool poisoned, std::int64_t alignment,
                const Kokkos::Cuda& exec) const {
    for (;;) {
      Matrix drawn(random, rows, columns, poisoned, alignment, exec);
      if (lies_well(drawn.view())) return drawn;
    }
  }
  bool lies_well(const typename Matrix::View& view) const {
    if (way_.lines == CudaLines::any) return true;
    if (view.stride(by_rows_ ? 1 : 0) != 1) return false;
    return way_.lines != CudaLines::without_gaps || !by_rows_ || view.stride(0) == view.extent(1);
  }

  GemmOptions gemm_options() const {
    if (!way_.takes_gemm) return {};
    return {.compute = way_.compute, .plan = {.family = way_.family, .split_k = split_k_}};
  }
  GemmBackwardOptions backward_options() const {
    if (!way_.takes_backward) return {};
    return {.compute = way_.compute, .plan = {.family = way_.family, .split_k = split_k_}};
  }

  void run(const Kokkos::Cuda& exec, const CudaWorkspace& workspace) const {
    gemm(exec, A_.view(), B_.view(), C_.view(), Epilogue(Relu(), bias_.row()), gemm_options(), workspace);
    gemm_backward(exec, dC_.view(), A_.view(), B_.view(), Output(C_.view()), dA_.view(), dB_.view(), dbias_.row(),
                  Relu(), backward_options(), workspace);
  }

  CudaWay way_;
  int split_k_;
  bool by_rows_;
  Matrix A_, B_, bias_, dC_, C_, dA_, dB_, dbias_;
};

template <class Options>
Options options_of(const CudaWay& way, int split_k) {
  return {.compute = way.compute, .plan = {.family = way.family, .split_k = split_k}};
}

}  // namespace

GemmShape CudaWay::fit(const GemmShape& shape) const {
  GemmShape fitting = shape;
  fitting.m *= long_rows;
  if (most_n > 0) fitting.n = std::min(fitting.n, most_n);
  if (most_k > 0) fitting.k = std::min(fitting.k, most_k);
  // Pairs of results are stored.
  if (lines == CudaLines::aligned) fitting = {ceil_div(fitting.m, 2) * 2, ceil_div(fitting.n, 2) * 2, fitting.k};
  return fitting;
}

const CudaWay& way_named(const std::string& name) {
  for (const CudaWay& way : cuda_ways)
    if (name == way.name) return way;
  throw std::invalid_argument("there is no way named " + name);
}

std::shared_ptr<const CudaLayer> make_layer(Random& random, const GemmShape& any_shape, const std::string& name,
                                            int any_split_k, std::int64_t any_alignment, const Kokkos::Cuda& exec) {
  const CudaWay& way           = way_named(name);
  const GemmShape shape        = way.fit(any_shape);
  const int split_k            = way.splits ? any_split_k : 0;
  const std::int64_t alignment = way.lines == CudaLines::aligned        ? 8
                                 : way.lines == CudaLines::without_gaps ? 1
                                                                        : any_alignment;
  switch (way.element) {
    case CudaElement::f32:
      return std::make_shared<Layer<float>>(random, way, shape, split_k, alignment, exec);
    case CudaElement::f64:
      return std::make_shared<Layer<double>>(random, way, shape, split_k, alignment, exec);
    default:
      return std::make_shared<Layer<bhalf_t>>(random, way, shape, split_k, alignment, exec);
  }
}

template <class T>
void run(const CudaForward<T>& c, const CudaWay& way, int split_k) {
  gemm(Kokkos::Cuda(), c.A, c.B, c.C, Epilogue(Relu(), c.bias), options_of<GemmOptions>(way, split_k));
}

template <class T>
void run(const CudaBackward<T>& c, const CudaWay& way) {
  gemm_backward(Kokkos::Cuda(), c.dC, c.A, c.B, Output(c.C), c.dA, c.dB, c.dbias, Relu(),
                options_of<GemmBackwardOptions>(way, 0));
}

template <class T>
Plan plan_of(const CudaForward<T>& c, const CudaWay& way, int split_k) {
  return make_plan(Kokkos::Cuda(), c.A, c.B, c.C, Epilogue(Relu(), c.bias), options_of<GemmOptions>(way, split_k));
}

template <class T>
Plan plan_of(const CudaBackward<T>& c, const CudaWay& way) {
  return make_plan(Kokkos::Cuda(), c.dC, c.A, c.B, Output(c.C), c.dA, c.dB, c.dbias, Relu(),
                   options_of<GemmBackwardOptions>(way, 0));
}

template void run(const CudaForward<bhalf_t>&, const CudaWay&, int);
template void run(const CudaForward<float>&, const CudaWay&, int);
template void run(const CudaForward<double>&, const CudaWay&, int);
template void run(const CudaBackward<bhalf_t>&, const CudaWay&);
template void run(const CudaBackward<float>&, const CudaWay&);
template void run(const CudaBackward<double>&, const CudaWay&);
template Plan plan_of(const CudaForward<bhalf_t>&, const CudaWay&, int);
template Plan plan_of(const CudaForward<float>&, const CudaWay&, int);
template Plan plan_of(const CudaForward<double>&, const CudaWay&, int);
template Plan plan_of(const CudaBackward<bhalf_t>&, const CudaWay&);
template Plan plan_of(const CudaBackward<float>&, const CudaWay&);
template Plan plan_of(const CudaBackward<double>&, const CudaWay&);

std::vector<double> results_alone(const CudaLayer& layer, const Kokkos::Cuda& exec) {
  layer.forget_results();
  layer.queue(exec);
  exec.fence();
  return layer.results();
}

bool are_poison(const std::vector<double>& results) {
  return std::all_of(results.begin(), results.end(), [](double value) { return std::isnan(value); });
}

bool are_same_numbers(const std::vector<double>& first, const std::vector<double>& second) {
  const auto same = [](double a, double b) { return a == b && std::signbit(a) == std::signbit(b); };
  return std::equal(first.begin(), first.end(), second.begin(), second.end(), same);
}

}  // namespace Tegula::Test
