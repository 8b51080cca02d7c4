// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfDevice.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>

namespace Tegula::Perf {
namespace {

/// The rest of the first line of the file that has the word, from the word on; empty if there is none.
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

/// "580.95.05", which only the kernel's own file has without another library.
std::string driver_version() {
  std::istringstream words(line_from("/proc/driver/nvidia/version", "Module"));
  std::string version;
  words >> version;
  if (version != "Module") return "unknown";
  for (version.clear(); words >> version;)
    if (version.find_first_not_of("0123456789.") == std::string::npos) return version;
  return "unknown";
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
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  std::ostringstream text;
  text << Kokkos::Cuda().cuda_device_prop().name << " (" << attribute(cudaDevAttrMultiProcessorCount)
       << " multiprocessors of at most " << attribute(cudaDevAttrClockRate) / 1000 << " MHz, memory "
       << attribute(cudaDevAttrMemoryClockRate) / 1000 << " MHz, L2 " << (attribute(cudaDevAttrL2CacheSize) >> 20)
       << " MiB, driver " << driver_version() << " for CUDA " << cuda_version(driver) << ", CUDA "
       << cuda_version(runtime) << ')';
  return text.str();
}

#else

int operand_sets(double) { return 1; }

std::string device_name() {
  const std::string line = line_from("/proc/cpuinfo", "model name");
  return line.empty() ? "unknown processor" : line.substr(line.find(':') + 2);
}

#endif

}  // namespace Tegula::Perf
