# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests that the programs run, and that they refuse what is wrong. What they measure is not tested.

function(add_perf_test name exit_code output)
  add_test(NAME perf.${name}
    COMMAND ${CMAKE_COMMAND} -D EXIT=${exit_code} -D "OUTPUT=${output}" -D "JSON=${json}" -D "PEERS=${json_peers}"
            -D "LABEL=${json_label}" -D "TYPE=${json_type}" -D "FAILED=${json_failed}"
            -D "DISTRIBUTION=${json_distribution}" -P ${CMAKE_CURRENT_SOURCE_DIR}/programs/Tegula_ExpectRun.cmake -- ${ARGN})
endfunction()

file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/malformed.csv "name,m,n,k,source\nfine,4,5,6,here\nbroken,4,x,6,here\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/two.csv "name,m,n,k,source\nfirst,784,128,256,here\nsecond,4,5,6,here\n")
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
  set_tests_properties(perf.${program}.json PROPERTIES FIXTURES_SETUP json)
  unset(json)
  foreach(compute tf32 fp32_split)
    add_perf_test(${program}.${compute} 0 "37x53x29 +f32" ${run} ${quick} --types float --peak-gflops 1 --compute ${compute})
  endforeach()
  # Operands of 16 bits, which are float without a device, with results or gradients of parameters in float.
  set(result --result)
  if(program STREQUAL "backward")
    set(result --gradients)
  endif()
  set(json ${CMAKE_CURRENT_BINARY_DIR}/${program}_result.json)
  set(json_type "^(bf16|f32 .bhalf.)>f32$")
  add_perf_test(${program}.result 0 "/bhalf>float/.*37x53x29 +(bf16|f32 .bhalf.)>f32 .*37x53x29 +f32 " ${run} ${quick}
    --types bhalf,float --peak-gflops 1,1 ${result} float --activation tanh --op-a T --json ${json})
  unset(json_type)
  unset(json)
  add_perf_test(${program}.result_of_double 2 "${result} float: Tegula has no products of double with results in float; --types"
    ${run} ${result} float)
  add_perf_test(${program}.unknown_result 2 "${result}: half not in {float}" ${run} --types bhalf ${result} half)
  set(json ${CMAKE_CURRENT_BINARY_DIR}/${program}_family.json)
  set(json_label ".portable,f32,NN,")
  add_perf_test(${program}.family 0 ", family portable\n.*37x53x29 +f32.* portable,f32,NN," ${run} ${quick} --types float
    --peak-gflops 1 --no-peer --family portable --json ${json})
  unset(json_label)
  unset(json)
  set(tile 61x67x31)
  if(Kokkos_DEVICES MATCHES "CUDA")
    set(tile 64x128x16)
  endif()
  # The planner would choose neither of these tiles.
  add_perf_test(${program}.tile 0 ", tile ${tile}\n.*37x53x29 +f32.*,f32,NN,relu,${tile}" ${run} ${quick} --types float
    --peak-gflops 1 --no-peer --tile ${tile})
  add_perf_test(${program}.unknown_family 2 "--family.*fast" ${run} --family fast)
  add_perf_test(${program}.family_without_kernel 1 "37x53x29.* ERROR.*error: .*no kernel family named .mma. takes this call"
    ${run} ${quick} --types float --peak-gflops 1 --family mma)
  add_perf_test(${program}.malformed_tile 2 "--tile: .64x64. is not MxNxK" ${run} --tile 64x64)
  add_perf_test(${program}.unknown_tile 1 "37x53x29.* ERROR.*error: .*the portable family has no tile 61x67x31, only"
    ${run} ${quick} --types float --peak-gflops 1 --family portable --tile 61x67x31)
  if(Kokkos_DEVICES MATCHES "CUDA")
    add_perf_test(${program}.modes 0 "rested.*sustained" ${run} ${quick} --types bhalf --timer wall)
    add_perf_test(${program}.mode 0 "37x53x29.*rested" ${run} ${quick} --types bhalf --gpu-mode rested)
    add_perf_test(${program}.graph 0 "37x53x29.*rested" ${run} ${quick} --types float,bhalf --timer graph)
  else()
    add_perf_test(${program}.modes 2 "--gpu-mode needs" ${run} --gpu-mode rested)
    add_perf_test(${program}.events 2 "--timer events needs" ${run} --timer events)
    add_perf_test(${program}.graph 2 "--timer graph needs" ${run} --timer graph)
  endif()
  add_perf_test(${program}.help 0 "GFLOP/s.*bytes = .*bandwidth" ${run} --help)
  add_perf_test(${program}.unknown_flag 2 "--colour" ${run} --colour)
  add_perf_test(${program}.unknown_benchmark_flag 2 "--benchmark_colour" ${run} --benchmark_colour)
  add_perf_test(${program}.m_alone 2 "--n" ${run} --m 5)
  add_perf_test(${program}.unknown_peer 2 "--peers: atlas is unknown; available: " ${run} --peers atlas)
  add_perf_test(${program}.no_peer 0 "peers: none; available: .*37x53x29" ${run} ${quick} --peak-gflops 1,1 --no-peer)
  add_perf_test(${program}.malformed_csv 2 "malformed.csv:3: n is \"x\"" ${run} --shapes ${CMAKE_CURRENT_BINARY_DIR}/malformed.csv)
  add_perf_test(${program}.absent_csv 2 "cannot open.*absent.csv" ${run} --shapes absent.csv)
