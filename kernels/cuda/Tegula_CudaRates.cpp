// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaRates.hpp"

#include <algorithm>
#include <array>

namespace Tegula::Impl {
namespace {

// Sources. Multiprocessors, highest clocks and bandwidths of memory: the cards' data sheets, whose TFLOP/s agree with
// the rest. Scratch of a team: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
// Multiply-adds: there, "Throughput of Native Arithmetic Instructions", and the architectures' white papers; none of
// them has those of mma.sync on 9.0 and 10.0, which are estimates. The H200's memory, launch and second cache
// were measured by tegula_calibrate. No data sheet has the bandwidth of a second cache: the others are estimates, which
// go with multiprocessors and clock within an architecture. A kernel's launch and the share of the data sheet's
// bandwidth that a copy reaches are taken to be the H200's.
constexpr double launch = 0.65e-6, reached = 0.90, h200_cache = 8.46e12;

constexpr const char *sheet = "data sheet, not measured", *measured = "measured";

/// What all cards of an architecture have: as CudaRates.
struct Architecture {
  int capability, team_scratch;
  double wgmma_half, wgmma_tf32, mma_half, mma_double, fma_float, fma_double;
};
constexpr Architecture ga100{80, 166912, 0, 0, 1024, 64, 64, 32};
constexpr Architecture ga102{86, 101376, 0, 0, 512, 2, 128, 2};
constexpr Architecture ad102{89, 101376, 0, 0, 512, 2, 128, 2};
constexpr Architecture gh100{90, 232448, 2048, 1024, 1280, 128, 128, 64};
constexpr Architecture gb100{100, 232448, 0, 0, 2048, 64, 128, 64};

CudaRates card(const Architecture& of, const char* name, const char* source, int multiprocessors, double clock,
               double memory, double cache) {
  return {of.capability, name,          source,        multiprocessors, of.team_scratch,
          clock,         of.wgmma_half, of.wgmma_tf32, of.mma_half,     of.mma_double,
          of.fma_float,  of.fma_double, memory,        cache,           launch};
}

/// Those of an architecture lie side by side. The first of them counts for devices with other names.
std::span<const CudaRates> records() {
  static const std::array table{
      card(ga100, "A100", sheet, 108, 1.41e9, reached * 2.04e12, 5.0e12),
      card(ga100, "A100 40GB", sheet, 108, 1.41e9, reached * 1.555e12, 5.0e12),
      card(ga100, "A30", sheet, 56, 1.44e9, reached * 0.933e12, 2.6e12),
      card(ga102, "A40", sheet, 84, 1.74e9, reached * 0.696e12, 2.5e12),
      card(ga102, "RTX A6000", sheet, 84, 1.80e9, reached * 0.768e12, 2.6e12),
      card(ga102, "A10", sheet, 72, 1.695e9, reached * 0.600e12, 2.1e12),
      card(ad102, "L40S", sheet, 142, 2.52e9, reached * 0.864e12, 4.0e12),
      card(ad102, "RTX 6000 Ada", sheet, 142, 2.505e9, reached * 0.960e12, 4.0e12),
      card(ad102, "L4", sheet, 58, 2.04e9, reached * 0.300e12, 1.3e12),
      card(gh100, "H200", measured, 132, 1.98e9, 4.3e12, h200_cache),
      card(gh100, "H100", sheet, 132, 1.98e9, reached * 3.35e12, h200_cache),
      card(gh100, "H100 NVL", sheet, 132, 1.785e9, reached * 3.9e12, 0.90 * h200_cache),
      card(gh100, "H100 PCIe", sheet, 114, 1.755e9, reached * 2.0e12, 0.77 * h200_cache),
      card(gh100, "GH200", sheet, 132, 1.98e9, reached * 4.0e12, h200_cache),
      card(gb100, "B200", sheet, 148, 1.85e9, reached * 8.0e12, 18e12),
  };
  return table;
}

/// Names are words between blanks and hyphens.
bool has_word(std::string_view name, std::string_view word) {
  const auto is_edge = [&](std::size_t place) {
    return place >= name.size() || name[place] == ' ' || name[place] == '-';
  };
  for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1))
    if ((at == 0 || is_edge(at - 1)) && is_edge(at + word.size())) return true;
  return false;
}

/// How many words a record's name has, if a device's name has all of them; else 0.
int words_of(std::string_view name, std::string_view device) {
  int words = 0;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find(' '), name.size());
    if (!has_word(device, name.substr(0, end))) return 0;
    ++words;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

/// The record with most words, or null.
const CudaRates* closest(std::span<const CudaRates> records, std::string_view device) {
  const CudaRates* best = nullptr;
  int most              = 0;
  for (const CudaRates& rates : records) {
    const int words = words_of(rates.name, device);
    if (words > most) best = &rates;
    most = std::max(most, words);
  }
  return best;
}

}  // namespace

std::span<const CudaRates> all_cuda_rates() { return records(); }

const CudaRates& cuda_rates(int capability, std::string_view device) {
  const auto all      = records();
  const auto is_newer = [](int asked, const CudaRates& rates) { return asked < rates.capability; };
  const auto end      = std::upper_bound(all.begin() + 1, all.end(), capability, is_newer);
  const auto begin    = std::find_if(
         all.begin(), end, [&](const CudaRates& rates) { return rates.capability == std::prev(end)->capability; });
  const CudaRates* const by_name = closest({begin, end}, device);
  return by_name != nullptr ? *by_name : *begin;
}

const CudaRates* cuda_rates_of_card(std::string_view card) { return closest(records(), card); }

}  // namespace Tegula::Impl
