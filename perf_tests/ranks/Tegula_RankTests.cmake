# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests of ranks: on a host each is a process, so that no GPU is needed. One of them slows down, lies or dies. Where
# Kokkos has CUDA the ranks of a test may share a card.

set(folder ${CMAKE_CURRENT_BINARY_DIR}/ranks)
file(MAKE_DIRECTORY ${folder})
set(quick_ranks --types float --peak-gflops 1 --bandwidth-gbs 10 --repetitions 2 --min-time 0.02)
set(two_ranks --devices 0,1)
if(Kokkos_DEVICES MATCHES "CUDA")
  set(two_ranks --devices all)
  list(APPEND quick_ranks --gpu-mode rested --timer wall)
endif()

foreach(program gemm backward)
  set(run $<TARGET_FILE:tegula_${program}_perf>)
  add_perf_test(${program}.ranks 0 "[0-9]+ ranks: rank 0 .* alone .* together .*least +median +most.*37x53x29 .* tegula +[0-9.]+ .*time of Tegula"
    ${run} ${quick_ranks} --m 37 --n 53 --k 29 --no-peer ${two_ranks} --json ${folder}/${program}.json)
endforeach()
set_tests_properties(perf.gemm.ranks PROPERTIES FIXTURES_SETUP ranks_json)
set(run $<TARGET_FILE:tegula_gemm_perf>)
add_perf_test(ranks.phase 0 "--------  together  --------\n.*37x53x29 .*together [0-9.]+" ${run} ${quick_ranks} --m 37 --n 53 --k 29 --no-peer
  ${two_ranks} --phases together)
add_perf_test(ranks.unwritable 2 "--json: cannot write" ${run} ${two_ranks} --json ${folder}/absent/ranks.json)
add_perf_test(ranks.no_device 2 "--devices: .x. is no number of a device" ${run} --devices 0,x)
add_perf_test(ranks.device_twice 2 "--devices names a device twice" ${run} --devices 1,1)
add_perf_test(ranks.two_ways 2 "--mpi" ${run} --devices 0 --mpi)
add_perf_test(ranks.unknown_phase 2 "--phases" ${run} --devices 0 --phases apart)
add_perf_test(ranks.phase_twice 2 "--phases names a phase twice" ${run} --devices 0 --phases alone,alone)
add_perf_test(ranks.phases_of_one 2 "--phases needs --devices or --mpi" ${run} --phases alone)
add_perf_test(ranks.filter 2 "--benchmark_filter=x does not go with --devices or --mpi" ${run} --devices 0 --benchmark_filter=x)
add_perf_test(ranks.device_by_kokkos 2 "--kokkos-device-id=1 contradicts --devices" ${run} --devices 0 --kokkos-device-id=1)
add_perf_test(ranks.without_mpi 2 "this is rank 1 of 2: --mpi is missing" ${CMAKE_COMMAND} -E env OMPI_COMM_WORLD_RANK=1
  OMPI_COMM_WORLD_SIZE=2 ${run} --no-peer)
add_perf_test(ranks.help 0 "alone +the cards of a node.*Exit codes: 0, all is well" ${run} --help)
if(NOT Kokkos_DEVICES MATCHES "CUDA")
  add_perf_test(ranks.all_of_a_host 2 "--devices all needs a build for a GPU" ${run} --devices all)
endif()

# What befalls rank 1 in the second of three rows; the others have figures of all three.
set(figures "tegula +[0-9.]+ .*")
set(fate_exits 1 "failed: rank 1 .*: ended with exit code 7 in row exits@1 f32, before it was timed")
set(fate_aborts 1 "failed: rank 1 .*: killed by signal 6 .Aborted. in row aborts@1 f32, alone")
set(fate_is_killed 1 "failed: rank 1 .*: killed by signal 9 .Killed. in row is_killed@1 f32, alone")
set(fate_hangs 1 "failed: rank 1 .*: was silent for 15 s, and was killed in row hangs@1 f32, alone")
set(fate_throws 1 "rank 1 .*slow in [0-9] of 2 rows.*error: rank 1 .*, throws@1 f32, alone: it breaks")
set(fate_tegula 1 "rank 1 .*slow in [0-9] of 2 rows.*error: rank 1 .*, tegula@1 f32, alone: it is wrong")
set(fate_is_slow 0 "rank 1 [^:]*: alone [0-9.]+ .slow in [1-3] of 3 rows")
if(Kokkos_DEVICES MATCHES "CUDA")
  return()  # the devices at hand may be too few
endif()
set(run_failing $<TARGET_FILE:tegula_failing_perf> ${quick_ranks} --no-peer --patience 15)
set(fates exits aborts is_killed hangs throws tegula is_slow)
foreach(fate IN LISTS fates)
  list(POP_FRONT fate_${fate} exit_code)
  file(WRITE ${folder}/${fate}.csv "name,m,n,k,source\nfine 1,1,1,1,here\n${fate}@1,1,1,1,here\nfine 2,1,1,1,here\n")
  add_perf_test(ranks.${fate} ${exit_code} "fine 1 .*${figures}${fate}@1 .*${figures}fine 2 .*${figures}.*${fate_${fate}}"
    ${run_failing} --shapes ${folder}/${fate}.csv --devices 0,1,2 --json ${folder}/${fate}.json)
endforeach()
file(WRITE ${folder}/slow.csv "name,m,n,k,source\nis_slow@1,1,1,1,here\n")
add_perf_test(ranks.slow_card 3 "slow card: rank 1 " ${run_failing} --shapes ${folder}/slow.csv --devices 0,1,2
  --fail-if-slower 100)

# The same by MPI. A container has no room for as many ranks as cores, and is root's.
if(NOT MPI_CXX_FOUND)
  add_perf_test(ranks.no_mpi 2 "--mpi: MPI is not part of this build" ${run} --mpi --no-peer)
  return()
endif()
set(mpi_run ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG})
add_perf_test(mpi.ranks 0 "2 ranks: rank 0 .*, rank 1 .*37x53x29 .*${figures}time of Tegula" ${mpi_run} 2 ${run} ${quick_ranks} --m 37
  --n 53 --k 29 --no-peer --mpi --kokkos-map-device-id-by=mpi_rank --json ${folder}/mpi.json)
foreach(fate exits is_killed tegula is_slow)
  list(GET fate_${fate} 0 words)
  set(exit_code 1)
  if(fate STREQUAL "is_slow")
    set(exit_code 0)
  endif()
  add_perf_test(mpi.${fate} ${exit_code} "fine 1 .*${figures}${fate}@1 .*${figures}fine 2 .*${figures}.*${words}"
    ${mpi_run} 3 ${run_failing} --shapes ${folder}/${fate}.csv --mpi)
  list(APPEND mpi_tests perf.mpi.${fate})
endforeach()
add_perf_test(mpi.slow_card 3 "slow card: rank 1 " ${mpi_run} 3 ${run_failing} --shapes ${folder}/slow.csv --mpi
  --fail-if-slower 100)
# Open MPI's own leaks are not ours.
set_tests_properties(perf.mpi.ranks perf.mpi.slow_card ${mpi_tests} PROPERTIES ENVIRONMENT
  "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;ASAN_OPTIONS=detect_leaks=0")
