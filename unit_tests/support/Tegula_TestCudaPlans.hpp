// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_PLANS_HPP
#define TEGULA_TEST_CUDA_PLANS_HPP

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "Tegula_PlanCache.hpp"
#include "cuda/Tegula_CudaPlanner.hpp"

/// Calls and machines as data, for the planner of CUDA. No matrix is read: only how it lies counts.

namespace Tegula::Test {

using Impl::Call, Impl::CallMatrix, Impl::CudaMachine, Impl::Element;

/// A device of this compute capability. Nothing is launched, so families plan whose kernels are not in this build.
inline CudaMachine machine_of(int capability, int multiprocessors, std::size_t scratch) {
  CudaMachine machine;
  machine.multiprocessors = multiprocessors;
  machine.scratch_max     = scratch;
  machine.major           = capability / 10;
  machine.portable        = {false, multiprocessors, {scratch, 0}};
  machine.rates           = &Impl::cuda_rates(capability);
  machine.is_at_hand      = false;
  return machine;
}

constexpr std::size_t KiB     = 1024;
inline const CudaMachine h200 = machine_of(90, 132, 219 * KiB);
/// Teams of a Kokkos before 5.2 on the same device.
inline const CudaMachine before_kokkos_5_2 = machine_of(90, 132, 40 * KiB);

/// How a matrix lies: elements behind each contiguous line, and behind an address that is aligned.
struct Lies {
  bool by_columns      = false;
  std::int64_t padding = 0, shift = 0;
};
inline constexpr Lies by_columns{.by_columns = true};

inline CallMatrix matrix_of(Element element, std::int64_t rows, std::int64_t columns, const Lies& lies = {}) {
  alignas(4096) static char memory[4096];
  const int bytes          = Impl::element_bytes(element);
  const std::int64_t pitch = (lies.by_columns ? rows : columns) + lies.padding;
  return {
      memory + lies.shift * bytes, element, static_cast<std::size_t>(bytes), rows, columns, lies.by_columns ? 1 : pitch,
      lies.by_columns ? pitch : 1};
}

/// A vector that stands for all rows.
inline CallMatrix row_of(Element element, std::int64_t columns) {
  CallMatrix row = matrix_of(element, 1, columns);
  row.row_stride = 0;
  return row;
}

/// One that was left out counts as being of this type.
inline CallMatrix no_matrix(Element element) {
  CallMatrix matrix = matrix_of(element, 0, 0);
  matrix.data       = nullptr;
  return matrix;
}

/// C = A B of this type throughout, by rows.
inline Call gemm_call(const GemmShape& shape, Element element = Element::f32, const Lies& lies = {}) {
  Call call;
  call.name            = "gemm";
  call.input_name      = "input";
  call.activation_name = "identity";
  call.A               = matrix_of(element, shape.m, shape.k, lies);
  call.B               = matrix_of(element, shape.k, shape.n, lies);
  call.C               = matrix_of(element, shape.m, shape.n, lies);
  call.bias = call.Z = no_matrix(element);
  return call;
}

/// dA = dC B^T and dB = A^T dC, of C = A B, likewise.
inline Call backward_call(const GemmShape& shape, Element element = Element::f32, const Lies& lies = {}) {
  Call call        = gemm_call(shape, element, lies);
  call.name        = "gemm_backward";
  call.is_backward = true;
  call.dC          = call.C;
  call.dA          = call.A;
  call.dB          = call.B;
  call.C           = {};
  call.saved = call.dbias = no_matrix(element);
  return call;
}

/// The same with dZ = dC Relu'(saved).
inline Call relu_backward_call(const GemmShape& shape, Element element = Element::f32, const Lies& lies = {}) {
  Call call               = backward_call(shape, element, lies);
  call.activation         = {Impl::BuiltInActivations::position<Relu>()};
  call.has_constant_slope = false;
  call.saved              = call.dC;
  return call;
}

inline Plan plan_of(const Call& call, const PlanOptions& options = {}, const CudaMachine& machine = h200) {
  return Impl::plan_cuda_call(call, machine, options, Impl::ArgumentList(call.name));
}

/// The plan of a call through the cache of this thread: make() unless it has one.
template <class Make>
Plan plan_through_cache(const Impl::CallToPlan& call, const Make& make) {
  Plan plan;
  Impl::PlanCache::of_this_thread().with_plan(call, make, [&](const Plan& kept) { plan = kept; });
  return plan;
}

/// What the planner says to a call that it refuses; empty if it takes it.
inline std::string message_of(const Call& call, const PlanOptions& options = {}, const CudaMachine& machine = h200) {
  try {
    plan_of(call, options, machine);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

inline testing::AssertionResult is_refused(const std::string& with, const Call& call, const PlanOptions& options = {},
                                           const CudaMachine& machine = h200) {
  const std::string refusal = message_of(call, options, machine);
  if (refusal.find(with) != std::string::npos && !refusal.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "is " << (refusal.empty() ? "taken" : "refused, but with:\n" + refusal);
}

/// Whether a family takes a call, as options ask.
inline bool takes(const char* family, const Call& call, PlanOptions options = {}, const CudaMachine& machine = h200) {
  options.family = family;
  return message_of(call, options, machine).empty();
}

inline constexpr Element all_elements[] = {Element::f16, Element::bf16, Element::f32, Element::f64};

/// Without a gradient, or with all of them.
inline Call without_dB(Call call) {
  call.dB = no_matrix(call.dC.element);
  return call;
}
inline Call without_dA(Call call) {
  call.dA = no_matrix(call.dC.element);
  return call;
}
inline Call with_dbias(Call call) {
  call.dbias = row_of(call.dC.element, call.dC.columns);
  return call;
}

inline bool forms_dZ(const Plan& plan) { return plan.gradient.teams() > 0 && plan.gradient.stores_dZ; }

}  // namespace Tegula::Test

#endif
