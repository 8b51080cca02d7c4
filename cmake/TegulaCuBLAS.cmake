# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds cuBLAS and cuBLASLt of the CUDA Toolkit. Sets Tegula_CUBLAS_FOUND if the targets CUDA::cublas and CUDA::cublasLt
# are there.

include_guard(GLOBAL)

find_package(CUDAToolkit QUIET)
if(TARGET CUDA::cublas AND TARGET CUDA::cublasLt)
  set(Tegula_CUBLAS_FOUND TRUE)
  message(STATUS "tegula_gemm_perf and tegula_backward_perf compare with cuBLAS of CUDA ${CUDAToolkit_VERSION}")
else()
  message(STATUS "cuBLAS was not found (Debian: nvidia-cuda-dev): "
                 "tegula_gemm_perf and tegula_backward_perf are built without it")
endif()
