// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfKokkosBlas.hpp"

#include <dlfcn.h>

#include "Tegula_PerfPaths.hpp"

namespace Tegula::Perf {

// On Debian libblas.so.3 becomes OpenBLAS as soon as that is installed, and takes every core if it is not told
// otherwise. The file of dgemm_ is asked, and what it depends on: OpenBLAS may be in the process for other reasons.
std::string start_kokkosblas(int threads) {
  const std::string name = "KokkosBlas::gemm";
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
