// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_TIMES_HPP
#define TEGULA_PERF_TIMES_HPP

#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "Tegula_PerfGemmCall.hpp"
#include "Tegula_PerfWays.hpp"

/// Files of measured times: a line a call, with the time that each way to compute it takes.
///
///   # what was measured, where
///   gemm bf16 NT 1000 512 33 beta=1 bias relu held | wgmma 128x256x64 1:12.34 2:9.8 64x64x64 1:8.123 | mma ...
///
/// After each family its tiles, after each tile its splits of the inner dimension with microseconds; "1+6:21.5" if only
/// what is left of a wave of tiles is cut. A time that ends
/// in ~ is that of a single call, whose way was too slow to be measured well. `fit` calls are there to fit models to,
/// `held` ones to judge them.

namespace Tegula::Perf {

struct WayTime {
  Way way;
  double microseconds = 0;
  bool is_rough       = false;
};

struct CallTimes {
  GemmCall call;
  bool is_held = false;
  std::vector<WayTime> ways;
};

/// The device that a file of times was measured on.
struct Card {
  std::string name    = "NVIDIA H200";
  int multiprocessors = 132;

  friend bool operator==(const Card&, const Card&) = default;
};

/// The card that the heading names: "# NVIDIA H200 (132 multiprocessors"; nothing if it names none.
std::optional<Card> card_of(std::istream& lines);

/// The card that all of these files name; those that name none are of the same one. An H200 if no file names a card.
/// Throws std::runtime_error if they name several.
Card card_of(const std::vector<std::string>& files);

/// The line of a call, without its end.
std::string text(const CallTimes& times);

/// Throws std::runtime_error with the number of the line: what is wrong with it, for example a way that is there twice.
std::vector<CallTimes> read_times(std::istream& lines);

/// The same of a file, whose name the message begins with.
std::vector<CallTimes> read_times(const std::string& file);

}  // namespace Tegula::Perf

#endif
