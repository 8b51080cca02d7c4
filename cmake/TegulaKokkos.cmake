# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds Kokkos and makes it usable as the target Tegula::kokkos. Part of the build, and of the installed package, which
# sets Tegula_KOKKOS_VERSION to the only version that will do. Without a Kokkos that fits there is no such target, and
# Tegula_KOKKOS_PROBLEM says why; otherwise that is empty.

set(Tegula_KOKKOS_PROBLEM "")
if(NOT TARGET Kokkos::kokkos)  # a project above may have brought its own
  # No version is asked for: the version file of Kokkos 3 accepts its own major version only.
  find_package(Kokkos QUIET CONFIG)
endif()

if(NOT TARGET Kokkos::kokkos AND NOT Kokkos_FOUND)
  set(Tegula_KOKKOS_PROBLEM
      "Tegula needs Kokkos 3.4 or newer, and none was found; set Kokkos_ROOT to where it is installed")
elseif(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 3.4)
  set(Tegula_KOKKOS_PROBLEM "Tegula needs Kokkos 3.4 or newer; ${Kokkos_DIR} is ${Kokkos_VERSION}")
elseif(Kokkos_VERSION AND Tegula_KOKKOS_VERSION AND NOT Kokkos_VERSION VERSION_EQUAL Tegula_KOKKOS_VERSION)
  set(Tegula_KOKKOS_PROBLEM
      "this Tegula was built with Kokkos ${Tegula_KOKKOS_VERSION}; ${Kokkos_DIR} is ${Kokkos_VERSION}")
endif()
if(Tegula_KOKKOS_PROBLEM)
  return()
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
