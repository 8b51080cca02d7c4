# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds the KokkosKernels that belongs to the Kokkos in use, for perf_tests. Sets Tegula_KOKKOSKERNELS_FOUND and, if it is
# true, makes the target Tegula::kokkoskernels.

include_guard(GLOBAL)

set(Tegula_KOKKOSKERNELS_FOUND FALSE)
set(missing "was not found (Debian: libtrilinos-kokkos-kernels-dev)")

if(TARGET trilinos_kokkoscore)
  # Debian's Trilinos packages: the pair lies in neighbouring folders, and no other is built with this Kokkos.
  get_filename_component(beside_kokkos "${Kokkos_DIR}" DIRECTORY)
  find_package(KokkosKernels QUIET CONFIG PATHS "${beside_kokkos}" NO_DEFAULT_PATH)
  set(kokkoskernels_target trilinos_kokkoskernels)
else()
  # A version is asked for, since Debian's KokkosKernels 3.4 has no version file and so is passed over unread: once
  # read, it would have brought its own Kokkos with it.
  find_package(KokkosKernels 4.0 QUIET CONFIG)
  set(kokkoskernels_target Kokkos::kokkoskernels)
  if(KokkosKernels_FOUND)
    # Its configuration names the Kokkos that it was built with.
    file(STRINGS "${KokkosKernels_DIR}/KokkosKernelsConfig.cmake" hint REGEX "find_dependency\\(Kokkos HINTS")
    string(REGEX REPLACE ".*HINTS *([^ )]*).*" "\\1" built_with "${hint}")
    get_filename_component(built_with "${built_with}" REALPATH)
    get_filename_component(in_use "${Kokkos_DIR}" REALPATH)
    if(NOT hint OR NOT built_with STREQUAL in_use)
      set(KokkosKernels_FOUND FALSE)
      set(missing "in ${KokkosKernels_DIR} was built with the Kokkos in ${built_with}, not ${in_use}")
    endif()
  endif()
endif()

if(KokkosKernels_FOUND AND NOT TARGET ${kokkoskernels_target})
  set(missing "in ${KokkosKernels_DIR} has no target ${kokkoskernels_target}")
elseif(KokkosKernels_FOUND)
  set(Tegula_KOKKOSKERNELS_FOUND TRUE)
  add_library(Tegula::kokkoskernels INTERFACE IMPORTED)
  target_link_libraries(Tegula::kokkoskernels INTERFACE ${kokkoskernels_target})
  if(KokkosKernels_INCLUDE_DIRS)
    target_include_directories(Tegula::kokkoskernels SYSTEM INTERFACE ${KokkosKernels_INCLUDE_DIRS})
  endif()
  message(STATUS "tegula_gemm_perf and tegula_backward_perf compare with KokkosKernels in ${KokkosKernels_DIR}")
else()
  message(STATUS "KokkosKernels ${missing}: tegula_gemm_perf and tegula_backward_perf are built without it")
endif()
