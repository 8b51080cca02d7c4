// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaFamily.hpp"

#include <array>

namespace Tegula::Impl {
namespace {

constexpr std::array table{&fp32_split_family, &tf32_family,  &wgmma_family, &skinny_family, &tall_family,
                           &gemv_family,       &panel_family, &mma_family,   &simt_family};

}  // namespace

std::span<const CudaFamily* const> cuda_families() { return table; }

const char* refusal_of(const CudaFamily& family, const Call& call, const CudaMachine& machine,
                       const PlanOptions& options) {
  if (family.launch == nullptr) return no_cuda_kernels;
  return family.takes_types(call) ? family.refusal(call, machine, options) : family.types;
}

}  // namespace Tegula::Impl
