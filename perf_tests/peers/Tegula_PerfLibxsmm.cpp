// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfLibxsmm.hpp"

#include <libxsmm.h>

namespace Tegula::Perf {
namespace {

template <class T>
auto kernel_of(const ColumnMajorProduct& p, int flags) {
  const int lda = p.first.leading, ldb = p.second.leading, ldc = p.leading, no_prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
  const T alpha = T(p.scaling.alpha), beta = T(p.scaling.beta);
  if constexpr (std::is_same_v<T, float>) {
    return libxsmm_smmdispatch(p.rows, p.columns, p.inner, &lda, &ldb, &ldc, &alpha, &beta, &flags, &no_prefetch);
  } else {
    return libxsmm_dmmdispatch(p.rows, p.columns, p.inner, &lda, &ldb, &ldc, &alpha, &beta, &flags, &no_prefetch);
  }
}

}  // namespace

template <class T>
Call libxsmm_call(const ColumnMajorProduct& product) {
  const auto [alpha, beta] = product.scaling;
  if (alpha != 1 || (beta != 0 && beta != 1)) return {{}, "", "it has an alpha of 1 and a beta of 0 or 1 only"};
  const int flags = (product.first.transposed ? LIBXSMM_GEMM_FLAG_TRANS_A : 0) |
                    (product.second.transposed ? LIBXSMM_GEMM_FLAG_TRANS_B : 0);
  const auto kernel = kernel_of<T>(product, flags);
  if (kernel == nullptr) return {{}, "", "it writes no kernel for this product"};
  const auto run = [kernel, product] {
    kernel(static_cast<const T*>(product.first.values), static_cast<const T*>(product.second.values),
           static_cast<T*>(product.result));
  };
  return {run, std::is_same_v<T, float> ? "libxsmm_smmdispatch" : "libxsmm_dmmdispatch", ""};
}

template Call libxsmm_call<float>(const ColumnMajorProduct&);
template Call libxsmm_call<double>(const ColumnMajorProduct&);

std::string start_libxsmm(int) {
  libxsmm_init();
  return std::string("libxsmm ") + LIBXSMM_VERSION + ", target " + libxsmm_get_target_arch() + ", threads 1";
}

}  // namespace Tegula::Perf
