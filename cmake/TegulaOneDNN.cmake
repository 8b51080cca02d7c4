# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds oneDNN. Sets Tegula_ONEDNN_FOUND and, if it is true, makes the target Tegula::onednn.
#
# Its CMake configuration is not asked: that of Debian 12 ends in an error unless headers of OpenCL are installed, which
# a product on a processor does not need.

include_guard(GLOBAL)

find_path(Tegula_ONEDNN_INCLUDE_DIR NAMES oneapi/dnnl/dnnl.hpp DOC "Headers of oneDNN, to compare with")
find_library(Tegula_ONEDNN_LIBRARY NAMES dnnl DOC "Library of oneDNN, to compare with")
mark_as_advanced(Tegula_ONEDNN_INCLUDE_DIR Tegula_ONEDNN_LIBRARY)
if(Tegula_ONEDNN_INCLUDE_DIR AND Tegula_ONEDNN_LIBRARY)
  set(Tegula_ONEDNN_FOUND TRUE)
  add_library(Tegula::onednn INTERFACE IMPORTED)
  target_include_directories(Tegula::onednn SYSTEM INTERFACE ${Tegula_ONEDNN_INCLUDE_DIR})
  target_link_libraries(Tegula::onednn INTERFACE ${Tegula_ONEDNN_LIBRARY})
  message(STATUS "tegula_gemm_perf compares with oneDNN in ${Tegula_ONEDNN_LIBRARY}")
else()
  message(STATUS "oneDNN was not found (Debian: libdnnl-dev): tegula_gemm_perf is built without it")
endif()
