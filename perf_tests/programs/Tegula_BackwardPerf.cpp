// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_backward_perf: Tegula::gemm_backward against a derivative pass, two gemm of a BLAS and column sums.

#include "Tegula_PerfCases.hpp"
#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfRun.hpp"

namespace Tegula::Perf {
namespace {

constexpr ProgramText text{
    "tegula_backward_perf",
    "dA, dB and dbias of C = act(op_a(A) op_b(B) + bias) from dC and what the forward pass saved: "
    "Tegula::gemm_backward beside a pass that forms dZ = dC act'(saved) and the sums of its columns, and two "
    "KokkosBlas::gemm (kokkoskernels), cblas_[sd]gemm (openblas), cublasGemmEx (cublas) or cublasLtMatmul (cublaslt), "
    "of "
    "which one may sum the columns; for the identity no dZ is formed. With --below the same of the layer below "
    "follows: "
    "another pass of the peers",
    "flops = 4 m n k; bytes = (2 m k + 2 k n + m n [dC] + m n [saved, where act' needs it] + n) * bytes of their "
    "elements",
    false};

std::unique_ptr<Case> make_backward_case(const CaseSpec& spec) {
  return visit_types(spec.type, spec.result, [&](auto element, auto result) {
    return backward_case<typename decltype(element)::type, typename decltype(result)::type>(spec);
  });
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  return run_program(text, make_backward_case, argc, argv);
}