endforeach()

set(run $<TARGET_FILE:tegula_times>)
add_perf_test(times.list 0 "gemm bf16 NN .* fit .* wgmma [0-9x]+/1 .*gemm f64 NT .*# [0-9]+ ways" ${run} --list --calls 2)
add_perf_test(times.list_narrow 0 "gemm f64 NN ([0-9]|[1-6][0-9]) [0-9]+ [0-9]+ |gemm f64 NN [0-9]+ ([0-9]|[1-6][0-9]) " ${run} --list --calls 4
  --sides narrow)
add_perf_test(times.list_shapes 0 "^gemm bf16 TN 784 128 256 fit .*gemm f32 TN [0-9 ]+ compute=tf32 fit .*gemm f32 TT .* tf32 "
  ${run} --list --shapes ${CMAKE_CURRENT_BINARY_DIR}/two.csv --types bf16,tf32 --ops TN,TT)
add_perf_test(times.list_epilogue 0 "^gemm bf16 TN 784 128 256 beta=1 bias gelu_erf Z fit .*# [0-9]+ ways" ${run} --list
  --shapes ${CMAKE_CURRENT_BINARY_DIR}/two.csv --types bf16 --ops TN --activation gelu_erf --saved --beta)
add_perf_test(times.list_drawn_epilogue 0 "^gemm bf16 NN [^|]* bias tanh fit [^\n]*\ngemm f32 NN [^|]* bias tanh fit "
  ${run} --list --calls 1 --activation tanh)
add_perf_test(times.list_result 0 "^gemm bf16>f32 TN 784 128 256 bias relu Z fit .* wgmma [0-9x]+/1 .*# [0-9]+ ways" ${run} --list
  --shapes ${CMAKE_CURRENT_BINARY_DIR}/two.csv --result float --ops TN --activation relu --saved)
add_perf_test(times.list_drawn_result 0 "^gemm bf16>f32 NN [^\n]*\ngemm bf16>f32 NT [^\n]*\n# " ${run} --list --calls 2 --result f32)
add_perf_test(times.result_of_float 2 "--result: Tegula has no products of f32 with results of another type" ${run} --list
  --types bf16,f32 --result float)
add_perf_test(times.unknown_activation 105 "--activation: no activation gelu" ${run} --list --activation gelu)
add_perf_test(times.malformed_csv 1 "malformed.csv:3: n is \"x\"" ${run} --list
  --shapes ${CMAKE_CURRENT_BINARY_DIR}/malformed.csv)
add_perf_test(times.shapes_are_not_drawn 108 "--calls excludes --shapes" ${run} --list --shapes kept.csv --calls 2)
add_perf_test(times.again 0 "^gemm f32 NN 999 999 999 fit [|] simt [0-9x]+/[12] .*f32 TT 999 999 999 held [|] simt " ${run} --list --families simt
  --again ${CMAKE_CURRENT_BINARY_DIR}/made_up/times.txt)
add_perf_test(times.tiles 0 "^gemm f32 NN 999 999 999 fit( [|] simt 64x64x8/[0-9+]+)+[^|]*gemm f32 TT" ${run} --list --families simt
  --tiles 64x64x8 --again ${CMAKE_CURRENT_BINARY_DIR}/made_up/times.txt)
