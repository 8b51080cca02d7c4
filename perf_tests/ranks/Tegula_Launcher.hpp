// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LAUNCHER_HPP
#define TEGULA_LAUNCHER_HPP

#include <optional>

namespace Tegula::Perf {

struct PlaceAmongRanks {
  int rank, ranks;
};

/// What the launcher that started this process says in its environment: Open MPI's mpirun; MPICH's, Intel's and Flux,
/// by PMI; Slurm's srun. Nothing if none did.
std::optional<PlaceAmongRanks> place_by_launcher();

}  // namespace Tegula::Perf

#endif
