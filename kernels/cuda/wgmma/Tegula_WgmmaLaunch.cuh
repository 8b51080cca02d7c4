// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_LAUNCH_CUH
#define TEGULA_WGMMA_LAUNCH_CUH

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "../Tegula_CudaDevice.hpp"
#include "../Tegula_LaunchKernel.cuh"
#include "../Tegula_TileModel.hpp"
#include "Tegula_WgmmaKernel.cuh"
#include "Tegula_WgmmaOperand.cuh"
#include "Tegula_WgmmaPart.hpp"

/// From a planned call to the kernel on a stream.

namespace Tegula::Impl {

/// The tensor map of a result, if TMA stores it, or of what is fetched as one.
inline void map_result(CUtensorMap& map, const CudaOutput& output, const GemmShape& shape, const Plan& plan) {
  if (!output.is_by_runs()) return;
  const AnyMatrix& matrix = output.matrix;
  const auto runs =
      tma_matrix(matrix.data, shape.m, shape.n, matrix.row_stride, matrix.column_stride, element_bytes(matrix.element));
  const auto element = element_bytes(matrix.element) == 4 ? TmaElement::f32 : TmaElement::bits_16;
  encode_tensor_map(map, *runs, box_width(matrix), 64, plan, element);
}

/// The epilogue of a product.
template <class Activation>
WgmmaEpilogueParameters<Activation> epilogue_of(const WgmmaPart& part) {
  const HalfCall& call   = part.call;
  const GemmShape& shape = part.product.shape;
  WgmmaEpilogueParameters<Activation> epilogue{static_cast<std::int32_t>(shape.m),
                                               static_cast<std::int32_t>(shape.n),
                                               cuda_output(call.C, shape, RunsBy::tma),
                                               cuda_output(call.Z, shape, RunsBy::tma),
                                               call.bias,
                                               activation_of<Activation>(call),
                                               call.alpha,
                                               call.beta};
  leave_slices(epilogue, part.product, part.partial_sums);
  if (!epilogue.has_whole_tiles) return epilogue;  // another kernel does the rest
  epilogue.slope       = call.below.slope;
  epilogue.column_sums = call.below.sums;
  if (!epilogue.slope.is_one) {
    epilogue.fetched = fetched_by_tma(call.below.saved, shape);
  } else if (call.beta != 0 && epilogue.C.is_by_runs() && epilogue.Z.by == StoreBy::nobody) {
    epilogue.fetched = epilogue.C;
  }
  return epilogue;
}

/// A product as a kernel of this configuration is given it.
template <class Config, class Activation>
WgmmaProduct<Activation> wgmma_product(const WgmmaPart& part, const Plan& plan) {
  WgmmaProduct<Activation> product{{}, {}, {}, {}, {}, tiles_of(part.product), epilogue_of<Activation>(part)};
  const auto& epilogue    = product.epilogue;
  const GemmShape& shape  = part.product.shape;
  product.epilogue.needed = epilogue.whole_kind();
  map_result(product.results.C, epilogue.C, shape, plan);
  map_result(product.results.Z, epilogue.Z, shape, plan);
  if (!epilogue.slope.is_one) map_result(product.results.saved, epilogue.fetched, shape, plan);
  if (part.product.shape.k > 0) {
    product.left_fetch  = map_operand(product.left, part.call.left, Config::tile_m, plan);
    product.right_fetch = map_operand(product.right, part.call.right, Config::tile_n, plan, Config::tile_teams);
  }
  return product;
}

/// The product whose result is the transpose, in groups of as many tiles, of which `wave` are computed at once.
inline ProductPlan transposed(ProductPlan product, std::uint32_t wave) {
  product.shape = product.shape.transposed();
  product.tile  = product.tile.transposed();
  product.order = {product.order.columns, product.order.rows, std::max<std::int64_t>(1, wave / product.order.group)};
  return product;
}

/// The same of a product that is computed as it is planned, or as its transpose.
template <class Config, class Activation>
WgmmaProduct<Activation> planned_product(const WgmmaPart& part, const Plan& plan, std::uint32_t wave) {
  if (!is_transposed(part.product.tile)) return wgmma_product<Config, Activation>(part, plan);
  const ProductPlan computed = transposed(part.product, wave);
  auto product          = wgmma_product<Config, Activation>({transposed(part.call), computed, part.partial_sums}, plan);
  product.epilogue.bias = part.call.bias;  // which is a row for load_bits
  product.epilogue.is_transposed = true;
  return product;
}

/// Teams, or clusters of them, are persistent, so there are no more than `most`, which run at once.
template <std::size_t Products>
WgmmaShares shares_of(const std::array<WgmmaPart, Products>& parts, std::uint32_t most) {
  std::uint32_t works[2] = {}, head_start = 0;
  for (std::size_t p = 0; p < Products; ++p) works[p] = tiles_of(parts[p].product).works();
  if constexpr (Products == 2) head_start = head_start_of(parts[0].steps(), parts[1].steps());
  return {works[0], works[1], head_start, std::min(works[0] + works[1], most)};
}

template <class Config, class Activation, std::size_t Products>
auto wgmma_arguments(const std::array<WgmmaPart, Products>& parts, const ColumnSums& sums, const Plan& plan,
                     std::uint32_t multiprocessors) {
  using Arguments    = WgmmaArguments<int(Products), Activation>;
  const auto wave    = static_cast<std::uint32_t>(clusters_at_once(multiprocessors, Config::tile_teams));
  const auto product = [&](std::size_t p) { return planned_product<Config, Activation>(parts[p], plan, wave); };
  const auto shares  = shares_of(parts, wave);
  const bool is_followed =
      std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.product.is_followed; });
  if constexpr (Products == 1) {
    return Arguments{{product(0)}, shares, sums, is_followed};
  } else {
    return Arguments{{product(0), product(1)}, shares, sums, is_followed};
  }
}

