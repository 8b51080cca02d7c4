// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TensorMap.hpp"

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace Tegula::Impl {
namespace {

constexpr std::int64_t element_bytes = 2, engine_alignment = 16;

// The driver's function, without linking the driver's library.
PFN_cuTensorMapEncodeTiled_v12000 driver_encode() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
  if (error != cudaSuccess || found != cudaDriverEntryPointSuccess)
    throw std::runtime_error("Tegula: the CUDA driver has no cuTensorMapEncodeTiled");
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}

// Of lines that all lie at one place the engine knows nothing.
bool is_engine_pitch(std::int64_t elements) { return elements > 0 && elements * element_bytes % engine_alignment == 0; }

}  // namespace

std::optional<EngineMatrix> engine_matrix(const void* data, std::int64_t lines, std::int64_t depth,
                                          std::int64_t line_stride, std::int64_t depth_stride) {
  if (reinterpret_cast<std::uintptr_t>(data) % engine_alignment != 0) return std::nullopt;
  // The pitch of a single run is never used; the engine asks for one.
  const auto pitch = [](std::int64_t stride, std::int64_t count, std::int64_t run) {
    return count > 1 ? stride : (run + 7) / 8 * 8;
  };
  if (depth_stride == 1 || depth == 1) {
    const EngineMatrix matrix{data, Major::depth, depth, lines, pitch(line_stride, lines, depth)};
    if (is_engine_pitch(matrix.pitch)) return matrix;
  }
  if (line_stride == 1 || lines == 1) {
    const EngineMatrix matrix{data, Major::lines, lines, depth, pitch(depth_stride, depth, lines)};
    if (is_engine_pitch(matrix.pitch)) return matrix;
  }
  return std::nullopt;
}

void encode_tensor_map(CUtensorMap_st& map, const EngineMatrix& matrix, int box_fast, int box_slow, const Plan& plan) {
  static const PFN_cuTensorMapEncodeTiled_v12000 encode = driver_encode();
  constexpr int rank                                    = 2;
  const cuuint64_t extents[rank]         = {static_cast<cuuint64_t>(matrix.fast), static_cast<cuuint64_t>(matrix.slow)};
  const cuuint64_t pitches[rank - 1]     = {static_cast<cuuint64_t>(matrix.pitch * element_bytes)};
  const cuuint32_t box[rank]             = {static_cast<cuuint32_t>(box_fast), static_cast<cuuint32_t>(box_slow)};
  const cuuint32_t element_strides[rank] = {1, 1};
  // Elements are moved, not computed with, so that one 16-bit type serves for all.
  const CUresult result =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, rank, const_cast<void*>(matrix.data), extents, pitches, box,
             element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw std::runtime_error(plan.label() + ": cuTensorMapEncodeTiled returned error " + std::to_string(result) +
                             " for a matrix of " + std::to_string(matrix.fast) + " x " + std::to_string(matrix.slow) +
                             " elements, pitch " + std::to_string(matrix.pitch));
  }
}

}  // namespace Tegula::Impl
