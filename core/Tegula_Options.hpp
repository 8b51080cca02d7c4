// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OPTIONS_HPP
#define TEGULA_OPTIONS_HPP

#include <string>

#include "Tegula_TileOrder.hpp"

namespace Tegula {

/// op(A) = A or A^T.
enum class Op { none, transpose };

/// How products of float operands may be formed. `native` is IEEE single precision. The others are a permission: a
/// device with tensor cores may use them where Tegula has such a kernel; everywhere else `native` is computed.
/// `tf32` rounds factors to nearest with 11 bits. Its error is at most (2^-10 + (8 + k / 4) u) sum |a b|; numbers that
/// round beyond the range are Inf, denormal ones may count as zero.
/// `fp32_split` multiplies parts of the numbers: of 16 bits, of which a check of the data on the device chooses the
/// kind, or of TF32. Its error is at most (32 + k / 16) u sum |a b|, u = 2^-24, where that of `native` may be k u sum
/// |a b|; it takes any range, Inf and NaN. Where fewer than 64 products or so make up a sum, `native` is often nearer.
enum class Compute { native, tf32, fp32_split };

/// What a gradient does with the values its View holds: overwrite them (and never read them), or add to them.
enum class Update { overwrite, accumulate };

/// An argument that is left out.
struct None {};
inline constexpr None none{};

/// What the planner decides unless told. Every default leaves the decision to it; a value that cannot be had is an
/// error, never ignored.
struct PlanOptions {
  std::string family = {};  ///< the only kernel family that is asked, by its name as `describe` prints it
  TileShape tile     = {};  ///< one of the tile shapes that the family offers
  int group          = 0;   ///< rows of tiles that run together (Tegula_TileOrder.hpp), >= 1; not with whole_waves
  int split_k        = 0;   ///< parts into which the inner dimension is cut, as far as it has steps of a tile, >= 1
  int whole_waves    = 0;   ///< tiles that fill the device so many times are not cut, only the rest is; 0: all or none
};

/// Options of gemm: C = act(alpha op_a(A) op_b(B) + beta C + bias).
struct GemmOptions {
  Op op_a         = Op::none;
  Op op_b         = Op::none;
  double alpha    = 1;  ///< rounded to the accumulator's type; if 0, A and B are not read
  double beta     = 0;  ///< likewise; if 0, C is not read
  Compute compute = Compute::native;
  PlanOptions plan{};
};

/// Options of gemm_backward. op_a, op_b and alpha are those of the gemm whose gradients are asked for.
struct GemmBackwardOptions {
  Op op_a            = Op::none;
  Op op_b            = Op::none;
  double alpha       = 1;
  Update dA          = Update::overwrite;
  Update dB          = Update::overwrite;
  Update dbias       = Update::overwrite;
  Update dbias_below = Update::overwrite;  ///< of Below, if dA is one
  Compute compute    = Compute::native;
  PlanOptions plan{};
};

namespace Impl {

/// The options of calls that give none: to make some takes 10 ns. They are never destroyed, since what runs when the
/// process ends may call, too.
template <class Options>
const Options& default_options() {
  static const Options& options = *new Options();
  return options;
}

}  // namespace Impl
}  // namespace Tegula

#endif
