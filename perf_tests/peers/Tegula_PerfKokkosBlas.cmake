# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The calls of KokkosBlas::gemm, the only files that are compiled with the headers of Kokkos Kernels.

add_library(tegula_perf_kokkosblas OBJECT
  ${CMAKE_CURRENT_LIST_DIR}/Tegula_PerfKokkosBlas.cpp
  ${CMAKE_CURRENT_LIST_DIR}/Tegula_PerfKokkosBlasBhalf.cpp
  ${CMAKE_CURRENT_LIST_DIR}/Tegula_PerfKokkosBlasDouble.cpp
  ${CMAKE_CURRENT_LIST_DIR}/Tegula_PerfKokkosBlasFloat.cpp
  ${CMAKE_CURRENT_LIST_DIR}/Tegula_PerfKokkosBlasHalf.cpp)
target_link_libraries(tegula_perf_kokkosblas PUBLIC tegula_perf Tegula::kokkoskernels)
