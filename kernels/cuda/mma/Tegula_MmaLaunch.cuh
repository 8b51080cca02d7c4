// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_LAUNCH_CUH
#define TEGULA_MMA_LAUNCH_CUH

#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_MmaKernel.cuh"
#include "Tegula_MmaLaunch.hpp"
#include "Tegula_MmaTiles.hpp"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

template <class Activation, class Bits>
MmaEpilogueParameters<sum_t<Bits>, Activation> mma_epilogue(const ProductCall<Bits>& call, const ProductPlan& product) {
  const auto output = [&](const AnyMatrix& matrix) { return cuda_output(matrix, product.shape, RunsBy::threads); };
  return {static_cast<std::int32_t>(product.shape.m),
          static_cast<std::int32_t>(product.shape.n),
          output(call.C),
          output(call.Z),
          call.bias,
          activation_of<Activation>(call),
          call.alpha,
          call.beta,
          0,
          output(call.below.saved),
          call.below.slope};
}

/// The same for a product with split-k.
template <class Sum>
MmaEpilogueParameters<Sum> mma_slices(const ProductPlan& product, Sum* partial_sums) {
  const auto m = static_cast<std::int32_t>(product.shape.m), n = static_cast<std::int32_t>(product.shape.n);
  const AnyMatrix slice{partial_sums, element_of<Sum>, n, 1};
  return {m, n, cuda_output(slice, product.shape, RunsBy::threads), {}, {}, ActivationChoice{},
          1, 0, product.shape.m * n * std::int64_t(sizeof(Sum))};
}

/// Whether the wide kernel is the faster one. Its copies must need few registers: both operands are copied in chunks,
/// and at least one of them is contiguous along the lines.
inline bool suits_wide(const AsyncOperand& left, const AsyncOperand& right) {
  return are_in_chunks(left, right) && (left.major == Major::lines || right.major == Major::lines);
}

template <class Config, class Input, class Sum, class Activation>
void launch_mma_config(const Kokkos::Cuda& exec, const Plan& plan, const ProductPlan& product,
                       const MmaArguments<Sum, Activation>& arguments, const CallableRef& before) {
  const auto launch = [&](const auto& kernel) {
    launch_product(exec, plan, product, arguments.tiles.works(), kernel, before);
  };
  if constexpr (Config::fetches_apart) {
    if (are_in_chunks(arguments.left, arguments.right))
      return launch(MmaKernel<Config, Input, Activation, MmaOperandsIn::chunks>(arguments));
    if (are_in_words(arguments.left, arguments.right))
      return launch(MmaKernel<Config, Input, Activation, MmaOperandsIn::words>(arguments));
    launch(MmaKernel<Config, Input, Activation, MmaOperandsIn::elements>(arguments));
  } else {
    if constexpr (Config::has_wide)
      if (suits_wide(arguments.left, arguments.right))
        return launch(MmaKernel<Config, Input, Activation, MmaOperandsIn::any, true>(arguments));
    launch(MmaKernel<Config, Input, Activation>(arguments));
  }
}

/// Queues the kernel of a product with this epilogue.
template <class Input, class Configs = MmaConfigsOf<Input>, class Sum, class Activation>
void launch_mma_with(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call, const Plan& plan,
                     const ProductPlan& product, const MmaEpilogueParameters<Sum, Activation>& epilogue,
                     const CallableRef& before) {
  const AsyncOperand left = async_operand(call.left), right = async_operand(call.right);
  const bool reads_results   = epilogue.beta != 0 || !epilogue.slope_below.is_one;
  const MovableTiles movable = movable_mma_tiles(left, right, product.shape, epilogue.C, epilogue.Z, reads_results);
  const MmaArguments<Sum, Activation> arguments{left, right, tiles_of(product, movable),
                                                static_cast<std::int32_t>(product.shape.k), epilogue};
  with_config(Configs(), plan, product.tile,
              [&]<class Config>() { launch_mma_config<Config, Input>(exec, plan, product, arguments, before); });
}

template <class Input, class Configs>
void launch_mma(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call, const Plan& plan,
                const ProductPlan& product, sum_t<Input>* partial_sums, const CallableRef& before) {
  launch_mma_with<Input, Configs>(
      exec, call, plan, product,
      product.split_k > 1 ? mma_slices(product, partial_sums) : mma_epilogue<ActivationChoice>(call, product), before);
}

}  // namespace Tegula::Impl

#endif
