# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds Kokkos and makes it usable as the target Tegula::kokkos. Part of the build, and of the installed package.

include_guard(GLOBAL)

if(NOT TARGET Kokkos::kokkos)  # a project above may have brought its own
  # No version is asked for: the version file of Kokkos 3 accepts its own major version only.
  find_package(Kokkos REQUIRED CONFIG)
  if(Kokkos_VERSION VERSION_LESS 3.4)
    message(FATAL_ERROR "Tegula needs Kokkos 3.4 or newer; ${Kokkos_DIR} is ${Kokkos_VERSION}")
  endif()
endif()

if(NOT TARGET Tegula::kokkos)
  add_library(Tegula::kokkos INTERFACE IMPORTED)
  if(TARGET trilinos_kokkoscore)
    # Debian's Trilinos packages: their Kokkos::kokkos names an include folder that does not exist.
    set_target_properties(Tegula::kokkos PROPERTIES
      INTERFACE_LINK_LIBRARIES "trilinos_kokkoscontainers;trilinos_kokkoscore"
      INTERFACE_INCLUDE_DIRECTORIES "${Kokkos_INCLUDE_DIRS}"
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${Kokkos_INCLUDE_DIRS}")
  else()
    set_target_properties(Tegula::kokkos PROPERTIES INTERFACE_LINK_LIBRARIES Kokkos::kokkos)
  endif()
endif()