add_perf_test(times.again_is_not_drawn 108 "--calls excludes --again" ${run} --list --again times.txt --calls 2)
add_perf_test(times.unknown_ops 105 "--ops: NC not in" ${run} --list --shapes kept.csv --ops NC)
add_perf_test(times.no_file 2 "--file is missing" ${run})
set(record ${CMAKE_CURRENT_BINARY_DIR}/record.txt)
add_perf_test(calibrate 0 "" $<TARGET_FILE:tegula_calibrate> --file ${record})
set(regret_by_record $<TARGET_FILE:tegula_regret> ${CMAKE_CURRENT_BINARY_DIR}/made_up/times.txt --machine ${record})
if(TARGET tegula_host_regret)
  set(run $<TARGET_FILE:tegula_host_regret>)
  set(host_times ${CMAKE_CURRENT_BINARY_DIR}/host_times.txt)
  add_perf_test(host_regret.measures 0 "f32: 1 calls, regret [0-9.]+.*f64: 1 predictions, time / predicted [0-9.]+"
    ${run} --calls 1 --seed 2 --file ${host_times})
  add_perf_test(host_regret.reads 0 "f32: 1 calls, regret [0-9.]+.*f64: 1 predictions" ${run} --times ${host_times})
  set_tests_properties(perf.host_regret.measures PROPERTIES FIXTURES_SETUP host_times)
  set_tests_properties(perf.host_regret.reads PROPERTIES FIXTURES_REQUIRED host_times)
  add_perf_test(host_regret.backward 0 "f32: 4 predictions.*f64: 4 predictions" ${run} --backward --calls 4)
  add_perf_test(host_regret.no_file 1 "cannot open absent.txt" ${run} --times absent.txt)
  set(run $<TARGET_FILE:tegula_times>)
endif()
if(Kokkos_DEVICES MATCHES "CUDA")
  add_perf_test(times.measures 0 "5 of 5 calls" ${run} --calls 1 --file ${CMAKE_CURRENT_BINARY_DIR}/times.txt)
  add_perf_test(times.measures_result 0 "2 of 2 calls" ${run} --calls 2 --result float --activation silu --saved
    --file ${CMAKE_CURRENT_BINARY_DIR}/times_result.txt)
  add_perf_test(calibrate.is_read 0 "planned for NVIDIA .*/record.txt: measured, Tegula" ${regret_by_record})
else()
  add_perf_test(calibrate.is_read 2 "record.txt is a record of a host" ${regret_by_record})
  add_perf_test(times.needs_cuda 2 "a Kokkos with CUDA is needed" ${run} --file ${CMAKE_CURRENT_BINARY_DIR}/times.txt)
endif()

set_tests_properties(perf.calibrate PROPERTIES FIXTURES_SETUP record RUN_SERIAL ON)
set_tests_properties(perf.calibrate.is_read PROPERTIES FIXTURES_REQUIRED record)

# Times that nobody measured, and a tile that does not exist: whatever the planner chooses for the first call takes
# twice as long as the best way.
set(run $<TARGET_FILE:tegula_regret>)
set(times ${CMAKE_CURRENT_BINARY_DIR}/made_up)
set(ways "simt 64x128x16 1:4 64x128x32 1:4 64x64x32 1:4 32x64x64 1:4 32x32x32 1:4 128x32x16 1:4 \
8x128x64 1:4 128x8x64 1:4 \
| portable 128x128x8 1:4 64x64x16 1:4 32x32x32 1:4")
file(WRITE ${times}/times.txt "gemm f32 NN 999 999 999 fit | ${ways} 1x1x1 1:2\n"
                              "gemm f32 TT 999 999 999 held | ${ways}\n")
file(WRITE ${times}/limits.csv "type,set,geometric_mean,within_1_05,within_1_15,unmeasured\nf32,fit,2,0,0,0\nf32,held,1,1,1,0\n")
file(WRITE ${times}/strict.csv "type,set,geometric_mean,within_1_05,within_1_15,unmeasured\nf32,fit,1.9,0,0,0\nf32,held,1,1,1,0\n")
add_perf_test(regret.made_up 0 "f32 +fit +1 +0 +2.0000 .*f32 +held +1 +0 +1.0000 .*portable 1x1x1/1 2 us.*no longer there: portable 1x1x1 .1."
  ${run} ${times}/times.txt --limits ${times}/limits.csv)