/// Calls launch() for the kind of epilogue that is enough for all products. A user's activation has no plain one, and
/// tiles that overlap none that fetches.
template <class Config, class Activation, class Arguments, class Launch>
void with_epilogue_kind(const Arguments& arguments, const Launch& launch) {
  using Kind = WgmmaEpilogueKind;
  Kind kind  = Kind::plain;
  for (const auto& product : arguments.products) kind = std::max(kind, product.epilogue.kind());
  if constexpr (!WgmmaEpilogueParameters<Activation>::is_own) {
    if (kind == Kind::plain) return launch.template operator()<Kind::plain>();
    if (kind == Kind::floats) return launch.template operator()<Kind::floats>();
    // Two products have no activation, and kernels for `runs` have what remains.
    if constexpr (std::size(decltype(Arguments::products){}) == 1) {
      if (kind == Kind::gates) return launch.template operator()<Kind::gates>();
      if (kind == Kind::curves) return launch.template operator()<Kind::curves>();
      if constexpr (!Config::overlaps)
        if (kind == Kind::adds) return launch.template operator()<Kind::adds>();
    }
  }
  kind == Kind::any ? launch.template operator()<Kind::any>() : launch.template operator()<Kind::runs>();
}

template <class Config, class Input, class Activation, std::size_t Products>
void launch_wgmma_config(const Kokkos::Cuda& exec, const std::array<WgmmaPart, Products>& parts, const ColumnSums& sums,
                         const Plan& plan, const CallableRef& before) {
  const auto multiprocessors = static_cast<std::uint32_t>(cuda_device(exec).multiprocessors);
  const auto arguments       = wgmma_arguments<Config, Activation>(parts, sums, plan, multiprocessors);
  with_epilogue_kind<Config, Activation>(arguments, [&]<WgmmaEpilogueKind kind>() {
    launch_product(exec, plan, parts[0].product, arguments.shares.teams() * Config::tile_teams,
                   WgmmaKernel<Config, Input, Activation, kind, int(Products)>(arguments), before);
  });
}

/// Calls function.operator()<Config>() for the configuration that a product is planned for.
template <int Products, class... Configs, class Function>
void with_planned_config(ConfigList<Configs...>, const ProductPlan& product, const Function& function) {
  const TileShape tile = is_transposed(product.tile) ? product.tile.transposed() : product.tile;
  const auto try_one   = [&]<class Config>() {
    if constexpr (Products == 1 || !is_second_of_tile(choice_of<Config>())) {
      if (tile != Config::shape() || product.tile_teams != Config::tile_teams) return false;
      function.template operator()<Config>();
      return true;
    } else {
      return false;
    }
  };
  if (!(try_one.template operator()<Configs>() || ...))
    throw std::logic_error("Tegula: the wgmma family has no tile " + text(tile) + " of " +
                           std::to_string(product.tile_teams) + " teams");
}

/// Queues the kernel of one or two products, which applies an activation of this type.
template <class Input, class Activation, std::size_t Products>
void launch_wgmma_with(const Kokkos::Cuda& exec, const std::array<WgmmaPart, Products>& parts, const ColumnSums& sums,
                       const Plan& plan, const CallableRef& before) {
  with_planned_config<int(Products)>(WgmmaConfigs(), parts[0].product, [&]<class Config>() {
    launch_wgmma_config<Config, Input, Activation>(exec, parts, sums, plan, before);
  });
}

// One source file for each input type and number of products, so that they compile at the same time.
template <class Input, int Products>
void launch_wgmma_of(const Kokkos::Cuda& exec, const WgmmaParts<Products>& parts, const ColumnSums& sums,
                     const Plan& plan, const CallableRef& before) {
  launch_wgmma_with<Input, ActivationChoice>(exec, parts, sums, plan, before);
}

}  // namespace Tegula::Impl

#endif
