// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfTimes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace Tegula::Perf {
namespace {

/// Four digits, without an exponent.
std::string digits_of(double microseconds) {
  std::array<char, 32> buffer{};
  constexpr double long_ones = 1000;
  std::snprintf(buffer.data(), buffer.size(), microseconds < long_ones ? "%.4g" : "%.0f", microseconds);
  return buffer.data();
}

template <class Number>
Number parsed(const std::string& word, std::size_t from, std::size_t to) {
  Number value{};
  const auto [at, bad] = std::from_chars(word.data() + from, word.data() + to, value);
  if (bad != std::errc() || at != word.data() + to || !(value > 0)) throw std::invalid_argument('"' + word + '"');
  return value;
}

/// "64x128x16"
TileShape tile_of(const std::string& word) {
  const std::size_t first = word.find('x'), second = word.find('x', first + 1);
  if (second == std::string::npos) throw std::invalid_argument('"' + word + "\" is no tile");
  return {parsed<int>(word, 0, first), parsed<int>(word, first + 1, second),
          parsed<int>(word, second + 1, word.size())};
}

/// Reads what is behind the call: families, tiles, times.
class WayReader {
 public:
  std::vector<WayTime> read(std::istream& words) {
    for (std::string word; words >> word;) {
      if (word == "|") {
        way_ = {};
      } else if (way_.family.empty()) {
        way_.family = word;
      } else if (word.find(':') == std::string::npos) {
        way_.tile = tile_of(word);
      } else {
        add(word);
      }
    }
    return ways_;
  }

 private:
  void add(const std::string& word) {
    const std::size_t colon = word.find(':');
    const bool is_rough     = word.back() == '~';
    const std::size_t plus  = std::min(word.find('+'), colon);  // "1+6:21.5"
    way_.whole_waves        = plus < colon ? parsed<int>(word, 0, plus) : 0;
    way_.split_k            = parsed<std::int64_t>(word, plus < colon ? plus + 1 : 0, colon);
    if (way_.tile == TileShape{}) throw std::invalid_argument('"' + word + "\": there is no tile before it");
    if (std::any_of(ways_.begin(), ways_.end(), [&](const WayTime& time) { return time.way == way_; }))
      throw std::invalid_argument(text(way_) + " is there twice");
    ways_.push_back({way_, parsed<double>(word, colon + 1, word.size() - (is_rough ? 1 : 0)), is_rough});
  }

  Way way_;
  std::vector<WayTime> ways_;
};

CallTimes times_of(const std::string& line) {
  std::istringstream all(line);
  std::vector<std::string> words;
  for (std::string word; all >> word && word != "|";) words.push_back(word);
  if (words.empty() || (words.back() != "fit" && words.back() != "held"))
    throw std::invalid_argument("a call ends with \"fit\" or \"held\"");
  CallTimes times;
  times.is_held = words.back() == "held";
  words.pop_back();
  times.call = gemm_call_of(words);
  times.ways = WayReader().read(all);
  if (times.ways.empty()) throw std::invalid_argument("there is no time");
  return times;
}

}  // namespace

std::optional<Card> card_of(std::istream& lines) {
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = 2, bracket = line.find(" (");
    Card card;
    if (line.rfind("# ", 0) != 0 || bracket == std::string::npos) continue;
    std::istringstream words(line.substr(bracket + 2));
    std::string unit;
    if (!(words >> card.multiprocessors >> unit) || unit != "multiprocessors") continue;
    card.name = line.substr(name, bracket - name);
    return card;
  }
  return std::nullopt;
}

Card card_of(const std::vector<std::string>& files) {
  std::optional<Card> of_all;
  for (const std::string& file : files) {
    std::ifstream lines(file);
    const auto card = card_of(lines);
    if (card && of_all && *card != *of_all)
      throw std::runtime_error(file + ": these times are of a " + card->name + ", others are of a " + of_all->name);
    if (card) of_all = card;
  }
  return of_all.value_or(Card());
}

std::string text(const CallTimes& times) {
  std::string line = text(times.call) + (times.is_held ? " held" : " fit");
  Way last;
  for (const auto& [way, microseconds, is_rough] : times.ways) {
    if (way.family != last.family) {
      line += " | " + way.family;
      last.tile = {};
    }
    if (way.tile != last.tile) line += ' ' + Tegula::text(way.tile);
    line += ' ' + cut_text(way) + ':' + digits_of(microseconds) + (is_rough ? "~" : "");
    last = way;
  }
  return line;
}

std::vector<CallTimes> read_times(std::istream& lines) {
  std::vector<CallTimes> calls;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    try {
      calls.push_back(times_of(line));
    } catch (const std::invalid_argument& error) {
      throw std::runtime_error(std::to_string(number) + ": " + error.what());
    }
  }
  return calls;
}

std::vector<CallTimes> read_times(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error("cannot open the file of times " + file);
  try {
    return read_times(lines);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file + ':' + error.what());
  }
}

}  // namespace Tegula::Perf
