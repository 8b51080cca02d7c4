// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OUTER_TILES_HPP
#define TEGULA_OUTER_TILES_HPP

#include <cstddef>

#include "Tegula_OuterConfig.hpp"

/// The tiles of the outer family as data: every configuration with every number of rows.

namespace Tegula::Impl {

template <class Sum, class... Configs>
constexpr auto outer_tiles_of(ConfigList<Configs...>) {
  std::array<ConfigChoice, outer_rows.size() * sizeof...(Configs)> tiles{};
  std::size_t tile = 0;
  const auto add   = [&]<class Config>() {
    for (const int rows : outer_rows)
      tiles[tile++] = {
          {rows, outer_columns, Config::depth}, outer_threads, outer_scratch<Config, Sum>(), Config::teams};
  };
  (add.template operator()<Configs>(), ...);
  return tiles;
}

template <class Sum>
inline constexpr auto outer_tiles = outer_tiles_of<Sum>(OuterConfigs<Sum>());

}  // namespace Tegula::Impl

#endif
