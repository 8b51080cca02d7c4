// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_DEVICE_HPP
#define TEGULA_PERF_DEVICE_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

/// What the programs must know of the device they run on, if it is one.

namespace Tegula::Perf {

using ExecutionSpace = Kokkos::DefaultExecutionSpace;

inline constexpr bool runs_on_host = std::is_same_v<ExecutionSpace::memory_space, Kokkos::HostSpace>;

/// Whether the execution space has events that take the time on the device.
#ifdef KOKKOS_ENABLE_CUDA
inline constexpr bool has_events = std::is_same_v<ExecutionSpace, Kokkos::Cuda>;
#else
inline constexpr bool has_events = false;
#endif

/// How many sets of operands a case of so many bytes rotates through: so many that three times the second cache is
/// passed before a set comes again, but no more than 256. One on a host, where the data is meant to stay warm.
int operand_sets(double bytes);

/// The processor's name; of a GPU also what bears on its speed.
std::string device_name();

/// The place of a GPU on the PCI bus, "0000:1b:00.0"; empty for a host.
std::string pci_bus_id();

/// How many devices Kokkos may choose from; none on a host. Kokkos need not have been initialised.
int visible_devices();

/// A fact of a device, which the JSON file has under the key.
struct DeviceFact {
  std::string key, text;
};

/// What stays as it is while the program runs: of a GPU versions of driver and CUDA, and its power limit; of a host
/// what governs its clocks.
std::vector<DeviceFact> lasting_device_facts();

/// Clocks, temperature and power of a GPU now; nothing of a host.
std::vector<DeviceFact> momentary_device_facts();

}  // namespace Tegula::Perf

#endif
