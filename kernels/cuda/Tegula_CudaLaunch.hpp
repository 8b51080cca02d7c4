// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_LAUNCH_HPP
#define TEGULA_CUDA_LAUNCH_HPP

#include <span>

#include "Tegula_CallableRef.hpp"
#include "Tegula_ColumnSums.hpp"
#include "Tegula_CudaSpace.hpp"
#include "Tegula_CudaTypes.hpp"
#include "Tegula_Plan.hpp"

/// How the kernels of a family are launched, which nvcc compiles, by its row, which is plain code for hosts.

namespace Tegula::Impl {

/// The calls that a family is asked for: one or two of gemm, or one of gemm_backward.
using Calls = std::span<const Call>;

/// What is to be launched.
struct CudaLaunch {
  const Kokkos::Cuda& exec;
  Calls calls;
  const Plan& plan;                       // of the whole call, for labels and messages
  std::span<const ProductPlan> products;  // one for each call; of gradients both
  char* memory;                           // their part of the workspace
  ColumnSums sums;                        // of two products: of columns, still to be added; null: none
  bool is_behind;                         // other kernels of the call are in front
  const CallableRef& before;
};

/// Which kernels are in this build: those for compute capability 8.0 and newer, and those for 9.0.
#if TEGULA_HAS_MMA
inline constexpr bool has_mma_kernels = true;
#else
inline constexpr bool has_mma_kernels    = false;
#endif

#if TEGULA_HAS_WGMMA
inline constexpr bool has_hopper_kernels = true;
#else
inline constexpr bool has_hopper_kernels = false;
#endif

/// The launch of a row if its kernels are in this build, else null. A generic function, so that nobody looks for
/// kernels that are not.
template <bool has_kernels, class Launch>
constexpr auto launch_if(const Launch& launch) -> void (*)(const CudaLaunch&) {
  if constexpr (has_kernels) {
    return launch;
  } else {
    return nullptr;
  }
}

/// Calls function.operator()<Input>() with the one of these types that the elements of A and B, or of dC, have.
template <class... Inputs, class Function>
void with_input_of(const Call& call, const Function& function) {
  ((element_of<Inputs> == input_of(call) ? function.template operator()<Inputs>() : void()), ...);
}
template <class Function>
void with_input(const Call& call, const Function& function) {
  with_input_of<double, float, F16, Bf16>(call, function);
}

/// Launches of a family's kernels for one type of elements. `..Launch.cuh` in its folder has the definition, which a
/// source file for each type instantiates, so that they compile at the same time.
template <class Input>
void launch_direct(const CudaLaunch& launch);
template <class Input>
void launch_direct_gradients(const CudaLaunch& launch);
template <class T>
void launch_gemv(const CudaLaunch& launch);
template <class Input>
void launch_narrow(const CudaLaunch& launch);
template <class Input>
void launch_narrow_gradients(const CudaLaunch& launch);
template <class Input>
void launch_outer(const CudaLaunch& launch);
template <class Input>
void launch_outer_mma(const CudaLaunch& launch);
template <class Input>
void launch_shallow(const CudaLaunch& launch);
template <class Input>
void launch_shallow_groups(const CudaLaunch& launch);
template <class Input>
void launch_stream(const CudaLaunch& launch);
template <class T>
void launch_tall(const CudaLaunch& launch);

/// Of families for one type.
void launch_fp32_split(const CudaLaunch& launch);
void launch_panel(const CudaLaunch& launch);
void launch_tf32(const CudaLaunch& launch);
void launch_tf32x3(const CudaLaunch& launch);

}  // namespace Tegula::Impl

#endif
