// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TestCudaCalls.hpp"

#include <algorithm>
#include <cmath>

namespace Tegula::Test {
namespace {

constexpr std::size_t layer_workspace_bytes = 64 << 20;

/// Calls as one of the families, which may be named after its elements.
struct Way {
  std::string family;
  Compute compute;
};

Way way_of(const std::string& family) {
  if (family == "mma_f64") return {"mma", Compute::native};
  return {family, family == "fp32_split" ? Compute::fp32_split : family == "tf32" ? Compute::tf32 : Compute::native};
}

template <class T>
class Layer final : public CudaLayer {
 public:
  Layer(Random& random, const GemmShape& shape, const std::string& family, int split_k, std::int64_t alignment)
      : CudaLayer(CudaWorkspace("workspace", layer_workspace_bytes)),
        way_(way_of(family)),
        split_k_(split_k),
        A_(random, shape.m, shape.k, false, alignment),
        B_(random, shape.k, shape.n, false, alignment),
        bias_(random, 1, shape.n),
        dC_(random, shape.m, shape.n, false, alignment),
        C_(random, shape.m, shape.n, true, alignment),
        dA_(random, shape.m, shape.k, true, alignment),
        dB_(random, shape.k, shape.n, true, alignment),
        dbias_(random, 1, shape.n, true) {}

  void queue(const Kokkos::Cuda& exec) const override {
    gemm(exec, A_.view(), B_.view(), C_.view(), Epilogue(Relu(), bias_.row()), options<GemmOptions>(), workspace_);
    gemm_backward(exec, dC_.view(), A_.view(), B_.view(), C_.view(), dA_.view(), dB_.view(), dbias_.row(), Relu(),
                  options<GemmBackwardOptions>(), workspace_);
  }

  std::array<Plan, 2> plans(const Kokkos::Cuda& exec) const override {
    return {make_plan(exec, A_.view(), B_.view(), C_.view(), Epilogue(Relu(), bias_.row()), options<GemmOptions>()),
            make_plan(exec, dC_.view(), A_.view(), B_.view(), C_.view(), dA_.view(), dB_.view(), dbias_.row(), Relu(),
                      options<GemmBackwardOptions>())};
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

  template <class Options>
  Options options() const {
    return {.compute = way_.compute, .plan = {.family = way_.family, .split_k = split_k_}};
  }

  Way way_;
  int split_k_;
  Matrix A_, B_, bias_, dC_, C_, dA_, dB_, dbias_;
};

}  // namespace

std::string why_not(const std::string& family) {
  if (family == "portable") return "";
#if TEGULA_HAS_BHALF && TEGULA_HAS_MMA
  const int major = Kokkos::Cuda().cuda_device_prop().major;
  if (family == "mma" || family == "mma_f64" || family == "simt")
    return major >= 8 ? "" : "compute capability " + std::to_string(major) + ", older than 8";
#if TEGULA_HAS_WGMMA
  if (major != 9) return "compute capability " + std::to_string(major) + ", not 9";
  if (Kokkos::TeamPolicy<Kokkos::Cuda>::scratch_size_max(0) < 200000) return "this Kokkos has too little scratch";
  return "";
#endif
#endif
  return "the library was built without it";
}

std::shared_ptr<const CudaLayer> make_layer(Random& random, const GemmShape& shape, const std::string& family,
                                            int split_k, std::int64_t alignment) {
  if (family == "mma_f64") return std::make_shared<Layer<double>>(random, shape, family, split_k, alignment);
  if (family == "simt" || family == "fp32_split" || family == "tf32")
    return std::make_shared<Layer<float>>(random, shape, family, split_k, alignment);
  return std::make_shared<Layer<bhalf_t>>(random, shape, family, split_k, alignment);
}

void run(const CudaForward& c, const PlanOptions& plan) {
  gemm(Kokkos::Cuda(), c.A, c.B, c.C, Epilogue(Relu(), c.bias), {.plan = plan});
}

void run(const CudaBackward& c, const PlanOptions& plan) {
  gemm_backward(Kokkos::Cuda(), c.dC, c.A, c.B, c.C, c.dA, c.dB, c.dbias, Relu(), {.plan = plan});
}

Plan plan_of(const CudaForward& c, const PlanOptions& plan) {
  return make_plan(Kokkos::Cuda(), c.A, c.B, c.C, Epilogue(Relu(), c.bias), {.plan = plan});
}

bool are_poison(const std::vector<double>& results) {
  return std::all_of(results.begin(), results.end(), [](double value) { return std::isnan(value); });
}

bool are_same_numbers(const std::vector<double>& first, const std::vector<double>& second) {
  const auto same = [](double a, double b) { return a == b && std::signbit(a) == std::signbit(b); };
  return std::equal(first.begin(), first.end(), second.begin(), second.end(), same);
}

}  // namespace Tegula::Test
