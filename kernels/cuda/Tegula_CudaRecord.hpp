// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_RECORD_HPP
#define TEGULA_CUDA_RECORD_HPP

#include <string>

#include "Tegula_CudaRates.hpp"
#include "Tegula_RecordFile.hpp"

/// Records of GPUs of NVIDIA as files.

namespace Tegula::Impl {

std::string text(const CudaRates& rates);

/// The record in a file. Its source begins with the file's name. Throws std::invalid_argument, as RecordFile does.
CudaRates cuda_record(RecordFile& record, const std::string& file);

}  // namespace Tegula::Impl

#endif
