// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_NVML_HPP
#define TEGULA_PERF_NVML_HPP

#include <string>

namespace Tegula::Perf {

/// What is written where a figure cannot be read.
inline constexpr const char* unreadable = "unreadable";

/// What a GPU of NVIDIA says of itself now, in numbers as text; unreadable where its management library is missing, or
/// does not tell.
struct GpuState {
  std::string power_limit_w = unreadable, power_w = unreadable, temperature_c = unreadable, sm_clock_mhz = unreadable,
              memory_clock_mhz = unreadable;
};

/// Of the GPU at that place of the PCI bus, "0000:1b:00.0". The library is loaded when this is called; nothing is
/// linked.
GpuState gpu_state(const std::string& pci_bus_id);

}  // namespace Tegula::Perf

#endif
