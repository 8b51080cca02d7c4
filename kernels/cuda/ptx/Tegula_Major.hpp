// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MAJOR_HPP
#define TEGULA_MAJOR_HPP

namespace Tegula::Impl {

/// The contiguous direction of an operand, seen as lines x depth.
enum class Major { depth, lines };

}  // namespace Tegula::Impl

#endif
