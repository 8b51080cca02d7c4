// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_AnyElement.cuh"
#include "Tegula_CudaSteps.hpp"
#include "product/Tegula_Product.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

namespace Tegula::Impl {
namespace {

/// Where the sums of a product go, through the epilogue of gemm or to a gradient: C = act(alpha sum + beta C + bias), Z
/// the argument of act, and dbias (+)= sums of rows.
template <class Sum>
struct AnyResult {
  AnyMatrix C, Z, bias, dbias;
  ActivationChoice activation;
  Sum alpha, beta;
  bool accumulates_dbias;

  __device__ void store(std::int64_t i, std::int64_t j, Sum sum) const {
    Sum z = alpha == Sum(0) ? Sum(0) : alpha * sum;
    if (beta != Sum(0)) z += beta * load<Sum>(C, i, j);
    if (bias.data != nullptr) z += load<Sum>(bias, i, j);
    if (Z.data != nullptr) Impl::store(Z, i, j, z);
    with_activation<Sum>(activation, [&](const auto& act) { z = act(z); });
    Impl::store(C, i, j, z);
  }

  __device__ void store_row_sum(std::int64_t i, Sum sum) const {
    if (accumulates_dbias) sum += load<Sum>(dbias, 0, i);
    Impl::store(dbias, 0, i, sum);
  }

  TEGULA_HOST_DEVICE bool sums_rows() const { return dbias.data != nullptr; }
  TEGULA_HOST_DEVICE bool rows_are_contiguous() const { return C.row_stride == 1; }
};

/// The addition needs no operands.
struct NoOperand {};

template <class Sum>
void launch(const Kokkos::Cuda& exec, const std::string& label, const ProductPlan& product, char* workspace,
            const AnyResult<Sum>& result) {
  if (product.teams() > 0)
    launch_split_k_reduce<Sum>(exec, label, make_product<Sum>(NoOperand(), NoOperand(), result, product, workspace));
}

}  // namespace

void launch_slice_sums(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, bool sums_rows) {
  const auto is_cut = [](const ProductPlan& product) { return product.split_k > 1; };
  if (std::none_of(plan.products.begin(), plan.products.end(), is_cut)) return;
  const std::string label = KernelLabel(plan).if_heard();
  with_bits(call, [&]<class Bits>() {
    using Sum             = sum_t<Bits>;
    const auto calls      = planned_calls<Bits>(call, plan);
    const AnyMatrix dbias = sums_rows ? call.dbias.any() : AnyMatrix{};
    for (std::size_t p = 0; p < calls.size(); ++p) {
      const ProductCall<Bits>& c = calls[p];
      launch<Sum>(exec, label, plan.products[p], product_workspace(plan, p, workspace),
                  {c.C, c.Z, c.bias, p == 1 ? dbias : AnyMatrix{}, c.activation, c.alpha, c.beta,
                   call.update_dbias == Update::accumulate});
    }
  });
}

}  // namespace Tegula::Impl
