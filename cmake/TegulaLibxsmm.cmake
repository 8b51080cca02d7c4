# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds libxsmm. Sets Tegula_LIBXSMM_FOUND and, if it is true, makes the target Tegula::libxsmm.
#
# Its archive refers to a BLAS, which is never called here. Its own stand-in for one has the names of a BLAS, too, and
# would be called in the place of that of Kokkos Kernels: so it is linked only where there is no BLAS.

include_guard(GLOBAL)

find_path(Tegula_LIBXSMM_INCLUDE_DIR NAMES libxsmm.h DOC "Headers of libxsmm, to compare with")
find_library(Tegula_LIBXSMM_LIBRARY NAMES xsmm DOC "Library of libxsmm, to compare with")
find_library(Tegula_LIBXSMM_NO_BLAS NAMES xsmmnoblas DOC "What libxsmm has in the place of a BLAS")
mark_as_advanced(Tegula_LIBXSMM_INCLUDE_DIR Tegula_LIBXSMM_LIBRARY Tegula_LIBXSMM_NO_BLAS)
find_package(BLAS QUIET)
if(BLAS_FOUND)
  set(blas_of_libxsmm ${BLAS_LIBRARIES})
else()
  set(blas_of_libxsmm ${Tegula_LIBXSMM_NO_BLAS})
endif()
if(Tegula_LIBXSMM_INCLUDE_DIR AND Tegula_LIBXSMM_LIBRARY AND blas_of_libxsmm)
  set(Tegula_LIBXSMM_FOUND TRUE)
  find_package(Threads REQUIRED)
  add_library(Tegula::libxsmm INTERFACE IMPORTED)
  target_include_directories(Tegula::libxsmm SYSTEM INTERFACE ${Tegula_LIBXSMM_INCLUDE_DIR})
  target_link_libraries(Tegula::libxsmm INTERFACE ${Tegula_LIBXSMM_LIBRARY} ${blas_of_libxsmm} Threads::Threads
                                                  ${CMAKE_DL_LIBS})
  message(STATUS "tegula_gemm_perf compares with libxsmm in ${Tegula_LIBXSMM_LIBRARY}")
else()
  message(STATUS "libxsmm was not found (Debian: libxsmm-dev): tegula_gemm_perf is built without it")
endif()
