// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CUDA_TYPES_HPP
#define TEGULA_PERF_CUDA_TYPES_HPP

#include <cublas_v2.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "Tegula_Options.hpp"

/// Element types and ways to compute, as cuBLAS and cuBLASLt name them.

namespace Tegula::Perf {

struct CudaTypes {
  std::string_view name;  ///< of the element type, as ScalarTraits has it
  cudaDataType_t element;
  cudaDataType_t scale;  ///< of alpha and beta
  cublasComputeType_t compute;
  const char* compute_name;
};

inline constexpr std::array cuda_types_table{CudaTypes{"f64", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, "64F"},
                                             CudaTypes{"f32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "32F"},
                                             CudaTypes{"f16", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "32F"},
                                             CudaTypes{"bf16", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, "32F"}};

inline CudaTypes cuda_types(std::string_view element, Compute compute) {
  for (CudaTypes types : cuda_types_table) {
    if (types.name != element) continue;
    if (element == "f32" && compute == Compute::tf32) {
      types.compute      = CUBLAS_COMPUTE_32F_FAST_TF32;
      types.compute_name = "32F_FAST_TF32";
    }
    return types;
  }
  throw std::logic_error("cuBLAS has no elements " + std::string(element));
}

inline cudaDataType_t cuda_element(std::string_view element) { return cuda_types(element, Compute::native).element; }

/// A factor, alpha or beta, which the libraries read through a pointer to the type of scale.
class ScaleFactor {
 public:
  ScaleFactor(const CudaTypes& types, double value)
      : is_double_(types.scale == CUDA_R_64F), in_double_(value), in_float_(static_cast<float>(value)) {}
  const void* pointer() const { return is_double_ ? static_cast<const void*>(&in_double_) : &in_float_; }

 private:
  bool is_double_;
  double in_double_;
  float in_float_;
};

inline cublasOperation_t cublas_operation(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

/// "13.1.0" of 130100, as the two libraries have it since 12.
inline std::string library_version(std::size_t version) {
  return std::to_string(version / 10000) + '.' + std::to_string(version % 10000 / 100) + '.' +
         std::to_string(version % 100);
}

/// "CUBLAS_STATUS_NOT_SUPPORTED, the requested functionality is not supported"
inline std::string status_text(cublasStatus_t status) {
  return std::string(cublasGetStatusName(status)) + ", " + cublasGetStatusString(status);
}

/// Throws std::runtime_error if a function of cuBLAS or cuBLASLt failed.
inline void check_cublas(cublasStatus_t status, const char* function) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(std::string(function) + ": " + status_text(status));
}

}  // namespace Tegula::Perf

#endif
