# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Adds the portable kernels for devices to the library: as the other kernels where these are for CUDA, and elsewhere by
# the compiler of the application.

set(portable_sources
  kernels/portable/Tegula_PortableAny.cpp
  kernels/portable/Tegula_PortableBhalf.cpp
  kernels/portable/Tegula_PortableDouble.cpp
  kernels/portable/Tegula_PortableFloat.cpp
  kernels/portable/Tegula_PortableHalf.cpp)

if(TARGET tegula_mma)
  set_source_files_properties(${portable_sources} PROPERTIES LANGUAGE CUDA)
  tegula_add_cuda_kernels(tegula_portable ARCHITECTURES ${Tegula_CUDA_TARGETS} SOURCES ${portable_sources})
  target_compile_definitions(tegula_portable PRIVATE TEGULA_HAS_MMA=1)
else()
  target_sources(tegula PRIVATE ${portable_sources})
endif()
