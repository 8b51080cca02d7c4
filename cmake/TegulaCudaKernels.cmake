# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels that are compiled by nvcc itself, as CMake's language CUDA: Kokkos' own compiler wrapper knows one
# architecture, and the rest of the library is not to be bound to theirs.

include_guard(GLOBAL)

set(Tegula_CUDA_LAUNCH AUTO CACHE STRING "How kernels for GPUs of NVIDIA are launched: ENTRY, by a kernel entry of \
Tegula's own; TEAM_POLICY, by Kokkos; or AUTO, by Kokkos from 5.2 on, whose teams have all of a device's scratch")
set_property(CACHE Tegula_CUDA_LAUNCH PROPERTY STRINGS AUTO ENTRY TEAM_POLICY)
set(Tegula_CUDA_LAUNCH_AUTO "")  # Tegula_KokkosBasics.hpp asks Kokkos for its version
set(Tegula_CUDA_LAUNCH_ENTRY TEGULA_CUDA_ENTRY=1)
set(Tegula_CUDA_LAUNCH_TEAM_POLICY TEGULA_CUDA_ENTRY=0)
if(NOT DEFINED Tegula_CUDA_LAUNCH_${Tegula_CUDA_LAUNCH})
  message(FATAL_ERROR "Tegula_CUDA_LAUNCH is \"${Tegula_CUDA_LAUNCH}\", not AUTO, ENTRY or TEAM_POLICY")
endif()
# What is compiled with the library sees the same teams as the library, and so do users of the installed package.
target_compile_definitions(tegula PUBLIC ${Tegula_CUDA_LAUNCH_${Tegula_CUDA_LAUNCH}})

set(Tegula_NVCC_VERSION 0)  # none
if(Kokkos_ENABLE_CUDA OR "CUDA" IN_LIST Kokkos_DEVICES)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(Tegula_NVCC_VERSION ${CMAKE_CUDA_COMPILER_VERSION})
  else()
    message(WARNING "no CUDA compiler was found (nvcc): Tegula is built without its kernels for GPUs of NVIDIA")
  endif()
endif()

# An application is bound to the architecture of its Kokkos, so that code for others would be dead weight.
set(Tegula_CUDA_ARCHITECTURES "" CACHE STRING
    "Architectures that kernels for CUDA are compiled for, 80;90 for example; empty: that of Kokkos")
set(Tegula_CUDA_TARGETS ${Tegula_CUDA_ARCHITECTURES})
if(NOT Tegula_CUDA_TARGETS)
  set(Tegula_CUDA_TARGETS ${Kokkos_CUDA_ARCHITECTURES})
endif()
if(NOT Tegula_CUDA_TARGETS)  # a Kokkos that does not tell
  set(Tegula_CUDA_TARGETS 80 90)
endif()
# No kernel is for older devices; a library for one holds code that it will never run.
list(FILTER Tegula_CUDA_TARGETS EXCLUDE REGEX "^[1-7][0-9](-|$)")
if(NOT Tegula_CUDA_TARGETS)
  set(Tegula_CUDA_TARGETS 80)
endif()

# A third or a quarter of the library's size. Drivers unpack code when it is first used; those that CUDA 13 asks for know
# how.
set(Tegula_CUDA_COMPRESSION "")
if(NOT Tegula_NVCC_VERSION VERSION_LESS 13.0)
  set(Tegula_CUDA_COMPRESSION --compress-mode=size)
endif()

# tegula_add_cuda_kernels(NAME ARCHITECTURES arch... SOURCES file...)
#
# Adds sources, compiled for these architectures, to the library.
function(tegula_add_cuda_kernels name)
  cmake_parse_arguments(arg "" "" "ARCHITECTURES;SOURCES" ${ARGN})
  add_library(${name} OBJECT ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES
    CUDA_ARCHITECTURES "${arg_ARCHITECTURES}" CUDA_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # The standard is given by hand: CMake before 3.26 does not know C++20 of every nvcc.
  target_compile_options(${name} PRIVATE -std=c++20 --extended-lambda ${Tegula_CUDA_COMPRESSION})
  target_compile_definitions(${name} PRIVATE ${Tegula_CUDA_LAUNCH_${Tegula_CUDA_LAUNCH}})
  target_include_directories(${name} PRIVATE core kernels)
  target_link_libraries(${name} PRIVATE Tegula::kokkos)
  target_sources(tegula PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()
