// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_NARROW_LAUNCH_CUH
#define TEGULA_NARROW_LAUNCH_CUH

#include <bit>

#include "../Tegula_CudaLaunch.hpp"
#include "../Tegula_CudaProducts.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "../Tegula_LongRows.hpp"
#include "../Tegula_SharingTeams.hpp"
#include "Tegula_NarrowKernel.cuh"
#include "Tegula_NarrowTiles.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

/// Calls function.operator()<form>().
template <class Function>
void with_narrow_form(NarrowForm form, const Function& function) {
  using enum NarrowForm;
  switch (form) {
    case depth:
      return function.template operator()<depth>();
    case lines:
      return function.template operator()<lines>();
    case unaligned_depth:
      return function.template operator()<unaligned_depth>();
    case unaligned_lines:
      return function.template operator()<unaligned_lines>();
  }
}

/// Calls function.operator()<Config>() for the configuration of so many blocks.
template <class... Configs, class Function>
void with_narrow_config(ConfigList<Configs...>, int blocks, const Function& function) {
  ((Configs::blocks == blocks ? function.template operator()<Configs>() : void()), ...);
}

template <class Input>
void launch_narrow(const CudaLaunch& l) {
  using Bits                      = bits_t<Input>;
  const ProductPlan& product      = l.products[0];
  const auto [rows, shape]        = with_long_rows(product_call<Bits>(l.calls[0]), product.shape);
  const NarrowTile& tile          = narrow_tile<Bits>(with_long_side(product.shape, product.tile));
  NarrowArguments<Bits> arguments = narrow_arguments(rows, shape);
  arguments.how.depth_warps       = static_cast<std::uint8_t>(tile.depth_warps);
  arguments.how.cluster = static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(product.sharing_teams)));
  with_narrow_config(NarrowConfigs<Bits>(), tile.blocks, [&]<class Config>() {
    with_narrow_form(arguments.how.long_form, [&]<NarrowForm form>() {
      with_sharing(product.sharing_teams, [&]<bool is_shared>() {
        launch_product(l.exec, l.plan, product, static_cast<std::uint32_t>(product.teams()),
                       NarrowKernel<Config, Input, form, is_shared>(arguments), l.before);
      });
    });
  });
}

}  // namespace Tegula::Impl

#endif
