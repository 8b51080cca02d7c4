# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Adds the kernels for compute capability 9.0a to the library where Kokkos has CUDA. They are compiled by nvcc itself, as
# CMake's language CUDA: Kokkos' own compiler wrapper knows one architecture, and the rest of the library is not to be
# bound to this one.

if(NOT Kokkos_ENABLE_CUDA AND NOT "CUDA" IN_LIST Kokkos_DEVICES)
  return()
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(WARNING "no CUDA compiler was found (nvcc): Tegula is built without its kernels for Hopper GPUs")
  return()
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.5)
  message(WARNING "nvcc ${CMAKE_CUDA_COMPILER_VERSION} is older than 12.5: Tegula is built without its kernels for Hopper "
                  "GPUs")
  return()
endif()

add_library(tegula_wgmma OBJECT
  kernels/cuda/Tegula_CudaSelfCheck.cu
  kernels/cuda/Tegula_EngineCopy.cu
  kernels/cuda/Tegula_GradientPass.cu
  kernels/cuda/Tegula_TensorMap.cu
  kernels/cuda/wgmma/Tegula_WgmmaBhalf.cu
  kernels/cuda/wgmma/Tegula_WgmmaBhalfPair.cu
  kernels/cuda/wgmma/Tegula_WgmmaHalf.cu
  kernels/cuda/wgmma/Tegula_WgmmaHalfPair.cu
  kernels/cuda/wgmma/Tegula_WgmmaLaunch.cu)
set_target_properties(tegula_wgmma PROPERTIES
  CUDA_ARCHITECTURES 90a-real CUDA_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
# The standard is given by hand: CMake before 3.26 does not know this one of every nvcc.
target_compile_options(tegula_wgmma PRIVATE -std=c++20 --extended-lambda)
target_include_directories(tegula_wgmma PRIVATE core kernels)
target_link_libraries(tegula_wgmma PRIVATE Tegula::kokkos)

target_sources(tegula PRIVATE $<TARGET_OBJECTS:tegula_wgmma>)
target_compile_definitions(tegula PUBLIC TEGULA_HAS_WGMMA=1)
target_compile_definitions(tegula_wgmma PRIVATE TEGULA_HAS_WGMMA=1)
