# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# That the programs run, and that they say no. What they measure is not tested.

function(add_perf_test name exit_code output)
  add_test(NAME perf.${name}
    COMMAND ${CMAKE_COMMAND} -D EXIT=${exit_code} -D "OUTPUT=${output}" -D "JSON=${json}"
            -P ${CMAKE_CURRENT_SOURCE_DIR}/Tegula_ExpectRun.cmake -- ${ARGN})
endfunction()

file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/malformed.csv "name,m,n,k,source\nfine,4,5,6,here\nbroken,4,x,6,here\n")
set(quick --m 37 --n 53 --k 29 --repetitions 2 --min-time 0.001 --bandwidth-gbs 10)

foreach(program gemm backward)
  set(run $<TARGET_FILE:tegula_${program}_perf>)
  add_perf_test(${program}.measures_roofs 0 "measured.*measured.*37x53x29 +f32" ${run} --m 37 --n 53 --k 29 --types float)
  add_perf_test(${program}.mixed_layouts 0 "37x53x29 +f64 +RLL +TT.*f64,TT,gelu_erf"
    ${run} ${quick} --types float,double --peak-gflops 10,5 --layout right,left,left --op-a T --op-b T --activation gelu_erf)
  add_perf_test(${program}.mlp_shapes 0 "hidden.*output" ${run} --min-time 0.001 --repetitions 1)
  add_perf_test(${program}.half_tells_what_it_is 0 "bf16|f32 .bhalf." ${run} ${quick} --types half,bhalf --no-peer)
  set(json ${CMAKE_CURRENT_BINARY_DIR}/${program}.json)
  add_perf_test(${program}.json 0 "37x53x29 +f32" ${run} ${quick} --types float --peak-gflops 1 --json ${json})
  unset(json)
  add_perf_test(${program}.help 0 "GFLOP/s.*bytes = .*bandwidth" ${run} --help)
  add_perf_test(${program}.unknown_flag 2 "--colour" ${run} --colour)
  add_perf_test(${program}.unknown_benchmark_flag 2 "--benchmark_colour" ${run} --benchmark_colour)
  add_perf_test(${program}.m_alone 2 "--n" ${run} --m 5)
  add_perf_test(${program}.malformed_csv 2 "malformed.csv:3: n is \"x\"" ${run} --shapes ${CMAKE_CURRENT_BINARY_DIR}/malformed.csv)
  add_perf_test(${program}.absent_csv 2 "cannot open.*absent.csv" ${run} --shapes absent.csv)
endforeach()

# Every list of shapes can be read.
foreach(shapes mlp transformer surrogates cubes)
  add_perf_test(shapes.${shapes} 0 "tegula_gemm_perf/" $<TARGET_FILE:tegula_gemm_perf> --shapes ${shapes}.csv
                --benchmark_list_tests --types float --peak-gflops 1 --bandwidth-gbs 1)
endforeach()
