// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "Tegula_CudaSteps.hpp"
#include "product/Tegula_AnyResult.hpp"
#include "product/Tegula_Product.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

namespace Tegula::Impl {
namespace {

/// The addition needs no operands.
struct NoOperand {};

/// Queues the addition of the slices of a product, if it has some.
template <class Sum, class Result>
void add_slices(const Kokkos::Cuda& exec, const std::string& label, const ProductPlan& product, char* workspace,
                const Result& result) {
  if (product.teams() > 0)
    launch_split_k_reduce<Sum>(exec, label, make_product<Sum>(NoOperand(), NoOperand(), result, product, workspace));
}

}  // namespace

void launch_slice_sums(const Kokkos::Cuda& exec, const Call& call, const Plan& plan, char* workspace, bool sums_rows) {
  const auto is_cut = [](const ProductPlan& product) { return product.split_k > 1; };
  if (std::none_of(plan.products.begin(), plan.products.end(), is_cut)) return;
  const std::string label = KernelLabel(plan).if_heard();
  with_bits(call, [&]<class Bits>() {
    using Sum        = sum_t<Bits>;
    const auto calls = planned_calls<Bits>(call, plan);
    if (!call.is_backward) {
      const ProductCall<Bits>& c = calls[0];
      return add_slices<Sum>(exec, label, plan.products[0], workspace,
                             AnyEpilogueResult<Sum>{c.C, c.bias, c.Z, c.activation, c.alpha, c.beta});
    }
    for (std::size_t p = 0; p < calls.size(); ++p) {
      const AnyMatrix dbias = sums_rows && p == 1 ? call.dbias.any() : AnyMatrix{};
      add_slices<Sum>(exec, label, plan.products[p], product_workspace(plan, p, workspace),
                      AnyGradientResult<Sum>{calls[p].C, dbias, calls[p].alpha, calls[p].beta != 0,
                                             call.update_dbias == Update::accumulate});
    }
  });
}

}  // namespace Tegula::Impl
