// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PATHS_HPP
#define TEGULA_PERF_PATHS_HPP

#include <string>
#include <vector>

#include "Tegula_PerfCase.hpp"
#include "Tegula_Plan.hpp"

/// What really ran, seen through the callbacks of Kokkos Tools.

namespace Tegula::Perf {

/// The labels of the kernels that compute a plan's products: one for both, unless one of them runs on another family's.
std::vector<std::string> planned_labels(const Plan& plan);

/// The planned labels in one line. Throws std::runtime_error if Tegula launches no kernel of one of them, or if other
/// kernels than Tegula's ran.
std::string tegula_path(const std::vector<std::string>& planned, const Side& tegula);

/// What a peer says itself, or the path of KokkosBlas::gemm: "KokkosBlas::gemm[TPL_BLAS,float] -> .../libblas.so.3"
/// when it called a library, "KokkosBlas::gemm[noETI] -> own kernel KokkosBlas::gemm[NN]" when it did not.
std::string peer_path(const Side& peer);

/// The file that a function of this process comes from, links resolved: Debian's libblas.so.3 may be any BLAS.
std::string library_of(const void* function);

/// The path for the table, without what its heading says and without folders: "portable,f32,NN,relu,64x64x64",
/// "TPL_BLAS,float -> libblas.so.3".
std::string short_path(const std::string& path);

}  // namespace Tegula::Perf

#endif
