// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CASES_HPP
#define TEGULA_PERF_CASES_HPP

#include <memory>

#include "Tegula_PerfCase.hpp"

/// The cases of both programs. Each is compiled for each element type by itself: together they take nvcc a quarter of
/// an hour.

namespace Tegula::Perf {

template <class T>
std::unique_ptr<Case> gemm_case(const CaseSpec& spec);
template <class T>
std::unique_ptr<Case> backward_case(const CaseSpec& spec);

}  // namespace Tegula::Perf

#endif
