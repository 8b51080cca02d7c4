# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The installed package: headers, library, and a configuration for find_package(Tegula).

include(CMakePackageConfigHelpers)

set(Tegula_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Tegula)

install(TARGETS tegula EXPORT TegulaTargets)
install(DIRECTORY core/ kernels/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tegula
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(EXPORT TegulaTargets NAMESPACE Tegula:: DESTINATION ${Tegula_CMAKE_DIR})

configure_package_config_file(cmake/TegulaConfig.cmake.in ${PROJECT_BINARY_DIR}/TegulaConfig.cmake
                              INSTALL_DESTINATION ${Tegula_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TegulaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TegulaConfig.cmake ${PROJECT_BINARY_DIR}/TegulaConfigVersion.cmake
              cmake/TegulaActivation.cmake cmake/TegulaKokkos.cmake
        DESTINATION ${Tegula_CMAKE_DIR})
