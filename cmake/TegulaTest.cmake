# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Helpers that build and register tests.

include_guard(GLOBAL)
include(CheckCXXSourceRuns)

# Execution spaces of the Kokkos at hand, as typed tests name them.
set(Tegula_TEST_SPACES "")
foreach(device IN LISTS Kokkos_DEVICES)
  string(TOLOWER ${device} device)
  set(name_serial Serial)
  set(name_openmp OpenMP)
  set(name_threads Threads)
  set(name_cuda Cuda)
  set(name_hip HIP)
  if(DEFINED name_${device})
    list(APPEND Tegula_TEST_SPACES ${name_${device}})
  endif()
endforeach()

# Scalars of typed tests. On hosts alone the types of 16 bits are float.
set(Tegula_TEST_SCALARS double float)
if("Cuda" IN_LIST Tegula_TEST_SPACES OR "HIP" IN_LIST Tegula_TEST_SPACES)
  list(APPEND Tegula_TEST_SCALARS half_t bhalf_t)
endif()
set(Tegula_TEST_GUARD_half_t TEGULA_HAS_HALF)
set(Tegula_TEST_GUARD_bhalf_t TEGULA_HAS_BHALF)
set(Tegula_TEST_GUARD_float 1)
set(Tegula_TEST_GUARD_double 1)

# Sets the variable to source files that compile `source` once for each scalar, so that none takes minutes: nvcc does
# one file on one core.
function(tegula_test_source_per_scalar variable source)
  get_filename_component(name ${source} NAME_WE)
  set(generated "")
  foreach(scalar IN LISTS Tegula_TEST_SCALARS)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/per_scalar/${name}_${scalar}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "#include <Tegula_KokkosCompat.hpp>
#if ${Tegula_TEST_GUARD_${scalar}}
#define TEGULA_TEST_SCALAR ${scalar}
#include \"${CMAKE_CURRENT_SOURCE_DIR}/${source}\"
#endif
")
    list(APPEND generated ${file})
  endforeach()
  set(${variable} ${generated} PARENT_SCOPE)
endfunction()

