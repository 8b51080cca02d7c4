// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TUNE_DEVICES_HPP
#define TEGULA_TUNE_DEVICES_HPP

#include <optional>

namespace Tegula::Perf {

/// If the command line names --devices: runs the program once for each device, with a part of the calls and without
/// that option, and returns the exit code of all: 0; 130 after an interrupt; else 1, and who failed is said. Kokkos
/// must not have been initialised. Nothing without --devices. Throws std::invalid_argument.
std::optional<int> run_on_devices(int argc, char** argv);

}  // namespace Tegula::Perf

#endif
