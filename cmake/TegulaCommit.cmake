# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -D SOURCE_DIR=folder -D COMMIT=name -D HEADER=file -P TegulaCommit.cmake
#
# Writes a header that defines TEGULA_PERF_COMMIT: the given name or, if that is empty, what git says of the source
# folder; "unknown" where that is not a checkout. Runs with every build, and leaves the file alone if nothing has changed.

if(NOT COMMIT AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define TEGULA_PERF_COMMIT \"${COMMIT}\"\n")
