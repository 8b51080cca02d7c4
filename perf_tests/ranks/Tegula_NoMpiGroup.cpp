// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the place of Tegula_MpiGroup.cpp where CMake finds no MPI.

#include <stdexcept>

#include "Tegula_RankGroup.hpp"

namespace Tegula::Perf {

void check_that_there_is_mpi() {
  throw std::invalid_argument("--mpi: MPI is not part of this build (Debian: libopenmpi-dev); --devices needs none");
}

std::unique_ptr<RankGroup> mpi_group() {
  check_that_there_is_mpi();
  return nullptr;
}

}  // namespace Tegula::Perf
