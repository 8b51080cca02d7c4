// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfCuBlas.hpp"

#include <dlfcn.h>

#include "Tegula_PerfCudaTypes.hpp"
#include "Tegula_PerfCudaWorkspace.hpp"
#include "Tegula_PerfPaths.hpp"

namespace Tegula::Perf {
namespace {

cublasHandle_t handle = nullptr;

}  // namespace

void cublas_gemm(const ColumnMajorProduct& product, Compute compute) {
  const CudaTypes types = cuda_types(product.element, compute);
  const ScaleFactor alpha(types, product.scaling.alpha), beta(types, product.scaling.beta);
  const auto operation = [](const ColumnMajorFactor& factor) { return cublas_operation(factor.transposed); };
  check_cublas(
      cublasGemmEx(handle, operation(product.first), operation(product.second), product.rows, product.columns,
                   product.inner, alpha.pointer(), product.first.values, types.element, product.first.leading,
                   product.second.values, types.element, product.second.leading, beta.pointer(), product.result,
                   cuda_element(product.result_element), product.leading, types.compute, CUBLAS_GEMM_DEFAULT),
      "cublasGemmEx");
}

std::string cublas_path(const char* element, Compute compute) {
  return std::string("cublasGemmEx,") + cuda_types(element, compute).compute_name + " -> " +
         library_of(dlsym(RTLD_DEFAULT, "cublasGemmEx"));
}

std::string start_cublas(int) {
  if (handle == nullptr) check_cublas(cublasCreate(&handle), "cublasCreate");
  check_cublas(cublasSetStream(handle, Kokkos::Cuda().cuda_stream()), "cublasSetStream");
  // cuBLAS would allocate its own workspace in every call that is captured in a graph.
  const auto& [workspace, bytes] = cuda_workspace();
  check_cublas(cublasSetWorkspace(handle, workspace, bytes), "cublasSetWorkspace");
  int version = 0;
  check_cublas(cublasGetVersion(handle, &version), "cublasGetVersion");
  return "cuBLAS " + library_version(version) + ", " + library_of(dlsym(RTLD_DEFAULT, "cublasGemmEx"));
}

}  // namespace Tegula::Perf
