# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Adds the kernels for compute capability 9.0a to the library where Kokkos has CUDA.

include(TegulaCudaKernels)
if(NOT TARGET tegula_mma OR NOT Tegula_CUDA_TARGETS MATCHES "(^|;)90(-|;|$)")
  return()
endif()
if(Tegula_NVCC_VERSION VERSION_LESS 12.5)
  message(WARNING "nvcc ${Tegula_NVCC_VERSION} is older than 12.5: Tegula is built without its kernels for Hopper GPUs")
  return()
endif()

set(hopper_architectures 90a-real)
tegula_add_cuda_kernels(tegula_wgmma
  ARCHITECTURES ${hopper_architectures}
  SOURCES
    kernels/cuda/Tegula_TensorMap.cu
    kernels/cuda/panel/Tegula_PanelLaunch.cu
    kernels/cuda/fp32_split/Tegula_Fp32SplitLaunch.cu
    kernels/cuda/fp32_split/Tegula_Fp32SplitPass.cu
    kernels/cuda/shallow/Tegula_ShallowGroupsBhalf.cu
    kernels/cuda/shallow/Tegula_ShallowGroupsHalf.cu
    kernels/cuda/tf32/Tegula_Tf32Copy.cu
    kernels/cuda/tf32/Tegula_Tf32Launch.cu
    kernels/cuda/tf32/Tegula_Tf32x3Launch.cu
    kernels/cuda/wgmma/Tegula_WgmmaBhalf.cu
    kernels/cuda/wgmma/Tegula_WgmmaBhalfPair.cu
    kernels/cuda/wgmma/Tegula_WgmmaHalf.cu
    kernels/cuda/wgmma/Tegula_WgmmaHalfPair.cu
    kernels/cuda/wgmma/Tegula_WgmmaLaunch.cu)

set_target_properties(tegula PROPERTIES TEGULA_HOPPER_ARCHITECTURES "${hopper_architectures}")
set_property(TARGET tegula APPEND PROPERTY EXPORT_PROPERTIES TEGULA_HOPPER_ARCHITECTURES)
target_compile_definitions(tegula PUBLIC TEGULA_HAS_WGMMA=1)
target_compile_definitions(tegula_plain PRIVATE TEGULA_HAS_WGMMA=1)
target_compile_definitions(tegula_wgmma PRIVATE TEGULA_HAS_WGMMA=1)
