// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_LAUNCH_CUH
#define TEGULA_STREAM_LAUNCH_CUH

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "Tegula_StreamKernel.cuh"
#include "Tegula_WithConfig.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

/// Calls launch.operator()<is_packed, stores_packed>() for the ways in which the long operand and the result lie.
template <class T, class Launch>
void with_stream_forms(const StreamArguments<T>& arguments, const Launch& launch) {
  const auto with_result = [&]<bool is_packed>() {
    arguments.C.is_packed() ? launch.template operator()<is_packed, true>()
                            : launch.template operator()<is_packed, false>();
  };
  arguments.streamed.is_packed() ? with_result.template operator()<true>() : with_result.template operator()<false>();
}

template <class Input>
void launch_stream(const CudaLaunch& l) {
  using T                    = bits_t<Input>;
  const ProductPlan& product = l.products[0];
  const auto arguments       = *stream_arguments<T>(l.calls[0]);
  with_config(StreamConfigs<T>(), l.plan, with_long_side(product.shape, product.tile), [&]<class Config>() {
    with_stream_forms(arguments, [&]<bool is_packed, bool stores_packed>() {
      launch_product(l.exec, l.plan, product, static_cast<std::uint32_t>(product.holding_teams),
                     StreamKernel<Config, Input, is_packed, stores_packed>(arguments), l.before);
    });
  });
}

}  // namespace Tegula::Impl

#endif
