# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Adds the kernels for compute capability 8.0 and newer to the library where Kokkos has CUDA, and what all kernels for
# tensor cores need.

include(TegulaCudaKernels)
if(Tegula_NVCC_VERSION VERSION_LESS 12.1)  # which knows st.async (ptx/Tegula_PtxCluster.cuh)
  return()
endif()

tegula_add_cuda_kernels(tegula_mma
  ARCHITECTURES ${Tegula_CUDA_TARGETS}
  SOURCES
    kernels/cuda/Tegula_CudaEntry.cu
    kernels/cuda/Tegula_CudaMachine.cu
    kernels/cuda/Tegula_CudaSelfCheck.cu
    kernels/cuda/Tegula_CudaSliceSums.cu
    kernels/cuda/Tegula_AlignedCopy.cu
    kernels/cuda/Tegula_FinishPass.cu
    kernels/cuda/Tegula_GradientPass.cu
    kernels/cuda/direct/Tegula_DirectBhalf.cu
    kernels/cuda/direct/Tegula_DirectDouble.cu
    kernels/cuda/direct/Tegula_DirectFloat.cu
    kernels/cuda/direct/Tegula_DirectHalf.cu
    kernels/cuda/gemv/Tegula_GemvDouble.cu
    kernels/cuda/gemv/Tegula_GemvFloat.cu
    kernels/cuda/mma/Tegula_MmaBhalf.cu
    kernels/cuda/mma/Tegula_MmaDouble.cu
    kernels/cuda/mma/Tegula_MmaFp32Split.cu
    kernels/cuda/mma/Tegula_MmaHalf.cu
    kernels/cuda/mma/Tegula_MmaTf32.cu
    kernels/cuda/narrow/Tegula_NarrowBhalf.cu
    kernels/cuda/narrow/Tegula_NarrowDouble.cu
    kernels/cuda/narrow/Tegula_NarrowGradientsBhalf.cu
    kernels/cuda/narrow/Tegula_NarrowGradientsHalf.cu
    kernels/cuda/narrow/Tegula_NarrowHalf.cu
    kernels/cuda/outer/Tegula_OuterBhalf.cu
    kernels/cuda/outer/Tegula_OuterDouble.cu
    kernels/cuda/outer/Tegula_OuterFloat.cu
    kernels/cuda/outer/Tegula_OuterHalf.cu
    kernels/cuda/outer_mma/Tegula_OuterMmaBhalf.cu
    kernels/cuda/outer_mma/Tegula_OuterMmaHalf.cu
    kernels/cuda/shallow/Tegula_ShallowBhalf.cu
    kernels/cuda/shallow/Tegula_ShallowDouble.cu
    kernels/cuda/shallow/Tegula_ShallowFloat.cu
    kernels/cuda/shallow/Tegula_ShallowHalf.cu
    kernels/cuda/simt/Tegula_SimtChunks.cu
    kernels/cuda/simt/Tegula_SimtDepth.cu
    kernels/cuda/simt/Tegula_SimtLines.cu
    kernels/cuda/stream/Tegula_StreamBhalf.cu
    kernels/cuda/stream/Tegula_StreamDouble.cu
    kernels/cuda/stream/Tegula_StreamFloat.cu
    kernels/cuda/stream/Tegula_StreamHalf.cu
    kernels/cuda/tall/Tegula_TallDouble.cu
    kernels/cuda/tall/Tegula_TallFloat.cu)

target_sources(tegula_plain PRIVATE ${PROJECT_SOURCE_DIR}/kernels/cuda/Tegula_CudaRunPlan.cpp)

# What tegula_add_activation compiles is for the same devices.
set_target_properties(tegula PROPERTIES TEGULA_CUDA_ARCHITECTURES "${Tegula_CUDA_TARGETS}")
set_property(TARGET tegula APPEND PROPERTY EXPORT_PROPERTIES TEGULA_CUDA_ARCHITECTURES)
target_compile_definitions(tegula PUBLIC TEGULA_HAS_MMA=1)
target_compile_definitions(tegula_plain PRIVATE TEGULA_HAS_MMA=1)
target_compile_definitions(tegula_mma PRIVATE TEGULA_HAS_MMA=1)
