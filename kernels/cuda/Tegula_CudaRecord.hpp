// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_RECORD_HPP
#define TEGULA_CUDA_RECORD_HPP

#include <istream>
#include <string>
#include <string_view>

#include "Tegula_CudaRates.hpp"

/// Records of GPUs as files, which tegula_calibrate writes and planners read: lines "key = value", the first of which
/// names the version of the format; # begins a comment. Every key is there once, in any order.
///
///   tegula_machine = 1
///   name = NVIDIA H200
///   clock_hz = 1.98e+09  # ...

namespace Tegula::Impl {

/// The file of a record. Numbers have six digits.
std::string text(const CudaRates& rates);

/// The record in a file. Its source begins with the file's name. Throws std::invalid_argument, which names the file,
/// the line and what is there: a line that is not "key = value"; a key that is unknown, missing, or there twice; a
/// number that is none or out of range; another version.
CudaRates read_cuda_record(std::istream& lines, const std::string& file);

/// The library's record of this name, or that of the file of this name; the latter is read every time. Throws
/// std::invalid_argument if there is neither, or as above.
CudaRates cuda_record(const std::string& name_or_file);

/// The record that plans for a device are made by: the one that use_machine or TEGULA_MACHINE asked for
/// (core/Tegula_Machine.hpp), or the library's for this device, as cuda_rates says. It lives until the program ends.
/// Throws std::invalid_argument if what is asked for cannot be read, or is of another compute capability.
const CudaRates& cuda_rates_in_use(int capability, std::string_view device);

}  // namespace Tegula::Impl

#endif