add_perf_test(regret.worth 0 "f32 +portable +all +2 .*f32 +portable +1x1x1 +1 +2.0000 +1 +1 +2.00" ${run} ${times}/times.txt --worth)
add_perf_test(regret.without 0 "f32 +2 +1.0000 +0 +1.00 +1.0000 +0 +1.00" ${run} ${times}/times.txt --without simt,portable:32x32x32)
add_perf_test(regret.without_nothing 2 "no way that was measured is of tall" ${run} ${times}/times.txt --without tall)
add_perf_test(regret.writes_limits 0 "predictions of ways that take up to 1.5 times the best\n.*f32 +simt +64x128x16 +1 "
  ${run} ${times}/times.txt --write-limits ${times}/new_limits.csv --csv ${times}/table.csv)
add_perf_test(regret.keeps_limits 0 "unmeasured" ${run} ${times}/times.txt --limits ${times}/new_limits.csv)
set_tests_properties(perf.regret.writes_limits PROPERTIES FIXTURES_SETUP regret_limits)
set_tests_properties(perf.regret.keeps_limits PROPERTIES FIXTURES_REQUIRED regret_limits)
add_perf_test(regret.is_limited 1 "f32 fit: the geometric mean is 2.0000, the limit is 1.9000"
  ${run} ${times}/times.txt --limits ${times}/strict.csv)
file(WRITE ${times}/h100.txt "# Microseconds\n# NVIDIA H100 80GB HBM3 (132 multiprocessors of at most 1980 MHz)\n"
                             "gemm f32 NN 999 999 999 fit | ${ways}\n")
file(WRITE ${times}/unknown.txt "# NVIDIA TITAN V (80 multiprocessors of at most 1455 MHz)\n"
                                "gemm f32 NN 999 999 999 fit | ${ways}\n")
add_perf_test(regret.of_a_card 0 "planned for H100 .data sheet, not measured., 132 multi.*f32 +fit +1 +0 +1.0000 "
  ${run} ${times}/h100.txt)
add_perf_test(regret.of_a_record 0 "planned for A100 .data sheet, not measured., 132 multi" ${run} ${times}/h100.txt
  --machine A100)
add_perf_test(regret.unknown_record 2 ".A101. is no file that can be read, and none of A100, " ${run} ${times}/h100.txt
  --machine A101)
add_perf_test(regret.unknown_card 1 "there is no record of a NVIDIA TITAN V" ${run} ${times}/unknown.txt)
add_perf_test(regret.two_cards 1 "unknown.txt: these times are of a NVIDIA TITAN V, others are of a NVIDIA H100 80GB"
  ${run} ${times}/h100.txt ${times}/unknown.txt)
add_perf_test(regret.no_file 1 "cannot open .*absent.txt" ${run} absent.txt)
add_perf_test(regret.malformed_file 1 "limits.csv:1: a call ends with" ${run} ${times}/limits.csv)

# What was measured, and the regrets that a change must not worsen: tegula_regret --write-limits writes the table anew.
# Models are fitted to an H200; an H100 is planned for by its data sheet.
foreach(card h200 h100)
  file(GLOB measured ${CMAKE_CURRENT_SOURCE_DIR}/results/${card}/times_*.txt)
  add_perf_test(regret.${card} 0 "f64 +held" ${run} ${measured}
                --limits ${CMAKE_CURRENT_SOURCE_DIR}/results/${card}/regret.csv)
endforeach()

add_perf_test(backward.forward_peer 2 "--peers: onednn .*available: " $<TARGET_FILE:tegula_backward_perf> --peers onednn)

