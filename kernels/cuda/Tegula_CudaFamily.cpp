// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaFamily.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace Tegula::Impl {

extern const CudaFamily direct_family, direct_gradients_family, fp32_split_family, tf32_family, tf32x3_family,
    wgmma_family, wgmma_pair_family, stream_family, tall_family, gemv_family, panel_family, outer_family,
    outer_mma_family, mma_family, narrow_family, narrow_gradients_family, shallow_family, simt_family,
    portable_cuda_family, portable_cuda_gradients_family;

std::span<const CudaFamily* const> cuda_families() {
  static constexpr std::array table{&direct_family,
                                    &direct_gradients_family,
                                    &fp32_split_family,
                                    &tf32_family,
                                    &tf32x3_family,
                                    &wgmma_family,
                                    &wgmma_pair_family,
                                    &stream_family,
                                    &tall_family,
                                    &gemv_family,
                                    &panel_family,
                                    &outer_family,
                                    &outer_mma_family,
                                    &narrow_family,
                                    &narrow_gradients_family,
                                    &mma_family,
                                    &shallow_family,
                                    &simt_family,
                                    &portable_cuda_family,
                                    &portable_cuda_gradients_family};
  return table;
}

const CudaFamily& family_of(const ProductPlan& product, bool is_alone) {
  for (const CudaFamily* family : cuda_families())
    if (family->name == product.family && (family->covers == Covers::product) == is_alone) return *family;
  throw std::logic_error("Tegula: no family is called " + std::string(product.family));
}

const char* refusal_of(const CudaFamily& family, const Calls& calls, const CudaMachine& machine,
                       const PlanOptions& options) {
  if (machine.is_at_hand && family.launch == nullptr) return no_cuda_kernels;
  if (!std::all_of(calls.begin(), calls.end(), family.takes_types)) return family.types;
  const bool has_below =
      std::any_of(calls.begin(), calls.end(), [](const Call& call) { return call.below.has_value(); });
  if (has_below && family.below == BelowBy::pass) return "its kernels do not multiply by act' of a layer below";
  if (options.whole_waves > 0 && !family.leaves_waves_whole) return "it cuts the sums of all tiles, or of none";
  return family.refusal(calls, machine, options);
}

}  // namespace Tegula::Impl
