# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -D EXIT=2 -D OUTPUT=regex -P Tegula_ExpectRun.cmake -- program arguments...
# Runs the program and fails unless both its exit code and what it prints are as expected. With -D JSON=file the program
# must also have written that file completely: with all that its figures come from and, in the first row, a path of
# Tegula that matches -D LABEL=regex and the figures of each of -D PEERS. With -D FAILED=peer;regex that peer must have
# failed in this row, with a reason that matches. With -D DISTRIBUTION=peer the first distribution must be of that
# peer's ratios.

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
if(NOT JSON)
  return()
endif()

file(READ ${JSON} written)
# Reads a member of the file; an error if it is not there.
macro(read variable)
  string(JSON ${variable} GET "${written}" ${ARGN})
endmacro()
macro(expect value regex)
  if(NOT "${value}" MATCHES "${regex}")
    message(FATAL_ERROR "\"${value}\" is not \"${regex}\" in ${JSON}")
  endif()
endmacro()

read(complete complete)
expect("${complete}" "^ON$")
foreach(fact program=^tegula_[a-z]+_perf$ date=^20[0-9-]+T[0-9:]+Z$ version=^[0-9]+\\.[0-9]+\\.[0-9]+$
        commit=^[^\ ]+$ command_line=^tegula_[a-z]+_perf\ .*--json build=[a-z] kokkos=^[0-9.]+$ kokkos_kernels=^none$|^[0-9.]+$
        execution_space=[A-Z] concurrency=^[1-9] device=[A-Za-z] timer=^wall$|^events$|^graph$ min_time=^0.001$
        repetitions=^2$ seed=^1$ bandwidth_gbs=^[0-9])
  string(REGEX MATCH "^([a-z_]+)=(.*)$" split "${fact}")
  set(key ${CMAKE_MATCH_1})
  set(regex "${CMAKE_MATCH_2}")
  read(value context ${key})
  expect("${value}" "${regex}")
endforeach()
read(execution_space context execution_space)
set(device_facts governor)
if(execution_space STREQUAL "Cuda")
  set(device_facts driver cuda_driver cuda_runtime cuda_toolkit power_limit_w start end)
endif()
foreach(key IN LISTS device_facts)
  read(value context ${key})
endforeach()

read(path rows 0 sides tegula path)
expect("${path}" "^Tegula::gemm")
expect("${path}" "${LABEL}")
foreach(figure error samples seconds seconds_25 seconds_75 gflops gbs)
  read(value rows 0 sides tegula ${figure})
endforeach()
foreach(peer IN LISTS PEERS)
  read(value context peers ${peer})
  foreach(figure path error samples seconds seconds_25 seconds_75 gflops gbs ratio ratio_25 ratio_75)
    read(value rows 0 sides ${peer} ${figure})
  endforeach()
endforeach()
if(FAILED)
  list(POP_FRONT FAILED peer)
  read(reason rows 0 sides ${peer} failed)
  expect("${reason}" "${FAILED}")
endif()
if(DISTRIBUTION)
  foreach(figure type mode peer count excluded geometric_mean percentile_10 percentile_50 worst worst_shape)
    read(${figure} distributions 0 ${figure})
  endforeach()
  expect("${peer}" "^${DISTRIBUTION}$")
endif()
