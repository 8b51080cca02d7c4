// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_gemm_perf: Tegula::gemm with its fused epilogue against the gemm of a BLAS and a pass over its result, and
// against oneDNN and cuBLASLt, which fuse too.

#include "Tegula_PerfCases.hpp"
#include "Tegula_PerfDispatch.hpp"
#include "Tegula_PerfRun.hpp"

namespace Tegula::Perf {
namespace {

constexpr ProgramText text{
    "tegula_gemm_perf",
    "C = act(alpha op_a(A) op_b(B) + beta C + bias): Tegula::gemm, one kernel, beside KokkosBlas::gemm "
    "(kokkoskernels), "
    "cblas_[sd]gemm (openblas) or cublasGemmEx (cublas) and a pass that adds the bias and applies the activation, and "
    "beside one kernel of another library with both fused in (onednn, cublaslt); with --epilogue none the products "
    "alone",
    "flops = 2 m n k; bytes = (m k + k n + m n + m n if beta is not 0 + m n if the activation's argument is stored + n "
    "if there is a bias) * bytes of their elements, every operand moved once",
    true};

std::unique_ptr<Case> make_gemm_case(const CaseSpec& spec) {
  return visit_types(spec.type, spec.result, [&](auto element, auto result) {
    return gemm_case<typename decltype(element)::type, typename decltype(result)::type>(spec);
  });
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  return run_program(text, make_gemm_case, argc, argv);
}
