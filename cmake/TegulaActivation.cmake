# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Activations of a user's inside Tegula's kernels. Part of the build, and of the installed package.

include_guard(GLOBAL)

# tegula_add_activation(target TYPE Namespace::Swish HEADER swish.hpp [TYPES type...])
#
# Compiles an activation into the kernels of gemm for GPUs of NVIDIA, where it otherwise costs a pass over the result:
# wgmma, mma and simt, for these types of A and B among f16, bf16, f32 and f64, or for all. The functor must be
# trivially copyable, and its header must say TEGULA_DECLARE_ACTIVATION(Namespace::Swish); behind it. What is compiled
# becomes part of the target, a library or an executable, once in a program. Without it nothing links that calls gemm
# with such an activation. Where Kokkos has no CUDA there is nothing to compile but what such a call refers to.
#
# It enables the language CUDA if it needs that, which CMake allows in file scope only: hence a macro.
macro(tegula_add_activation)
  get_target_property(Tegula_ACTIVATION_ARCHITECTURES Tegula::tegula TEGULA_CUDA_ARCHITECTURES)
  if(Tegula_ACTIVATION_ARCHITECTURES AND NOT CMAKE_CUDA_COMPILER_LOADED)
    enable_language(CUDA)
  endif()
  tegula_compile_activation(${ARGV})
endmacro()

function(tegula_compile_activation target)
  cmake_parse_arguments(arg "" "TYPE;HEADER" "TYPES" ${ARGN})
  set(all_types f16 bf16 f32 f64)
  if(NOT arg_TYPES)
    set(arg_TYPES ${all_types})
  endif()
  set(unknown_types ${arg_TYPES})
  list(REMOVE_ITEM unknown_types ${all_types})
  get_filename_component(header "${arg_HEADER}" ABSOLUTE)
  set(problem "")
  if(NOT TARGET ${target})
    set(problem "there is no target \"${target}\"")
  elseif(NOT arg_TYPE OR NOT arg_HEADER OR arg_UNPARSED_ARGUMENTS)
    set(problem "it was called with \"${ARGN}\"")
  elseif(NOT EXISTS "${header}")
    set(problem "there is no file ${header}")
  elseif(unknown_types)
    set(problem "there is no type ${unknown_types}")
  endif()
  if(problem)
    message(FATAL_ERROR
            "tegula_add_activation(target TYPE Namespace::Swish HEADER swish.hpp [TYPES f16 bf16 f32 f64]): ${problem}")
  endif()

  get_target_property(architectures Tegula::tegula TEGULA_CUDA_ARCHITECTURES)
  get_target_property(hopper_architectures Tegula::tegula TEGULA_HOPPER_ARCHITECTURES)
  string(MAKE_C_IDENTIFIER "${arg_TYPE}" name)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/activations/${target}/${name})
  set(table "")
  set(sources "")
  set(hopper_sources "")
  if(architectures)
    foreach(type IN LISTS arg_TYPES)
      tegula_activation_sources(${type} "${arg_TYPE}" "${header}" ${folder})
    endforeach()
    tegula_activation_table(${folder}/kernels.cu "${arg_TYPE}" "${header}" "${table}")
    tegula_add_activation_kernels(${target} ${target}_${name} "${architectures}" ${folder}/kernels.cu ${sources})
    if(hopper_architectures AND hopper_sources)
      tegula_add_activation_kernels(${target} ${target}_${name}_hopper "${hopper_architectures}" ${hopper_sources})
    endif()
  else()
    tegula_activation_table(${folder}/kernels.cpp "${arg_TYPE}" "${header}" "")
    target_sources(${target} PRIVATE ${folder}/kernels.cpp)
  endif()
endfunction()

# Writes a source file: what follows in namespace Tegula::Impl, where TegulaActivation is the functor.
function(tegula_write_activation_source file functor header kernel_header content)
  file(CONFIGURE OUTPUT ${file} CONTENT "#include \"${header}\"

#include \"${kernel_header}\"

using TegulaActivation = ${functor};

namespace Tegula::Impl {
${content}
}
")
endfunction()

# Writes the source files of one type: `sources` and, for the architecture of wgmma, `hopper_sources`. Adds the type to
# `table`. One file for each family, and three more for simt, so that they compile at the same time.
function(tegula_activation_sources type functor header folder)
  set(input_f16 F16)
  set(input_bf16 Bf16)
  set(input_f32 float)
  set(input_f64 double)
  set(input ${input_${type}})

  if(type STREQUAL f32)
    set(file ${folder}/simt_${type}.cu)
    tegula_write_activation_source(${file} "${functor}" "${header}" cuda/simt/Tegula_SimtActivation.cuh
                                   "template struct SimtWith<TegulaActivation>;")
    list(APPEND sources ${file})
    foreach(left chunks depth lines)
      set(file ${folder}/simt_${left}_${type}.cu)
      tegula_write_activation_source(${file} "${functor}" "${header}" cuda/simt/Tegula_SimtLaunch.cuh
                                     "template struct SimtLeft<FetchBy::${left}, OwnActivation<TegulaActivation>>;")
      list(APPEND sources ${file})
    endforeach()
  else()
    set(file ${folder}/mma_${type}.cu)
    tegula_write_activation_source(${file} "${functor}" "${header}" cuda/mma/Tegula_MmaActivation.cuh
                                   "template struct MmaWith<${input}, TegulaActivation>;")
    list(APPEND sources ${file})
  endif()
  if(type MATCHES "f16$")
    set(file ${folder}/wgmma_${type}.cu)
    tegula_write_activation_source(${file} "${functor}" "${header}" cuda/wgmma/Tegula_WgmmaActivation.cuh
                                   "template struct WgmmaWith<${input}, TegulaActivation>;")
    list(APPEND hopper_sources ${file})
  endif()
  set(sources ${sources} PARENT_SCOPE)
  set(hopper_sources ${hopper_sources} PARENT_SCOPE)
  set(table "${table}    kernels.${type} = kernels_with<${input}, TegulaActivation>();\n" PARENT_SCOPE)
endfunction()

# Writes the source file that every call with the activation refers to.
function(tegula_activation_table file functor header table)
  tegula_write_activation_source(${file} "${functor}" "${header}" cuda/Tegula_ActivationKernels.hpp
"static_assert(is_declared_compiled<TegulaActivation>, \"the header must say TEGULA_DECLARE_ACTIVATION(${functor});\");

template <>
const CompiledActivation* compiled_by_tegula_add_activation<TegulaActivation>() {
  static constexpr CompiledActivation all = [] {
    CompiledActivation kernels;
${table}    return kernels;
  }();
  return &all;
}")
endfunction()

# Adds source files to a target, compiled as CUDA for these architectures.
function(tegula_add_activation_kernels target name architectures)
  add_library(${name} OBJECT ${ARGN})
  set_target_properties(${name} PROPERTIES
    CUDA_ARCHITECTURES "${architectures}" CUDA_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # The standard is given by hand: CMake before 3.26 does not know C++20 of every nvcc.
  target_compile_options(${name} PRIVATE -std=c++20 --extended-lambda)
  target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_link_libraries(${name} PRIVATE Tegula::tegula)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${name}>)
endfunction()
