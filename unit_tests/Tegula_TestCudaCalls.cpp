// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TestCudaCalls.hpp"

#include <algorithm>
#include <cmath>

namespace Tegula::Test {
namespace {

constexpr std::size_t layer_workspace_bytes = 64 << 20;

}  // namespace

std::string why_not(const std::string& family) {
  if (family == "portable") return "";
#if TEGULA_HAS_BHALF && TEGULA_HAS_MMA
  const int major = Kokkos::Cuda().cuda_device_prop().major;
  if (family == "mma") return major >= 8 ? "" : "compute capability " + std::to_string(major) + ", older than 8";
#if TEGULA_HAS_WGMMA
  if (major != 9) return "compute capability " + std::to_string(major) + ", not 9";
  if (Kokkos::TeamPolicy<Kokkos::Cuda>::scratch_size_max(0) < 200000) return "this Kokkos has too little scratch";
  return "";
#endif
#endif
  return "the library was built without it";
}

void queue(const Kokkos::Cuda& exec, const CudaForward& c, const PlanOptions& plan, const CudaWorkspace& workspace) {
  gemm(exec, c.A, c.B, c.C, Epilogue(Relu(), c.bias), {.plan = plan}, workspace);
}

void queue(const Kokkos::Cuda& exec, const CudaBackward& c, const PlanOptions& plan, const CudaWorkspace& workspace) {
  gemm_backward(exec, c.dC, c.A, c.B, c.C, c.dA, c.dB, c.dbias, Relu(), {.plan = plan}, workspace);
}

Plan plan_of(const Kokkos::Cuda& exec, const CudaForward& c, const PlanOptions& plan) {
  return make_plan(exec, c.A, c.B, c.C, Epilogue(Relu(), c.bias), {.plan = plan});
}

Plan plan_of(const Kokkos::Cuda& exec, const CudaBackward& c, const PlanOptions& plan) {
  return make_plan(exec, c.dC, c.A, c.B, c.C, c.dA, c.dB, c.dbias, Relu(), {.plan = plan});
}

CudaLayer::CudaLayer(Random& random, const GemmShape& shape, const PlanOptions& plan, std::int64_t alignment)
    : shape_(shape),
      plan_(plan),
      A_(random, shape.m, shape.k, false, alignment),
      B_(random, shape.k, shape.n, false, alignment),
      bias_(random, 1, shape.n),
      dC_(random, shape.m, shape.n, false, alignment),
      C_(random, shape.m, shape.n, true, alignment),
      dA_(random, shape.m, shape.k, true, alignment),
      dB_(random, shape.k, shape.n, true, alignment),
      dbias_(random, 1, shape.n, true),
      workspace_("workspace", layer_workspace_bytes) {}

void CudaLayer::queue(const Kokkos::Cuda& exec) const {
  Test::queue(exec, forward(), plan_, workspace_);
  Test::queue(exec, backward(), plan_, workspace_);
}

void CudaLayer::redraw(Random& random) const {
  for (const Matrix* input : {&A_, &B_, &bias_, &dC_}) input->redraw(random);
  forget_results();
}

void CudaLayer::forget_results() const {
  for (const Matrix* result : {&C_, &dA_, &dB_, &dbias_}) result->make_poison();
}

std::vector<double> CudaLayer::results() const {
  std::vector<double> all;
  for (const Matrix* result : {&C_, &dA_, &dB_, &dbias_}) {
    const HostMatrix matrix = result->values();
    all.insert(all.end(), matrix.values.begin(), matrix.values.end());
  }
  return all;
}

bool are_poison(const std::vector<double>& results) {
  return std::all_of(results.begin(), results.end(), [](double value) { return std::isnan(value); });
}

bool are_same_numbers(const std::vector<double>& first, const std::vector<double>& second) {
  const auto same = [](double a, double b) { return a == b && std::signbit(a) == std::signbit(b); };
  return std::equal(first.begin(), first.end(), second.begin(), second.end(), same);
}

}  // namespace Tegula::Test
