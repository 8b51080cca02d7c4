// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TALL_PRODUCTS_CUH
#define TEGULA_TALL_PRODUCTS_CUH

#include "Tegula_TallArguments.hpp"
#include "Tegula_TallLayout.hpp"

namespace Tegula::Impl {

/// What a warp multiplies: tiles of dZ by B^T, which are rows of dA, stored in runs or put into scratch; and tiles of
/// dZ^T by tiles of A, whose sums, dB^T, stay in registers.
template <class T, class Config, Major major>
class TallProducts;

}  // namespace Tegula::Impl

#endif
