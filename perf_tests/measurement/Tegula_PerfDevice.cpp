// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfDevice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>

#include "Tegula_PerfNvml.hpp"

namespace Tegula::Perf {
namespace {

/// The rest of the first line of a file that contains the word, from the word on; empty if there is none.
[[maybe_unused]] std::string line_from(const char* file, std::string_view word) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(word);
    if (at != std::string::npos) return line.substr(at);
  }
  return "";
}

#ifdef KOKKOS_ENABLE_CUDA

int attribute(cudaDeviceAttr what) {
  int value = 0;
  cudaDeviceGetAttribute(&value, what, Kokkos::Cuda().cuda_device());
  return value;
}

/// "13.0" of 13000
std::string cuda_version(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

/// "580.95.05", from the kernel's own file.
std::string driver_version() {
  std::istringstream words(line_from("/proc/driver/nvidia/version", "Module"));
  std::string version;
  words >> version;
  if (version != "Module") return unreadable;
  for (version.clear(); words >> version;)
    if (version.find_first_not_of("0123456789.") == std::string::npos) return version;
  return unreadable;
}

#endif

}  // namespace

#ifdef KOKKOS_ENABLE_CUDA

int operand_sets(double bytes) {
  constexpr double passes = 3, at_most = 256;
  const double needed = std::ceil(passes * attribute(cudaDevAttrL2CacheSize) / bytes);
  return static_cast<int>(std::clamp(needed, 1.0, at_most));
}

std::string device_name() {
  std::ostringstream text;
  text << Kokkos::Cuda().cuda_device_prop().name << " (" << attribute(cudaDevAttrMultiProcessorCount)
       << " multiprocessors of at most " << attribute(cudaDevAttrClockRate) / 1000 << " MHz, memory "
       << attribute(cudaDevAttrMemoryClockRate) / 1000 << " MHz, L2 " << (attribute(cudaDevAttrL2CacheSize) >> 20)
       << " MiB)";
  return text.str();
}

std::string pci_bus_id() {
  std::array<char, 32> text{};
  cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), Kokkos::Cuda().cuda_device());
  return text.data();
}

int visible_devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

std::vector<DeviceFact> lasting_device_facts() {
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  return {{"driver", driver_version()},
          {"cuda_driver", cuda_version(driver)},
          {"cuda_runtime", cuda_version(runtime)},
          {"cuda_toolkit", cuda_version(CUDART_VERSION)},
          {"power_limit_w", gpu_state(pci_bus_id()).power_limit_w}};
}

std::vector<DeviceFact> momentary_device_facts() {
  const GpuState state = gpu_state(pci_bus_id());
  return {{"temperature_c", state.temperature_c},
          {"sm_clock_mhz", state.sm_clock_mhz},
          {"memory_clock_mhz", state.memory_clock_mhz},
          {"power_w", state.power_w}};
}

#else

int operand_sets(double) { return 1; }

std::string device_name() {
  const std::string line = line_from("/proc/cpuinfo", "model name");
  return line.empty() ? "unknown processor" : line.substr(line.find(':') + 2);
}

std::string pci_bus_id() { return ""; }

int visible_devices() { return 0; }

std::vector<DeviceFact> lasting_device_facts() {
  const std::string governor = line_from("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "");
  return {{"governor", governor.empty() ? unreadable : governor}};
}

std::vector<DeviceFact> momentary_device_facts() { return {}; }

#endif

}  // namespace Tegula::Perf