# Each peer that was found, alone and with the others, and each that was not: a wrong result would be an error.
set(peers_gemm kokkoskernels openblas onednn libxsmm cublas cublas_plain cublaslt)
set(peers_backward kokkoskernels openblas cublas cublas_plain cublaslt)
set(Tegula_CUBLAS_PLAIN_FOUND ${Tegula_CUBLAS_FOUND})
set(Tegula_CUBLASLT_FOUND ${Tegula_CUBLAS_FOUND})
set(peer_is_kokkoskernels "peer kokkoskernels: KokkosBlas::gemm.*- kokkoskernels -.*f64.*( -> |own kernel)")
set(peer_is_openblas "peer openblas: OpenBLAS [0-9.]+, core [A-Za-z0-9]+.*openblas.*, threads [0-9]+.*cblas_[sd]gemm -> libopenblas")
set(peer_is_onednn "peer onednn: oneDNN [0-9.]+, .*dnnl.*, threads [0-9]+.*- onednn -.*37x53x29")
set(peer_is_libxsmm "peer libxsmm: libxsmm [0-9.]+.*, target [a-z0-9]+, threads 1.*- libxsmm -.*libxsmm_[sd]mmdispatch")
set(peer_is_cublas "peer cublas: cuBLAS [0-9.]+, .*- cublas -.*cublasGemmEx,64F -> libcublas")
set(peer_is_cublas_plain "peer cublas_plain: cuBLAS [0-9.]+, .*- cublas_plain -.*cublasGemmEx,64F -> libcublas")
set(peer_is_cublaslt "peer cublaslt: cuBLASLt [0-9.]+, .*- cublaslt -.*(cublasLtMatmul,|no algorithm)")
foreach(program gemm backward)
  set(run $<TARGET_FILE:tegula_${program}_perf>)
  set(found "")
  foreach(peer IN LISTS peers_${program})
    string(TOUPPER ${peer} PEER)
    if(NOT Tegula_${PEER}_FOUND)
      add_perf_test(${program}.absent_${peer} 2 "--peers: ${peer} is not part of this build .Debian: [a-z-]+; it needs .*available: "
        ${run} --peers ${peer})
      continue()
    endif()
    list(APPEND found ${peer})
    add_perf_test(${program}.${peer} 0 "${peer_is_${peer}}" ${run} ${quick} --peers ${peer} --types float,double
      --peak-gflops 1,1)
  endforeach()
  if(NOT found)
    continue()
  endif()
  string(JOIN "," all ${found})
  string(JOIN ".*" all_named ${found})
  foreach(activation identity relu leaky_relu tanh sigmoid silu gelu_tanh gelu_erf)
    add_perf_test(${program}.peers.${activation} 0 "${all_named}" ${run} ${quick} --peers ${all} --types float
      --peak-gflops 1 --activation ${activation})
  endforeach()
  # Between them each operand is in the order of C and in the other one, both as it is and transposed.
  foreach(layout right,left,right left,right,right right,right,left left,left,left)
    foreach(ops NT TN)
      string(SUBSTRING ${ops} 0 1 op_a)
      string(SUBSTRING ${ops} 1 1 op_b)
      add_perf_test(${program}.peers.${layout}.${ops} 0 "${all_named}" ${run} ${quick} --peers ${all} --types float,double
        --peak-gflops 1,1 --layout ${layout} --op-a ${op_a} --op-b ${op_b})
    endforeach()
  endforeach()
  set(json ${CMAKE_CURRENT_BINARY_DIR}/${program}_peers.json)
  set(json_peers ${found})
  add_perf_test(${program}.peers.json 0 "${all_named}" ${run} --m 64 --n 48 --k 32 --types half --repetitions 2
    --min-time 0.001 --bandwidth-gbs 10 --peak-gflops 1 --json ${json})
  unset(json_peers)
  unset(json)
endforeach()

# Products alone, with alpha and beta, in every layout of C; each peer's result is checked after one call.
set(run $<TARGET_FILE:tegula_gemm_perf>)
set(no_epilogue ${run} ${quick} --epilogue none --types float,double --peak-gflops 1,1)
foreach(scaling "1;0" "0.5;0" "1;1" "-2;-0.25")
  list(GET scaling 0 alpha)
  list(GET scaling 1 beta)
  foreach(layout right left)
    add_perf_test(gemm.epilogue_none.${alpha}.${beta}.${layout} 0 "37x53x29 +f32.*37x53x29 +f64"
      ${no_epilogue} --alpha ${alpha} --beta ${beta} --layout ${layout})
  endforeach()
endforeach()
add_perf_test(gemm.beta_with_bias 0 "37x53x29 +f32.*37x53x29 +f64" ${run} ${quick} --types float,double
  --peak-gflops 1,1 --alpha 0.5 --beta 0.25 --activation tanh)
add_perf_test(gemm.activation_without_epilogue 2 "--epilogue none leaves no place for --activation" ${run}
  --epilogue none --activation relu)
