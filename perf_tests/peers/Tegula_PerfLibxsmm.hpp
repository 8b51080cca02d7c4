// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_LIBXSMM_HPP
#define TEGULA_PERF_LIBXSMM_HPP

#include <string>
#include <type_traits>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfColumnMajor.hpp"

namespace Tegula::Perf {

/// Whether libxsmm multiplies elements of this type on a host.
template <class T>
inline constexpr bool has_libxsmm_gemm = TEGULA_PERF_HAS_LIBXSMM &&
                                         (std::is_same_v<T, float> || std::is_same_v<T, double>);

/// The kernel that libxsmm writes for the extents, leading dimensions and beta of a product, once, here: a call is a
/// call of that kernel. It runs on one thread. Absent where libxsmm writes none. Defined only where has_libxsmm_gemm.
template <class T>
Call libxsmm_call(const ColumnMajorProduct& product);

/// Gets the library ready, which has one thread. Returns its version and its target in words.
std::string start_libxsmm(int threads);

}  // namespace Tegula::Perf

#endif
