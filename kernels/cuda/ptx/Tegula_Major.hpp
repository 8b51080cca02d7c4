// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MAJOR_HPP
#define TEGULA_MAJOR_HPP

namespace Tegula::Impl {

/// Which direction of an operand, seen as lines x depth, is contiguous.
enum class Major { depth, lines };

}  // namespace Tegula::Impl

#endif
