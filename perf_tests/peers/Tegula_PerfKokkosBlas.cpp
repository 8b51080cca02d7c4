// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfKokkosBlas.hpp"

#include <KokkosKernels_config.h>
#include <dlfcn.h>

#include "Tegula_PerfPaths.hpp"

namespace Tegula::Perf {

std::string kokkoskernels_version() {
#ifdef KOKKOSKERNELS_VERSION_MAJOR
  return std::to_string(KOKKOSKERNELS_VERSION_MAJOR) + '.' + std::to_string(KOKKOSKERNELS_VERSION_MINOR) + '.' +
         std::to_string(KOKKOSKERNELS_VERSION_PATCH);
#else  // its versions before 4 do not say; they come with the Kokkos of the same number
  return std::to_string(KOKKOS_VERSION / 10000) + '.' + std::to_string(KOKKOS_VERSION / 100 % 100) + '.' +
         std::to_string(KOKKOS_VERSION % 100);
#endif
}

namespace {

/// Which vendor's library for a GPU KokkosBlas may call.
constexpr const char* gpu_library =
#ifdef KOKKOSKERNELS_ENABLE_TPL_CUBLAS
    ", with cuBLAS";
#elif defined(KOKKOS_ENABLE_CUDA)
    ", without a vendor's library";
#else
    "";
#endif

}  // namespace

// On Debian libblas.so.3 becomes OpenBLAS as soon as that is installed, and takes every core if it is not told
// otherwise. Only the file of dgemm_ and its dependencies are searched: OpenBLAS may be in the process for other
// reasons.
std::string start_kokkosblas(int threads) {
  const std::string name = "KokkosBlas::gemm of Kokkos Kernels " + kokkoskernels_version() + gpu_library;
  if (!runs_on_host) return name;
  void* const dgemm      = dlsym(RTLD_DEFAULT, "dgemm_");
  const std::string file = library_of(dgemm);
  void* const blas       = dgemm == nullptr ? nullptr : dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (blas == nullptr) return name;
  void* const set = dlsym(blas, "openblas_set_num_threads");
  void* const get = dlsym(blas, "openblas_get_num_threads");
  if (set == nullptr || get == nullptr) return name + ", linked with " + file;
  reinterpret_cast<void (*)(int)>(set)(threads);
  const int threads_now = reinterpret_cast<int (*)()>(get)();
  return name + ", linked with " + file + " (OpenBLAS), threads " + std::to_string(threads_now);
}

}  // namespace Tegula::Perf