# What nearly every test includes, compiled as they are.
if(Tegula_PRECOMPILE_HEADERS)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp CONTENT "")
  add_library(tegula_test_precompiled OBJECT ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(tegula_test_precompiled PRIVATE tegula GTest::gtest)
  target_compile_options(tegula_test_precompiled PRIVATE ${Tegula_QUICK_TO_COMPILE})
  target_precompile_headers(tegula_test_precompiled PRIVATE <gtest/gtest.h> <Kokkos_Core.hpp>)
endif()

# tegula_add_test(NAME [PER_SPACE | PER_HOST_SPACE | PARAMETERS name...] [PER_SCALAR] [AS_USERS] SOURCES file...
#                 [LABELS label...])
#
# An executable of GoogleTest cases. With PER_SCALAR its one source file is compiled once for each scalar, of which it
# sees one in Tegula_TestTypes.hpp. With PER_SPACE its cases are typed over execution spaces, and a test is registered
# for each space, "NAME.Serial" and so on; with PER_HOST_SPACE for each that is none of a device. With PARAMETERS, the
# names of its cases' parameters, a test is registered for each, "NAME.name", which is a process of its own; otherwise
# one test, "NAME". With AS_USERS the build type says how it is compiled, as with applications: for tests of kernels
# that calls with types or activations of a user instantiate.
function(tegula_add_test name)
  cmake_parse_arguments(arg "PER_SPACE;PER_HOST_SPACE;PER_SCALAR;AS_USERS" "" "PARAMETERS;SOURCES;LABELS" ${ARGN})
  set(spaces ${Tegula_TEST_SPACES})
  if(arg_PER_HOST_SPACE)
    list(REMOVE_ITEM spaces Cuda HIP)
  endif()
  if(arg_PER_SCALAR)
    tegula_test_source_per_scalar(arg_SOURCES ${arg_SOURCES})
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  target_link_libraries(test_${name} PRIVATE tegula_test_main)
  target_compile_options(test_${name} PRIVATE ${Tegula_WARNINGS})
  if(NOT arg_AS_USERS)
    target_compile_options(test_${name} PRIVATE ${Tegula_QUICK_TO_COMPILE})
    if(Tegula_PRECOMPILE_HEADERS)
      target_precompile_headers(test_${name} REUSE_FROM tegula_test_precompiled)
    endif()
  endif()
  if(arg_PER_SPACE OR arg_PER_HOST_SPACE)
    foreach(space IN LISTS spaces)
      add_test(NAME ${name}.${space} COMMAND test_${name} --gtest_filter=*${space}_*)
      set_tests_properties(${name}.${space} PROPERTIES LABELS "${space};${arg_LABELS}")
    endforeach()
  elseif(arg_PARAMETERS)
    foreach(parameter IN LISTS arg_PARAMETERS)
      add_test(NAME ${name}.${parameter} COMMAND test_${name} --gtest_filter=*/${parameter})
      set_tests_properties(${name}.${parameter} PROPERTIES LABELS "${arg_LABELS}")
    endforeach()
  else()
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
  endif()
endfunction()

# tegula_add_host_flags_test(NAME "flag ...") runs host/Test_HostFlags.cpp, compiled with the flags, for every set of
# instructions that the processor has. Flags that this compiler or this processor lacks are passed over.
function(tegula_add_host_flags_test name flags)
  set(CMAKE_REQUIRED_FLAGS "${flags}")
  check_cxx_source_runs("int main(int argc, char**) { volatile double x[16] = {}; for (int i = 0; i < 16; ++i)
                         x[i] = x[i] * argc + i; return x[0] != 0; }" Tegula_RUNS_${name})
  if(NOT Tegula_RUNS_${name})
    message(STATUS "HostFlags are not tested with ${flags}, which this compiler or this processor lacks")
    return()
  endif()
  add_executable(test_HostFlags_${name} host/Test_HostFlags.cpp)
  target_link_libraries(test_HostFlags_${name} PRIVATE tegula_test_main)
  separate_arguments(flags)
  target_compile_options(test_HostFlags_${name} PRIVATE ${Tegula_WARNINGS} ${flags})
  foreach(instructions baseline avx2 avx512)
    add_test(NAME HostFlags.${name}.${instructions} COMMAND test_HostFlags_${name})
    set_tests_properties(HostFlags.${name}.${instructions} PROPERTIES
                         ENVIRONMENT TEGULA_INSTRUCTIONS=${instructions}
                         SKIP_REGULAR_EXPRESSION "which this processor lacks")
  endforeach()
endfunction()

# Every header must compile alone: for each there is a source file that includes nothing else. One build that checks
# this is enough, so others may leave it out.
option(Tegula_CHECK_HEADERS "Compile every header alone, with unit_tests" ON)
function(tegula_add_header_test)
  if(NOT Tegula_CHECK_HEADERS)
    return()
  endif()
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/core/*.hpp ${PROJECT_SOURCE_DIR}/kernels/*.hpp)
  set(sources "")
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} identifier)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${identifier}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(test_headers OBJECT ${sources})
  target_link_libraries(test_headers PRIVATE tegula)
  target_compile_options(test_headers PRIVATE ${Tegula_WARNINGS} -O0)
endfunction()

# A library of the trials of Tegula_TestCudaTrials.hpp. No source file takes two minutes of nvcc: backwards there is one
# for each pair of types and every two activations.
function(tegula_add_cuda_trials name)
  set(sources "")
  set(bhalf_t_outputs bhalf_t float)
  set(half_t_outputs half_t float)
  set(float_outputs float)
  set(double_outputs double)
  foreach(input bhalf_t half_t float double)
    foreach(output ${${input}_outputs})
      set(gemm "template void run_cuda_gemm(const CudaGemmTrial<${input}, ${output}>&);")
      set(backward "const CudaBackwardTrial<${input}, ${output}>&")
      set(backward_relu "template void run_cuda_backward_of(${backward}, const Identity&);
template void run_cuda_backward_of(${backward}, const Relu&);")
      set(backward_tanh "template void run_cuda_backward_of(${backward}, const LeakyRelu&);
template void run_cuda_backward_of(${backward}, const Tanh&);")
      foreach(call gemm backward_relu backward_tanh)
        set(source ${CMAKE_CURRENT_BINARY_DIR}/trials/${call}_${input}_${output}.cpp)
        file(CONFIGURE OUTPUT ${source} CONTENT
          "#include \"Tegula_TestCudaTrialsImpl.hpp\"\nnamespace Tegula::Test {\n${${call}}\n}\n")
        list(APPEND sources ${source})
      endforeach()
    endforeach()
  endforeach()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC tegula_test_main)
  target_compile_options(${name} PRIVATE ${Tegula_WARNINGS})
endfunction()

# api/CompileErrors.cpp with TEGULA_TEST_<error> must fail to compile, with a sentence of the library's own.
function(tegula_add_compile_error_test error sentence)
  add_library(compile_error_${error} OBJECT EXCLUDE_FROM_ALL api/CompileErrors.cpp)
  target_link_libraries(compile_error_${error} PRIVATE tegula)
  target_compile_definitions(compile_error_${error} PRIVATE TEGULA_TEST_${error})
  add_test(NAME compile_error.${error}
           COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target compile_error_${error})
  set_tests_properties(compile_error.${error} PROPERTIES PASS_REGULAR_EXPRESSION ${sentence}
                       RESOURCE_LOCK build_folder LABELS compile_error)
endfunction()

# unit_tests/consumer, configured, built and run against the installed package and against the source folder.
function(tegula_add_consumer_test)
  set(prefix ${CMAKE_CURRENT_BINARY_DIR}/consumer/prefix)
  add_test(NAME consumer.install COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
  set_tests_properties(consumer.install PROPERTIES FIXTURES_SETUP installed_package LABELS consumer)

  set(options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}
              -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_CXX_FLAGS_DEBUG=${CMAKE_CXX_FLAGS_DEBUG}
              -DCMAKE_CXX_FLAGS_RELEASE=${CMAKE_CXX_FLAGS_RELEASE}
              -DKokkos_DIR=${Kokkos_DIR} -DREADME=${PROJECT_SOURCE_DIR}/README.md)
  set(find_options -DCMAKE_PREFIX_PATH=${prefix})
  # As strict as an application can be: nothing of a shared library is visible that does not say so.
  set(subdirectory_options -DTegula_SOURCE_DIR=${PROJECT_SOURCE_DIR} -DBUILD_SHARED_LIBS=ON
                           -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_CUDA_VISIBILITY_PRESET=hidden
                           -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON)
  # What is tested of this build of the whole library is that its parts find each other. Less inlining asks more of that,
  # and takes half the time.
  if(Tegula_QUICK_TO_COMPILE)
    list(APPEND subdirectory_options "-DCMAKE_CXX_FLAGS_RELEASE=-Og -DNDEBUG" -DTegula_HOST_KERNEL_FLAGS=-Og)
  endif()
  foreach(way find subdirectory)
    add_test(NAME consumer.${way}
             COMMAND ${CMAKE_CTEST_COMMAND}
                     --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/consumer ${CMAKE_CURRENT_BINARY_DIR}/consumer/${way}
                     --build-generator ${CMAKE_GENERATOR}
                     --build-options ${options} ${${way}_options}
                     --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure)
    set_tests_properties(consumer.${way} PROPERTIES LABELS consumer FIXTURES_REQUIRED installed_package)
  endforeach()

  add_test(NAME consumer.unknown_type
           COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${CMAKE_CURRENT_SOURCE_DIR}/consumer
                   -B ${CMAKE_CURRENT_BINARY_DIR}/consumer/unknown_type ${options} ${find_options}
                   -DACTIVATION_TYPES=f8)
  set_tests_properties(consumer.unknown_type PROPERTIES LABELS consumer FIXTURES_REQUIRED installed_package
                       PASS_REGULAR_EXPRESSION "tegula_add_activation.*there is no type f8")

  # unit_tests/package, with a Kokkos that does not fit, must go on without Tegula and be told why.
  set(sentence_none "Tegula needs Kokkos 3.4 or newer, and none was found")
  set(sentence_3.3.1 "Tegula needs Kokkos 3.4 or newer.*kokkos is 3.3.1")
  set(sentence_99.1 "this Tegula was built with Kokkos ${Kokkos_VERSION}.*kokkos is 99.1")
  foreach(kokkos none 3.3.1 99.1)
    add_test(NAME consumer.kokkos_${kokkos}
             COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${CMAKE_CURRENT_SOURCE_DIR}/package
                     -B ${CMAKE_CURRENT_BINARY_DIR}/package/${kokkos} -DKOKKOS=${kokkos} -DCMAKE_PREFIX_PATH=${prefix})
    set_tests_properties(consumer.kokkos_${kokkos} PROPERTIES LABELS consumer FIXTURES_REQUIRED installed_package
                         PASS_REGULAR_EXPRESSION "Tegula was not found: ${sentence_${kokkos}}")
  endforeach()
endfunction()
