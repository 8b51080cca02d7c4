// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TUNED_WAY_HPP
#define TEGULA_TUNED_WAY_HPP

#include <array>
#include <cstdint>
#include <string>

#include "Tegula_Json.hpp"
#include "Tegula_Options.hpp"

/// A way to compute a call, complete: with the call and the machine it makes one plan. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// Of a product. On CUDA family, tile, split_k and whole_waves say all, as PlanOptions do; hosts have more to choose.
struct ProductWay {
  std::string family   = {};  // empty: there is no such product
  TileShape tile       = {};
  std::int64_t split_k = 1;
  int threads          = 0;  // of a host's team; 0: not of a host
  bool transposed = false, inner = false, packs_left = false, packs_right = false;  // of hosts, see ProductPlan
  int whole_waves = 0;                                                              // of CUDA

  friend bool operator==(const ProductWay&, const ProductWay&) = default;
};

/// On CUDA the first product's counts for all of a call. On hosts gemm_backward has dA and dB by themselves, or blocks
/// of dC of so many bytes in which all gradients are computed together (plan_host_gradients_together).
struct TunedWay {
  std::array<ProductWay, 2> products{};
  std::int64_t block_bytes = 0;

  friend bool operator==(const TunedWay&, const TunedWay&) = default;
};

/// What the planner takes is to be taken: on CUDA what has no name of its own, such as two families for two products.
inline bool is_planners_own(const TunedWay& way) { return way == TunedWay{}; }

/// As options ask for it, on CUDA.
inline PlanOptions options_of(const TunedWay& way) {
  const ProductWay& product = way.products[0];
  return {.family      = product.family,
          .tile        = product.tile,
          .split_k     = static_cast<int>(product.split_k),
          .whole_waves = product.whole_waves};
}

/// {"family": "simt", "tile": "64x128x16", "split_k": 2}, with "whole_waves" if there are some; of a host
/// {"family": "host", "tile": "512x1024x256", "split_k": 1, "threads": 1, "kind": "transposed packs_left"},
/// {"dA": {...}, "dB": {...}}, or {"block_bytes": 49152}; {} is the planner's own.
std::string json(const TunedWay& way);

/// "2", or "1+6" where so many waves are whole.
inline std::string cut_text(int whole_waves, std::int64_t split_k) {
  return (whole_waves > 0 ? std::to_string(whole_waves) + '+' : "") + std::to_string(split_k);
}

/// The way that is written so. Throws std::invalid_argument, as Json does.
TunedWay tuned_way(const Json& written);

/// "simt 64x128x16/2", "wgmma 128x256x64/1+6" behind a whole wave, "host 512x1024x256/1 by 2 threads transposed
/// packs_left", for messages.
std::string text(const TunedWay& way);

}  // namespace Tegula::Impl

#endif