foreach(activation relu gelu_tanh)  # of which one needs its argument for the backward pass
  add_perf_test(gemm.saved.${activation} 0 "37x53x29 +f32.*37x53x29 +f64" ${run} ${quick} --types float,double
    --peak-gflops 1,1 --saved --activation ${activation})
endforeach()
add_perf_test(gemm.saved_without_epilogue 2 "--epilogue none leaves no place for --saved" ${run} --epilogue none --saved)
add_perf_test(gemm.beta_above_one 2 "--beta" ${run} --beta 1.5)
add_perf_test(gemm.unknown_epilogue 2 "--epilogue" ${run} --epilogue relu)
add_perf_test(backward.below 0 "float/RLL/TT/tanh/below relu.*37x53x29 +f32 +RLL +TT" $<TARGET_FILE:tegula_backward_perf> ${quick}
  --types float --peak-gflops 10 --layout right,left,left --op-a T --op-b T --activation tanh --below relu)
add_perf_test(backward.gradients_below 0 "37x53x29 +(bf16|f32 .bhalf.)>f32 +RLL" $<TARGET_FILE:tegula_backward_perf> ${quick}
  --types bhalf --peak-gflops 10 --layout right,left,left --below relu --gradients float)
add_perf_test(backward.no_result 2 "--result" $<TARGET_FILE:tegula_backward_perf> --types bhalf --result float)
add_perf_test(gemm.no_gradients 2 "--gradients" $<TARGET_FILE:tegula_gemm_perf> --types bhalf --gradients float)
add_perf_test(gemm.result_without_epilogue 0 "37x53x29 +(bf16|f32 .bhalf.)>f32 " $<TARGET_FILE:tegula_gemm_perf> ${quick}
  --types bhalf --peak-gflops 1 --result float --epilogue none --alpha 0.5 --beta 0.25)
add_perf_test(gemm.below 2 "--below" $<TARGET_FILE:tegula_gemm_perf> --below relu)
add_perf_test(backward.no_epilogue 2 "--epilogue" $<TARGET_FILE:tegula_backward_perf> --epilogue none)

# Shapes drawn at random, small ones.
foreach(program gemm backward)
  set(run $<TARGET_FILE:tegula_${program}_perf>)
  if(found)
    list(GET found 0 first_peer)
    set(json ${CMAKE_CURRENT_BINARY_DIR}/${program}_random.json)
    set(json_distribution ${first_peer})
    add_perf_test(${program}.random 0 "random-0002-72x72x1640.*f32.* ${first_peer}: 1 shapes .0 excluded., geometric mean [0-9.]+, 10th percentile"
      ${run} --random 2 --types float --peak-gflops 1 --bandwidth-gbs 10 --repetitions 2 --min-time 0.001
      --peers ${first_peer} --json ${json} --benchmark_filter=random-0002)
    unset(json_distribution)
    unset(json)
  endif()
  add_perf_test(${program}.random_and_shapes 2 "--random" ${run} --random 2 --shapes mlp.csv)
  add_perf_test(${program}.random_same_seed 0 "random-0001-244x1390x12366" ${run} --random 1 --types float
    --peak-gflops 1 --bandwidth-gbs 1 --benchmark_list_tests)
endforeach()

# A peer that fails takes neither Tegula nor the other peers with it; Tegula takes the row with it. The peers are those
# of the last program.
set(fails_not_ready "it cannot be made ready")
set(fails_first_call "it breaks")
set(fails_later_call "it breaks")
set(fails_wrong "it is wrong")
foreach(row not_ready first_call later_call wrong tegula)
  if(NOT found)
    break()
  endif()
  set(shapes ${CMAKE_CURRENT_BINARY_DIR}/${row}.csv)
  file(WRITE ${shapes} "name,m,n,k,source\n${row},1,1,1,here\n")
  set(run $<TARGET_FILE:tegula_failing_perf> --shapes ${shapes} --types float --peak-gflops 1 --bandwidth-gbs 10
          --repetitions 2 --min-time 0.001 --peers ${all})
  if(row STREQUAL "tegula")
    add_perf_test(failing.tegula 1 "1x1x1 .* ERROR.*error: [^ ]*: it is wrong" ${run})
    continue()
  endif()
  set(json_peers ${found})
  list(POP_FRONT json_peers failing)
  set(figures "")
  if(json_peers)
    set(figures " +[0-9.]+ +[0-9.]+ ")
  endif()
  set(json ${CMAKE_CURRENT_BINARY_DIR}/${row}.json)
  set(json_failed ${failing} "${fails_${row}}")
  add_perf_test(failing.${row} 1 "1x1x1 .* FAILED +FAILED${figures}.*error: [^ ]*: ${failing}: ${fails_${row}}"
    ${run} --json ${json})
  unset(json_failed)
  unset(json_peers)
  unset(json)
