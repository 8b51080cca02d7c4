// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfNvml.hpp"

#include <dlfcn.h>

namespace Tegula::Perf {
namespace {

// The part of the interface of libnvidia-ml.so.1 that is used, by its documentation: every function returns 0 on
// success, a device is a pointer.
using Device                = struct NvmlDevice*;
constexpr int sm_clock      = 1;  // nvmlClockType_t
constexpr int memory_clock  = 2;
constexpr int gpu_sensor    = 0;  // nvmlTemperatureSensors_t
constexpr unsigned one_watt = 1000;

/// The library, shut down with the object, but kept loaded.
class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    started_ = library_ != nullptr && call<>("nvmlInit_v2");
  }
  Nvml(const Nvml&)            = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() {
    if (started_) call<>("nvmlShutdown");
  }

  bool started() const { return started_; }

  /// Whether there is such a function, and it succeeded.
  template <class... Arguments>
  bool call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
    return function != nullptr && function(arguments...) == 0;
  }

 private:
  void* library_;
  bool started_;
};

}  // namespace

GpuState gpu_state(const std::string& pci_bus_id) {
  GpuState state;
  const Nvml nvml;
  Device device = nullptr;
  if (!nvml.started() || !nvml.call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device)) return state;
  unsigned value = 0;
  if (nvml.call("nvmlDeviceGetPowerManagementLimit", device, &value))
    state.power_limit_w = std::to_string(value / one_watt);
  if (nvml.call("nvmlDeviceGetPowerUsage", device, &value)) state.power_w = std::to_string(value / one_watt);
  if (nvml.call("nvmlDeviceGetTemperature", device, gpu_sensor, &value)) state.temperature_c = std::to_string(value);
  if (nvml.call("nvmlDeviceGetClockInfo", device, sm_clock, &value)) state.sm_clock_mhz = std::to_string(value);
  if (nvml.call("nvmlDeviceGetClockInfo", device, memory_clock, &value)) state.memory_clock_mhz = std::to_string(value);
  return state;
}

}  // namespace Tegula::Perf
