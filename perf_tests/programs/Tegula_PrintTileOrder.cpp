// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_tile_order: the order in which the tiles of C run, and the blocks of A and of B that they load, as JSON, for
// tegula_report to draw. No device and no Kokkos is needed.

#include <CLI/CLI.hpp>
#include <Tegula_TileOrder.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "Tegula_PerfJson.hpp"

namespace Tegula::Perf {
namespace {

/// How many waves load each row of blocks of A and each column of blocks of B. A wave is of tiles that run at the same
/// time; what several of its tiles need is loaded once.
struct Loads {
  std::vector<std::int64_t> rows, columns;
};

Loads loads_of(const TileOrder& order, std::int64_t wave) {
  const auto none = [](std::int64_t lines, std::int64_t value) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(lines), value);
  };
  Loads loads{none(order.rows, 0), none(order.columns, 0)};
  std::vector<std::int64_t> row_wave = none(order.rows, -1), column_wave = none(order.columns, -1);  // that came last
  const auto load = [](std::vector<std::int64_t>& counts, std::vector<std::int64_t>& last, std::int64_t line,
                       std::int64_t now) {
    const auto at = static_cast<std::size_t>(line);
    if (last[at] != now) ++counts[at];
    last[at] = now;
  };
  for (std::int64_t rank = 0; rank < order.tiles(); ++rank) {
    const TileCoordinate tile = order(rank);
    load(loads.rows, row_wave, tile.row, rank / wave);
    load(loads.columns, column_wave, tile.column, rank / wave);
  }
  return loads;
}

std::string numbers(const std::vector<std::int64_t>& values) {
  std::string text;
  for (const std::int64_t value : values) text += (text.empty() ? "" : ", ") + json(value);
  return '[' + text + ']';
}

/// The ranks of the tiles, row after row.
std::string ranks_of(const TileOrder& order) {
  std::vector<std::int64_t> ranks(static_cast<std::size_t>(order.tiles()));
  for (std::int64_t rank = 0; rank < order.tiles(); ++rank) {
    const TileCoordinate tile                                               = order(rank);
    ranks[static_cast<std::size_t>(tile.row * order.columns + tile.column)] = rank;
  }
  return numbers(ranks);
}

std::string of_order(const TileOrder& order, std::int64_t k_blocks, std::int64_t wave) {
  const Loads loads = loads_of(order, wave);
  std::int64_t all  = 0;
  for (const auto* counts : {&loads.rows, &loads.columns})
    for (const std::int64_t count : *counts) all += count * k_blocks;
  JsonObject object;
  object.add("group", order.group).add("first_wave_blocks", wave_blocks(order, k_blocks, wave)).add("blocks", all);
  object.add_raw("row_loads", numbers(loads.rows)).add_raw("column_loads", numbers(loads.columns));
  return object.add_raw("ranks", ranks_of(order)).text(2);
}

int run(int argc, char** argv) {
  CLI::App app("Prints the row-major and the grouped order of the tiles of C (m x n) = A (m x k) B (k x n), as JSON");
  GemmShape shape;
  TileShape tile;
  std::int64_t group = 0, teams = 0;
  const auto extent  = CLI::Range(1, 1 << 24);  // so that no product of them overflows
  const auto of_tile = CLI::Range(1, std::numeric_limits<int>::max());
  app.add_option("m", shape.m, "Rows of C")->required()->check(extent);
  app.add_option("n", shape.n, "Columns of C")->required()->check(extent);
  app.add_option("k", shape.k, "Inner dimension")->required()->check(extent);
  app.add_option("tile_m", tile.m, "Rows of a tile")->required()->check(of_tile);
  app.add_option("tile_n", tile.n, "Columns of a tile")->required()->check(of_tile);
  app.add_option("tile_k", tile.k, "Step along the inner dimension")->required()->check(of_tile);
  app.add_option("group", group, "Rows of tiles in a group; 0: the best one")
      ->required()
      ->check(CLI::Range(0, 1 << 24));
  app.add_option("teams", teams, "Tiles that run at the same time")->required()->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  constexpr std::int64_t most_tiles = 1 << 12;  // more cannot be told apart in a picture
  const TileOrder row_major         = tile_order(shape, tile, 1);
  if (row_major.rows > most_tiles || row_major.columns > most_tiles || row_major.tiles() > most_tiles) {
    std::cerr << "tegula_tile_order: " << row_major.rows << " x " << row_major.columns << " tiles, more than "
              << most_tiles << '\n';
    return 2;
  }
  const std::int64_t wave     = std::min(teams, row_major.tiles());
  const std::int64_t best     = best_group(row_major.rows, tile, wave);
  const std::int64_t k_blocks = ceil_div(shape.k, tile.k);
  const TileOrder grouped     = tile_order(shape, tile, group == 0 ? best : group);
  JsonObject object;
  object.add("m", shape.m).add("n", shape.n).add("k", shape.k);
  object.add("tile_m", tile.m).add("tile_n", tile.n).add("tile_k", tile.k);
  object.add("teams", teams).add("rows", row_major.rows).add("columns", row_major.columns).add("k_blocks", k_blocks);
  object.add("best_group", best).add("loaded_elements", tile_traffic(shape, row_major).loaded());
  object.add_raw("row_major", of_order(row_major, k_blocks, wave));
  object.add_raw("grouped", of_order(grouped, k_blocks, wave));
  std::cout << object.text() << '\n';
  return 0;
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) { return Tegula::Perf::run(argc, argv); }