endforeach()

# Every list of shapes can be read.
foreach(shapes mlp transformer surrogates cubes small gemv gpu gpu-backward kept kokkos-kernels node simulation
        deepbench-training deepbench-training-ta deepbench-training-tb deepbench-server deepbench-device
        transformer-training transformer-grad-inputs transformer-grad-weights surrogates-climate potentials
        tall-skinny tall-skinny-inner trailing trailing-cholesky primes epilogues)
  add_perf_test(shapes.${shapes} 0 "tegula_gemm_perf/" $<TARGET_FILE:tegula_gemm_perf> --shapes ${shapes}.csv
                --benchmark_list_tests --types float --peak-gflops 1 --bandwidth-gbs 1)
endforeach()

add_test(NAME perf.tuning_writers COMMAND tegula_tuning_writers)

# Tuning: written, gone on with, recorded by an application and tuned, interrupted, refused.
set(tune $<TARGET_FILE:tegula_tune>)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/tuning)
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})
set(tuning ${folder}/tuning.json)
set(quick_tune ${tune} --m 37 --n 53 --k 29 --call-seconds 0.1)
add_perf_test(tune.writes 0 "tuning 4 calls on .*4 of 4: gemm_backward 37x53x29 f64 relu: [0-9.]+ us by .* of the time of .*4 calls were tuned, 0 were in"
  ${quick_tune} --types float,double --directions forward,backward --epilogues relu --output ${tuning})
add_perf_test(tune.goes_on 0 "1 calls were tuned, 1 were in" ${quick_tune} --epilogues relu,tanh --output ${tuning})
add_test(NAME perf.tune.begins COMMAND ${CMAKE_COMMAND} -E rm -f ${tuning} ${folder}/budget.json ${folder}/interrupted.json)
set_tests_properties(perf.tune.begins PROPERTIES FIXTURES_SETUP no_tuning)
set_tests_properties(perf.tune.writes PROPERTIES FIXTURES_REQUIRED no_tuning FIXTURES_SETUP tuned)
set_tests_properties(perf.tune.goes_on PROPERTIES FIXTURES_REQUIRED tuned FIXTURES_SETUP tuned_more)
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_perf_test(tune.is_json 0 "\"tegula_tuning\": 1" ${Python3_EXECUTABLE} -m json.tool ${tuning})
  set_tests_properties(perf.tune.is_json PROPERTIES FIXTURES_REQUIRED "tuned;tuned_more")
endif()
add_perf_test(tune.is_used 0 "37x53x29 +f32" ${CMAKE_COMMAND} -E env TEGULA_TUNING=${tuning}
  $<TARGET_FILE:tegula_gemm_perf> ${quick} --types float --peak-gflops 1 --no-peer)
set_tests_properties(perf.tune.is_used PROPERTIES FIXTURES_REQUIRED "tuned;tuned_more"
                     FAIL_REGULAR_EXPRESSION "Tegula: warning")
set(recorded ${folder}/calls.txt)
add_perf_test(tune.records 0 "37x53x29 +f32" ${CMAKE_COMMAND} -E env TEGULA_RECORD=${recorded}
  $<TARGET_FILE:tegula_gemm_perf> ${quick} --types float --peak-gflops 1 --no-peer --layout left,right,right --op-a T)
add_perf_test(tune.takes_what_was_recorded 0 "gemm 37x53x29 f32 relu: .*[1-9][0-9]* calls were tuned" ${tune} --calls ${recorded}
  --call-seconds 0.1 --again --output ${folder}/recorded.json)
set_tests_properties(perf.tune.records PROPERTIES FIXTURES_SETUP recorded_calls)
set_tests_properties(perf.tune.takes_what_was_recorded PROPERTIES FIXTURES_REQUIRED recorded_calls)
add_perf_test(tune.lists 0 "\"function\": \"gemm\", \"m\": 37.* us predicted: " ${quick_tune} --list)
add_perf_test(tune.ends_with_its_budget 0 "1 calls were tuned, 0 were in .*, 1 were not begun" ${quick_tune} --types float,double
  --budget 1e-9 --output ${folder}/budget.json)
