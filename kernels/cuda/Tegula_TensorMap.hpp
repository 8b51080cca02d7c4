// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TENSOR_MAP_HPP
#define TEGULA_TENSOR_MAP_HPP

#include "Tegula_Plan.hpp"
#include "Tegula_TmaMatrix.hpp"

struct CUtensorMap_st;

/// Tensor maps, which describe a matrix to TMA (compute capability 9.0 and newer). This is host code and needs no CUDA
/// header.

namespace Tegula::Impl {

/// Element types for TMA: 16 bits, floats or doubles, which it copies, or floats, which it rounds to TF32 on the way.
enum class TmaElement { bits_16, f32, tf32, f64 };

/// The tensor map of boxes of `box_fast` x `box_slow` elements. Shared memory has them in rows of 128 or 64 bytes with
/// the swizzle of that width, or in longer rows without a swizzle. Throws std::runtime_error with the plan's label and
/// the matrix if the driver refuses it.
void encode_tensor_map(CUtensorMap_st& map, const TmaMatrix& matrix, int box_fast, int box_slow, const Plan& plan,
                       TmaElement element = TmaElement::bits_16);

}  // namespace Tegula::Impl

#endif
