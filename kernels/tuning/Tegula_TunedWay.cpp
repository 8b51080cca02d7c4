// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TunedWay.hpp"

#include <sstream>

#include "Tegula_Plan.hpp"

namespace Tegula::Impl {
namespace {

constexpr std::int64_t most_split = 1 << 20, most_tile = 1 << 20, most_threads = 1 << 16, most_waves = 1 << 20;

/// What hosts choose by yes or no, and how files call it.
struct Flag {
  const char* name;
  bool ProductWay::*is_set;
};
constexpr Flag flags[] = {{"transposed", &ProductWay::transposed},
                          {"inner", &ProductWay::inner},
                          {"packs_left", &ProductWay::packs_left},
                          {"packs_right", &ProductWay::packs_right}};

constexpr const char* product_keys[] = {"dA", "dB"};

std::string flags_of(const ProductWay& way) {
  std::string names;
  for (const Flag& flag : flags) {
    if (!(way.*flag.is_set)) continue;
    if (!names.empty()) names += ' ';
    names += flag.name;
  }
  return names;
}

std::string json(const ProductWay& way) {
  std::string written = "{\"family\": " + json_text(way.family) + ", \"tile\": \"" + Tegula::text(way.tile) +
                        "\", \"split_k\": " + std::to_string(way.split_k);
  if (way.whole_waves > 0) written += ", \"whole_waves\": " + std::to_string(way.whole_waves);
  if (way.threads > 0)
    written += ", \"threads\": " + std::to_string(way.threads) + ", \"kind\": " + json_text(flags_of(way));
  return written + '}';
}

/// "64x128x16"
TileShape tile_of(const Json& written) {
  const std::string& text = written.text("tile");
  std::istringstream in(text);
  TileShape tile;
  char first = 0, second = 0;
  const bool is_tile = (in >> tile.m >> first >> tile.n >> second >> tile.k) && in.peek() == EOF && first == 'x' &&
                       second == 'x' && tile.m > 0 && tile.n > 0 && tile.k > 0;
  if (!is_tile || tile.m > most_tile || tile.n > most_tile || tile.k > most_tile)
    written.fail("tile is \"" + text + "\", not such as 64x128x16");
  return tile;
}

void set_flags(ProductWay& way, const Json& written) {
  std::istringstream words(written.text("kind"));
  for (std::string word; words >> word;) {
    bool is_known = false;
    for (const Flag& flag : flags)
      if (word == flag.name) way.*flag.is_set = is_known = true;
    if (!is_known)
      written.fail("kind has \"" + word + "\", which is none of transposed, inner, packs_left, packs_right");
  }
}

ProductWay product_way(const Json& written) {
  written.check_keys({"family", "tile", "split_k", "whole_waves", "threads", "kind"});
  ProductWay way;
  way.family = written.at("family").text("family");
  if (way.family.empty()) written.fail("family is empty");
  way.tile    = tile_of(written.at("tile"));
  way.split_k = written.at("split_k").integer("split_k", 1, most_split);
  if (const Json* const waves = written.find("whole_waves"))
    way.whole_waves = static_cast<int>(waves->integer("whole_waves", 1, most_waves));
  if (const Json* const threads = written.find("threads")) {
    way.threads = static_cast<int>(threads->integer("threads", 1, most_threads));
    set_flags(way, written.at("kind"));
  }
  return way;
}

std::string text(const ProductWay& way) {
  std::string text = way.family + ' ' + Tegula::text(way.tile) + '/' + cut_text(way.whole_waves, way.split_k);
  if (way.threads > 0) text += " by " + std::to_string(way.threads) + (way.threads == 1 ? " thread" : " threads");
  const std::string chosen = flags_of(way);
  return chosen.empty() ? text : text + ' ' + chosen;
}

}  // namespace

std::string json(const TunedWay& way) {
  if (is_planners_own(way)) return "{}";
  if (way.block_bytes > 0) return "{\"block_bytes\": " + std::to_string(way.block_bytes) + '}';
  if (way.products[1].family.empty()) return json(way.products[0]);
  std::string written;
  for (std::size_t p = 0; p < way.products.size(); ++p) {
    if (way.products[p].family.empty()) continue;
    written += (written.empty() ? "{\"" : ", \"") + std::string(product_keys[p]) + "\": " + json(way.products[p]);
  }
  return written + '}';
}

TunedWay tuned_way(const Json& written) {
  TunedWay way;
  if (written.find("family") != nullptr) {
    way.products[0] = product_way(written);
    return way;
  }
  written.check_keys({"block_bytes", product_keys[0], product_keys[1]});
  if (const Json* const bytes = written.find("block_bytes"))
    way.block_bytes = bytes->integer("block_bytes", 1, std::int64_t(1) << 40);
  for (std::size_t p = 0; p < way.products.size(); ++p)
    if (const Json* const product = written.find(product_keys[p])) way.products[p] = product_way(*product);
  return way;
}

std::string text(const TunedWay& way) {
  if (is_planners_own(way)) return "the planner's own";
  if (way.block_bytes > 0) return "gradients together in blocks of " + std::to_string(way.block_bytes) + " bytes";
  std::string words;
  for (const ProductWay& product : way.products)
    if (!product.family.empty()) words += (words.empty() ? "" : "; ") + text(product);
  return words;
}

}  // namespace Tegula::Impl
