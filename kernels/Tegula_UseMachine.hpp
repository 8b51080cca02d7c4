// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_USE_MACHINE_HPP
#define TEGULA_USE_MACHINE_HPP

#include <string>
#include <string_view>
#include <variant>

#include "cuda/Tegula_CudaRates.hpp"
#include "host/Tegula_HostRates.hpp"

/// Which records calls are planned by (core/Tegula_Machine.hpp). Nothing here needs Kokkos.

namespace Tegula::Impl {

using MachineRecord = std::variant<CudaRates, HostRates>;

/// The library's record of a GPU with this name, or the record in the file of this name, which is read every time.
/// Throws std::invalid_argument if there is neither, or a line is wrong.
MachineRecord machine_record(const std::string& name_or_file);

/// The record that plans for a device are made by: the one that use_machine or TEGULA_MACHINE asked for, if it is that
/// of a GPU, or the library's for this device, as cuda_rates says. It lives until the program ends. Throws
/// std::invalid_argument if what is asked for cannot be read, or is of another compute capability.
const CudaRates& cuda_rates_in_use(int capability, std::string_view device);

/// The same for a host and its set of instructions.
const HostRates& host_rates_in_use(Instructions instructions);

}  // namespace Tegula::Impl

#endif
