# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds the libraries that perf_tests compare with. Each is optional. For kokkoskernels, openblas, onednn, libxsmm and
# cublas this sets Tegula_KOKKOSKERNELS_FOUND, Tegula_OPENBLAS_FOUND, Tegula_ONEDNN_FOUND, Tegula_LIBXSMM_FOUND and
# Tegula_CUBLAS_FOUND.

include_guard(GLOBAL)

set(known_peers kokkoskernels openblas onednn libxsmm cublas)
set(Tegula_PERF_PEERS "${known_peers}" CACHE STRING "Libraries that perf_tests look for, to compare with")
foreach(peer IN LISTS Tegula_PERF_PEERS)
  if(NOT peer IN_LIST known_peers)
    message(FATAL_ERROR "Tegula_PERF_PEERS: ${peer} is not one of ${known_peers}")
  endif()
endforeach()
set(Tegula_KOKKOSKERNELS_FOUND FALSE)
set(Tegula_OPENBLAS_FOUND FALSE)
set(Tegula_ONEDNN_FOUND FALSE)
set(Tegula_LIBXSMM_FOUND FALSE)
set(Tegula_CUBLAS_FOUND FALSE)

if("kokkoskernels" IN_LIST Tegula_PERF_PEERS)
  include(TegulaKokkosKernels)
endif()
# Where Kokkos has a device the programs run there, out of reach of a library for hosts.
if(NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL|OPENMPTARGET|OPENACC")
  if("openblas" IN_LIST Tegula_PERF_PEERS)
    include(TegulaOpenBLAS)
  endif()
  if("onednn" IN_LIST Tegula_PERF_PEERS)
    include(TegulaOneDNN)
  endif()
  if("libxsmm" IN_LIST Tegula_PERF_PEERS)
    include(TegulaLibxsmm)
  endif()
endif()
if("cublas" IN_LIST Tegula_PERF_PEERS AND Kokkos_DEVICES MATCHES "CUDA")
  include(TegulaCuBLAS)
endif()
