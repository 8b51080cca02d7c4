#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures every GPU of some nodes, one rank a GPU, and says which cards are slow. Submit it where the programs are:
#
#   flux batch -N 2 ranks.flux 4 ./tegula_gemm_perf --types bhalf --shapes node.csv
#
# 4: GPUs of a node. The job ends with the exit code of the program, which --help of the program explains.
# flux: --job-name=tegula
# flux: --output=tegula-{{id}}.txt
# flux: --time-limit=10m
# flux: --exclusive

gpus=$1
shift
nodes=$(flux resource list -s free -no '{nnodes}')
exec flux run --nodes="$nodes" --tasks-per-node="$gpus" --gpus-per-task=1 -o gpu-affinity=per-task \
  "$@" --mpi --fail-if-slower 5 --json "tegula-$(flux getattr jobid).json"
