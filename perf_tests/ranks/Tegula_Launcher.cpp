// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Launcher.hpp"

#include <array>
#include <cstdlib>
#include <string>

namespace Tegula::Perf {
namespace {

struct Launcher {
  const char *rank, *ranks;  // variables
};
constexpr std::array launchers{Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                               Launcher{"PMI_RANK", "PMI_SIZE"}, Launcher{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

/// A number that is not negative.
std::optional<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  char* end          = nullptr;
  const long number  = std::strtol(text, &end, 10);
  const bool is_read = end != text && *end == '\0' && number >= 0;
  return is_read ? std::optional<int>(static_cast<int>(number)) : std::nullopt;
}

}  // namespace

std::optional<PlaceAmongRanks> place_by_launcher() {
  for (const Launcher& launcher : launchers) {
    const auto rank = number_in(launcher.rank), ranks = number_in(launcher.ranks);
    if (rank && ranks && *rank < *ranks) return PlaceAmongRanks{*rank, *ranks};
  }
  return std::nullopt;
}

}  // namespace Tegula::Perf
