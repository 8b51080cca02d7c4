# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a command that must end with one exit code and say something:
#   cmake -DEXIT_CODE=n -DMESSAGE=regex -P CheckExit.cmake command arguments...
# EXIT_CODE may be "error": any but 0, and no signal.

set(command "")
foreach(i RANGE 1 ${CMAKE_ARGC})
  if(command_begins AND i LESS CMAKE_ARGC)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL CMAKE_CURRENT_LIST_FILE)
    set(command_begins TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(EXIT_CODE STREQUAL "error")
  if(NOT result MATCHES "^[0-9]+$" OR result EQUAL 0)
    message(FATAL_ERROR "exit code ${result}, expected an error")
  endif()
elseif(NOT result STREQUAL EXIT_CODE)
  message(FATAL_ERROR "exit code ${result}, expected ${EXIT_CODE}")
endif()
if(NOT output MATCHES "${MESSAGE}")
  message(FATAL_ERROR "expected a message that matches ${MESSAGE}")
endif()
