// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CONFIG_LIST_HPP
#define TEGULA_CONFIG_LIST_HPP

#include <array>
#include <cstddef>

#include "Tegula_TileOrder.hpp"

/// The configurations of a family for CUDA, as types for its kernels and as data for its planner.

namespace Tegula::Impl {

template <class... Configs>
struct ConfigList {};

/// A configuration as data.
struct ConfigChoice {
  TileShape tile;
  int threads, scratch_bytes;  // of a team
  int teams;                   // that run on a multiprocessor at once
  int tile_teams   = 1;        // that compute a tile together, as a cluster
  bool takes_turns = false;    // a team has two tiles at a time, and ends one while it multiplies for the other
  bool overlaps    = false;    // some of a tile is stored twice
};

template <class Config>
constexpr ConfigChoice choice_of() {
  ConfigChoice choice{Config::shape(), Config::threads, Config::scratch_bytes, Config::teams};
  if constexpr (requires { Config::tile_teams; }) choice.tile_teams = Config::tile_teams;
  if constexpr (requires { Config::takes_turns; }) choice.takes_turns = Config::takes_turns;
  if constexpr (requires { Config::overlaps; }) choice.overlaps = Config::overlaps;
  return choice;
}

template <class... Configs>
constexpr std::array<ConfigChoice, sizeof...(Configs)> choices_of(ConfigList<Configs...>) {
  return {choice_of<Configs>()...};
}

/// Scratch of the team that needs most.
template <class... Configs>
constexpr std::size_t most_scratch(ConfigList<Configs...>) {
  int most = 0;
  ((most = most < Configs::scratch_bytes ? Configs::scratch_bytes : most), ...);
  return static_cast<std::size_t>(most);
}

}  // namespace Tegula::Impl

#endif
