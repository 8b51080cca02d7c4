// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfOpenBlas.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string_view>

#include "Tegula_PerfAffinity.hpp"
#include "Tegula_PerfBuild.hpp"
#include "Tegula_PerfColumnMajor.hpp"
#include "Tegula_PerfPaths.hpp"

namespace Tegula::Perf {
namespace {

// Values of the CBLAS standard.
constexpr int column_major = 102, no_trans = 111, trans = 112;

template <class T>
using Cblas = void (*)(int order, int op_a, int op_b, int m, int n, int k, T alpha, const T* A, int lda, const T* B,
                       int ldb, T beta, T* C, int ldc);

/// The library, loaded and not linked: whatever libblas the process has exports the same names, and would be called in
/// its place.
class OpenBlas {
 public:
  static const OpenBlas& instance() {
    static const OpenBlas library;
    return library;
  }

  template <class Function>
  Function function(const char* name) const {
    void* const address = dlsym(handle_, name);
    if (address == nullptr) throw std::runtime_error(std::string("no ") + name + " in " TEGULA_PERF_OPENBLAS_LIBRARY);
    return reinterpret_cast<Function>(address);
  }

  template <class T>
  Cblas<T> gemm() const {
    if constexpr (std::is_same_v<T, float>) {
      return sgemm_;
    } else {
      return dgemm_;
    }
  }

 private:
  // The library starts its threads while it is loaded.
  OpenBlas() {
    const AllProcessors for_its_threads;
    handle_ = dlopen(TEGULA_PERF_OPENBLAS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) throw std::runtime_error(std::string("OpenBLAS cannot be loaded: ") + dlerror());
    sgemm_ = function<Cblas<float>>("cblas_sgemm");
    dgemm_ = function<Cblas<double>>("cblas_dgemm");
  }

  void* handle_;  // until the process ends: its threads may outlive every other object
  Cblas<float> sgemm_;
  Cblas<double> dgemm_;
};

// Prescott is the core that OpenBLAS takes if it knows no better, also on newer processors, which do much more.
std::string core_advice(const std::string& core) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (core == "Prescott" && __builtin_cpu_supports("avx2"))
    return " (older than this processor: set OPENBLAS_CORETYPE to HASWELL, ZEN or SKYLAKEX)";
#endif
  return "";
}

// Idle threads of OpenMP, and idle threads of OpenBLAS' own, keep their processors busy for a while.
std::string threads_advice(int threads, bool of_openmp) {
  if (of_openmp) return " of OpenMP";
  if (threads == 1 || std::string_view(ExecutionSpace::name()) != "OpenMP") return "";
  return " beside those of OpenMP, and each slows the other (Debian's libopenblas-openmp-dev uses the same; else set "
         "OMP_WAIT_POLICY=passive OPENBLAS_THREAD_TIMEOUT=4)";
}

}  // namespace

template <class T>
void openblas_gemm(Op op_a, const Matrix<T>& A, Op op_b, const Matrix<T>& B, const Matrix<T>& C, Scaling scaling) {
  const ColumnMajorProduct product = column_major_product(op_a, A, op_b, B, C);
  const auto op     = [](const ColumnMajorFactor& factor) { return factor.transposed ? trans : no_trans; };
  const auto values = [](const ColumnMajorFactor& factor) { return static_cast<const T*>(factor.values); };
  OpenBlas::instance().gemm<T>()(column_major, op(product.first), op(product.second), product.rows, product.columns,
                                 product.inner, T(scaling.alpha), values(product.first), product.first.leading,
                                 values(product.second), product.second.leading, T(scaling.beta),
                                 static_cast<T*>(product.result), product.leading);
}

template void openblas_gemm(Op, const Matrix<float>&, Op, const Matrix<float>&, const Matrix<float>&, Scaling);
template void openblas_gemm(Op, const Matrix<double>&, Op, const Matrix<double>&, const Matrix<double>&, Scaling);

template <class T>
std::string openblas_path() {
  const char* const name = std::is_same_v<T, float> ? "cblas_sgemm" : "cblas_dgemm";
  return std::string(name) + " -> " + library_of(reinterpret_cast<void*>(OpenBlas::instance().gemm<T>()));
}

template std::string openblas_path<float>();
template std::string openblas_path<double>();

std::string start_openblas(int threads) {
  const OpenBlas& library = OpenBlas::instance();
  const AllProcessors for_more_threads;
  library.function<void (*)(int)>("openblas_set_num_threads")(threads);
  const int threads_now     = library.function<int (*)()>("openblas_get_num_threads")();
  const bool of_openmp      = library.function<int (*)()>("openblas_get_parallel")() == 2;
  const std::string config  = library.function<const char* (*)()>("openblas_get_config")();
  const std::string core    = library.function<const char* (*)()>("openblas_get_corename")();
  const std::string version = config.substr(0, config.find(' ', config.find(' ') + 1));  // "OpenBLAS 0.3.21"
  return version + ", core " + core + core_advice(core) + ", " +
         library_of(reinterpret_cast<void*>(library.gemm<float>())) + ", threads " + std::to_string(threads_now) +
         threads_advice(threads_now, of_openmp);
}

}  // namespace Tegula::Perf
