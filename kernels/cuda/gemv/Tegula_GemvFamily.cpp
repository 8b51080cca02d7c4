// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "../Tegula_CudaFamily.hpp"
#include "../Tegula_CudaRefusal.hpp"
#include "../Tegula_TileModel.hpp"
#include "Tegula_GemvArguments.hpp"
#include "Tegula_GemvModel.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char* name = "gemv";

template <class T>
const TileModel& model_of_type(const Call& call) {
  const Major along = gemv_form(product_call<T>(call), call.shape()).along;
  return with_gemv_lines<T>(std::min(call.C.rows, call.C.columns), [&]<int lines>() -> const TileModel& {
    return along == Major::depth ? gemv_model_of<T, Major::depth, lines> : gemv_model_of<T, Major::lines, lines>;
  });
}

const TileModel& model_of(const Call& call) {
  return is_double(call) ? model_of_type<double>(call) : model_of_type<float>(call);
}

const char* refusal(const Calls& calls, const CudaMachine& machine, const PlanOptions&) {
  const Call& call = calls[0];
  if (const char* reason = cuda_refusal(call, machine)) return reason;
  const std::int64_t lines = std::min(call.C.rows, call.C.columns);
  if (is_double(call) && lines > gemv_most_lines<double>) return "both m and n are larger than 8";
  if (lines > gemv_most_lines<float>) return "both m and n are larger than 16";
  return can_run(model_of(call).choices[0], machine) ? nullptr : "a team has too little scratch";
}

// Where columns of the result are lines of the long operand, the tile is transposed.
void propose(const Calls& calls, const CudaMachine& machine, const PlanOptions& options, const Propose& propose) {
  propose_tiles(model_of(calls[0]), modelled(calls[0]), machine, options, propose, 0, !streams_left(calls[0].shape()));
}

std::array<ProductPlan, 2> cut(const Calls& calls, const CudaMachine& machine, const PlanOptions& options,
                               const Proposal& proposal) {
  return {cut_as_proposed(name, model_of(calls[0]), calls[0], machine, options, proposal), {}};
}

constexpr auto launch = launch_if<has_mma_kernels>(
    [](const auto& l) { (is_double(l.calls[0]) ? launch_gemv<double> : launch_gemv<float>)(l); });

}  // namespace

/// Products of a few rows or columns that memory limits, a matrix times a vector and the like, of any strides: float
/// and double, by fused multiply-adds, on compute capability 8.0 and newer.
extern const CudaFamily gemv_family{
    name, Covers::product, float_or_double, is_built_in_float_or_double, refusal, propose, cut, launch};

}  // namespace Tegula::Impl
