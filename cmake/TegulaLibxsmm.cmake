# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds libxsmm, whose archives want a thread library, and a BLAS that is never called here. Sets Tegula_LIBXSMM_FOUND
# and, if it is true, makes the target Tegula::libxsmm.

include_guard(GLOBAL)

find_path(Tegula_LIBXSMM_INCLUDE_DIR NAMES libxsmm.h DOC "Headers of libxsmm, to compare with")
find_library(Tegula_LIBXSMM_LIBRARY NAMES xsmm DOC "Library of libxsmm, to compare with")
find_library(Tegula_LIBXSMM_NO_BLAS NAMES xsmmnoblas DOC "What libxsmm has in the place of a BLAS")
mark_as_advanced(Tegula_LIBXSMM_INCLUDE_DIR Tegula_LIBXSMM_LIBRARY Tegula_LIBXSMM_NO_BLAS)
if(Tegula_LIBXSMM_INCLUDE_DIR AND Tegula_LIBXSMM_LIBRARY AND Tegula_LIBXSMM_NO_BLAS)
  set(Tegula_LIBXSMM_FOUND TRUE)
  find_package(Threads REQUIRED)
  add_library(Tegula::libxsmm INTERFACE IMPORTED)
  target_include_directories(Tegula::libxsmm SYSTEM INTERFACE ${Tegula_LIBXSMM_INCLUDE_DIR})
  target_link_libraries(Tegula::libxsmm INTERFACE ${Tegula_LIBXSMM_LIBRARY} ${Tegula_LIBXSMM_NO_BLAS} Threads::Threads
                                                  ${CMAKE_DL_LIBS})
  message(STATUS "tegula_gemm_perf compares with libxsmm in ${Tegula_LIBXSMM_LIBRARY}")
else()
  message(STATUS "libxsmm was not found (Debian: libxsmm-dev): tegula_gemm_perf is built without it")
endif()