set_tests_properties(perf.tune.ends_with_its_budget PROPERTIES FIXTURES_REQUIRED no_tuning)
add_perf_test(tune.no_calls 2 "one of --shapes, --calls and --m is needed" ${tune} --output ${folder}/none.json)
add_perf_test(tune.part 0 "tuning 1 calls .*1 of 1: gemm 37x53x29 f64 identity: " ${quick_tune} --types float,double --part 2/2
  --again --output ${folder}/part.json)
add_perf_test(tune.malformed_part 2 "--part is \"3/2\", not such as 2/8" ${quick_tune} --part 3/2 --output ${folder}/part.json)
add_perf_test(tune.devices 0 "tuning 1 calls .*1 calls were tuned.*1 calls were tuned" ${quick_tune} --types float,double
  --again --devices 0,1 --output ${folder}/devices.json)
add_perf_test(tune.failing_devices 1 "device 0: ended with exit code 1.*device 1: ended with exit code 1" ${quick_tune}
  --types float,double --devices 0,1 --output ${folder}/absent/devices.json)
add_perf_test(tune.devices_and_part 2 "--part contradicts it" ${quick_tune} --devices 0,1 --part 1/2 --output ${folder}/none.json)
add_perf_test(tune.part_by_launcher 0 "tuning 1 calls .*1 of 1: gemm 37x53x29 f64 identity: " ${CMAKE_COMMAND} -E env
  OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 ${quick_tune} --types float,double --part launcher --again
  --output ${folder}/launched.json)
add_perf_test(tune.no_launcher 2 "--part launcher: neither mpirun nor srun nor flux" ${CMAKE_COMMAND} -E env
  --unset=OMPI_COMM_WORLD_RANK --unset=PMI_RANK --unset=SLURM_PROCID ${quick_tune} --part launcher --output ${folder}/none.json)
add_perf_test(tune.no_output 2 "--output is missing" ${quick_tune})
add_perf_test(tune.unknown_epilogue 105 "--epilogues: relo not in" ${quick_tune} --epilogues relo --output ${folder}/none.json)
add_perf_test(tune.malformed_csv 1 "malformed.csv:3: n is \"x\"" ${tune} --shapes ${CMAKE_CURRENT_BINARY_DIR}/malformed.csv
  --output ${folder}/none.json)
file(WRITE ${folder}/malformed.txt "\n{\"device\": {\"name\": 5}}\n")
add_perf_test(tune.malformed_calls 2 "malformed.txt:2: name is 5, not a text" ${tune} --calls ${folder}/malformed.txt
  --output ${folder}/none.json)
file(WRITE ${folder}/malformed.json "{\"tegula_tuning\": 1, \"entries\": [\n{\"device\": 5}]}\n")
add_perf_test(tune.malformed_output 2 "malformed.json:2: the value is 5, not an object" ${quick_tune} --output ${folder}/malformed.json)
add_perf_test(tune.unwritable_output 1 "cannot open .*absent/tuning.json" ${quick_tune} --output ${folder}/absent/tuning.json)
find_program(SHELL_PROGRAM sh)
if(SHELL_PROGRAM)
  # Shapes that take long enough to be interrupted; what was finished is kept, and no other file. The signal comes twice
  # within a moment, as timeout and mpirun send it.
  set(interrupt "\"$@\" & sleep 4 && kill -INT $! && (sleep 0.1 && kill -INT $! || true) && wait $!")
  add_perf_test(tune.is_interrupted 130 "calls were tuned, 0 were in .* were not begun" ${SHELL_PROGRAM} -c ${interrupt} sh
    ${tune} --shapes transformer.csv --types float,double --output ${folder}/interrupted.json)
  set_tests_properties(perf.tune.is_interrupted PROPERTIES FIXTURES_REQUIRED no_tuning)
endif()
add_test(NAME perf.units COMMAND tegula_perf_units --gtest_filter=-PassSpeed*)
if(Kokkos_DEVICES MATCHES "CUDA")
  add_test(NAME perf.passes COMMAND tegula_perf_units --gtest_filter=PassSpeed*)
endif()
