# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -D EXIT=2 -D OUTPUT=regex -P Tegula_ExpectRun.cmake -- program arguments...
# Runs the program and fails unless both its exit code and what it prints are as expected. With -D JSON=file the program
# must also have written that file, valid, with its own name, the label of what ran, in which -D LABEL=regex is, and the
# counters of each of -D PEERS.

set(command "")
foreach(i RANGE ${CMAKE_ARGC})
  if(in_command)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(in_command TRUE)
  endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE exit_code OUTPUT_VARIABLE printed ERROR_VARIABLE printed)
if(NOT exit_code STREQUAL EXIT)
  message(FATAL_ERROR "exit code ${exit_code}, not ${EXIT}, after\n${printed}")
endif()
if(NOT printed MATCHES "${OUTPUT}")
  message(FATAL_ERROR "\"${OUTPUT}\" is not in\n${printed}")
endif()
if(JSON)
  file(READ ${JSON} written)
  string(JSON executable GET "${written}" context executable)
  string(JSON label GET "${written}" benchmarks 0 label)
  if(NOT executable MATCHES "^tegula_[a-z]+_perf$" OR NOT label MATCHES "^Tegula::gemm" OR NOT label MATCHES "${LABEL}")
    message(FATAL_ERROR "executable \"${executable}\", label \"${label}\" in ${JSON}")
  endif()
  foreach(peer IN LISTS PEERS)
    string(JSON described GET "${written}" context peer_${peer})
    foreach(counter seconds seconds_25 seconds_75 gflops gbs error ratio)
      string(JSON value GET "${written}" benchmarks 0 ${peer}_${counter})  # ends in an error if it is not there
    endforeach()
  endforeach()
endif()
