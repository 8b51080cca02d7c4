# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds the shared library of OpenBLAS, which tegula_gemm_perf and tegula_backward_perf load when they run: nothing is
# linked, and no header is needed. Sets Tegula_OPENBLAS_FOUND and Tegula_OPENBLAS_LIBRARY.
#
# Its CMake configuration is not asked, since some of Debian's name files that do not exist.

include_guard(GLOBAL)

# The variant whose threads are those of OpenMP comes first where Kokkos' are: two sets of threads on the same processors
# disturb each other.
set(variant "")
if(Kokkos_DEVICES MATCHES "OPENMP")
  set(variant PATH_SUFFIXES openblas-openmp)
endif()
find_library(Tegula_OPENBLAS_LIBRARY NAMES openblas ${variant} DOC "Shared library of OpenBLAS, to compare with")
mark_as_advanced(Tegula_OPENBLAS_LIBRARY)
if(Tegula_OPENBLAS_LIBRARY MATCHES "\\.a$")
  message(STATUS "OpenBLAS in ${Tegula_OPENBLAS_LIBRARY} is not a shared library, and is not compared with")
elseif(Tegula_OPENBLAS_LIBRARY)
  set(Tegula_OPENBLAS_FOUND TRUE)
  message(STATUS "tegula_gemm_perf and tegula_backward_perf compare with OpenBLAS in ${Tegula_OPENBLAS_LIBRARY}")
else()
  message(STATUS "OpenBLAS was not found (Debian: libopenblas-dev): "
                 "tegula_gemm_perf and tegula_backward_perf are built without it")
endif()
