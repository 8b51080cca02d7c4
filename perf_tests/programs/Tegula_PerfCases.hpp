// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CASES_HPP
#define TEGULA_PERF_CASES_HPP

#include <memory>

#include "Tegula_PerfCase.hpp"

/// The cases of both programs, for operands of T and results of R: of backward_case, dB and the gradients of biases.
/// Each is compiled for each pair of types by itself: together they take nvcc a quarter of an hour.

namespace Tegula::Perf {

template <class T, class R>
std::unique_ptr<Case> gemm_case(const CaseSpec& spec);
template <class T, class R>
std::unique_ptr<Case> backward_case(const CaseSpec& spec);

}  // namespace Tegula::Perf

#endif
