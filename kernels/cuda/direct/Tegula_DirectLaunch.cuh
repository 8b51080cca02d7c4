// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DIRECT_LAUNCH_CUH
#define TEGULA_DIRECT_LAUNCH_CUH

#include <bit>

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "../Tegula_LongRows.hpp"
#include "../Tegula_SharingTeams.hpp"
#include "Tegula_DirectGradientsKernel.cuh"
#include "Tegula_DirectKernel.cuh"
#include "Tegula_DirectTiles.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

/// Calls function.operator()<Config>() for the configuration number `config` of a list.
template <class... Configs, class Function>
void with_config_number(ConfigList<Configs...>, std::size_t config, const Function& function) {
  std::size_t number = 0;
  ((number++ == config ? function.template operator()<Configs>() : void()), ...);
}

/// Calls function.operator()<left, right>() for the ways to read both operands that there are kernels for.
template <class Function>
void with_reads(DirectRead left, DirectRead right, const Function& function) {
  using enum DirectRead;
  const auto with_right = [&]<DirectRead by>() {
    if (right == depth) return function.template operator()<by, depth>();
    if (right == lines) return function.template operator()<by, lines>();
    function.template operator()<by, elements>();
  };
  if (left == depth) return with_right.template operator()<depth>();
  if (left == lines) return with_right.template operator()<lines>();
  function.template operator()<elements, elements>();
}

template <class Input>
void launch_direct(const CudaLaunch& l) {
  using Bits                 = bits_t<Input>;
  const ProductPlan& product = l.products[0];
  const auto [rows, shape]   = with_long_rows(product_call<Bits>(l.calls[0]), product.shape);
  const DirectTile tile      = direct_tile<Bits>(with_long_side(product.shape, product.tile));
  with_config_number(DirectConfigs(), tile.config, [&]<class Config>() {
    DirectArguments<Bits> arguments = direct_arguments(rows, shape, Config::rows, Config::columns);
    arguments.how.depth_warps       = static_cast<std::uint8_t>(tile.depth_warps);
    arguments.how.cluster = static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(product.sharing_teams)));
    with_reads(arguments.how.read_left, arguments.how.read_right, [&]<DirectRead left, DirectRead right>() {
      with_sharing(product.sharing_teams, [&]<bool is_shared>() {
        launch_product(l.exec, l.plan, product, static_cast<std::uint32_t>(product.teams()),
                       DirectKernel<Config, Input, left, right, is_shared>(arguments), l.before);
      });
    });
  });
}

/// All gradients of a call, dA and dB^T, of which one may be without teams.
template <class Input>
void launch_direct_gradients(const CudaLaunch& l) {
  using Bits               = bits_t<Input>;
  const Call& call         = l.calls[0];
  const auto products      = l.products;
  const ProductPlan& first = products[products[0].teams() > 0 ? 0 : 1];
  const int cluster        = first.sharing_teams;
  const auto depth_warps   = [](const ProductPlan& product) { return direct_tile<Bits>(product.tile).depth_warps; };
  with_config_number(DirectConfigs(), direct_tile<Bits>(first.tile).config, [&]<class Config>() {
    const DirectGradientReads reads = direct_gradient_reads<Bits>(call, Config::rows, Config::columns);
    DirectGradients<Bits> arguments{};
    for (std::size_t p = 0; p < products.size(); ++p) {
      if (products[p].teams() == 0) continue;
      DirectGradient<Bits>& gradient = arguments.products[p];
      gradient                       = direct_gradient<Bits>(call, p, reads, Config::rows, Config::columns);
      gradient.how.depth_warps       = static_cast<std::uint8_t>(depth_warps(products[p]));
      gradient.how.cluster           = static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(cluster)));
    }
    arguments.first_teams = static_cast<std::int32_t>(products[0].teams());
    const auto teams      = static_cast<std::uint32_t>(products[0].teams() + products[1].teams());
    const auto launch     = [&]<DirectGradientReads by>() {
      with_sharing(cluster, [&]<bool is_shared>() {
        launch_kernel(l.exec, KernelLabel(l.plan), teams,
                          DirectGradientsKernel<Config, Input, by, is_shared>(arguments), l.before,
                          {cluster, first.begins_early});
      });
    };
    reads == DirectGradientReads::rows ? launch.template operator()<DirectGradientReads::rows>()
                                       : launch.template operator()<DirectGradientReads::elements>();
  });
}

}  // namespace Tegula::Impl

#endif
