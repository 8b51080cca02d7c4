// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TUNING_FILE_HPP
#define TEGULA_TUNING_FILE_HPP

#include <string>
#include <vector>

#include "Tegula_ProblemClass.hpp"
#include "Tegula_TunedWay.hpp"

/// Tuning files, which tegula_tune writes and planners read: JSON, a line an entry. An entry says by itself what it is
/// of, so that files of several devices, versions and ranks are merged entry by entry.
///
///   {"tegula_tuning": 1, "entries": [
///   {"device": {...}, "version": "0.1.0", "call": {...}, "commit": "0123abc", "way": {...}, "seconds": 1.2e-05, ...},
///   ...
///   ]}
///
/// Errors are std::invalid_argument, which names the file, the line and what is there. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// The machine that an entry was measured on: a processor has `instructions`, a GPU multiprocessors and memory.
struct TuningDevice {
  std::string name         = {};
  std::string space        = {};  // of Kokkos
  std::string instructions = {};
  int threads              = 0;  // of a processor
  int multiprocessors      = 0;
  int memory_gib           = 0;  // rounded: drivers keep a little

  bool is_host() const { return multiprocessors == 0; }

  friend bool operator==(const TuningDevice&, const TuningDevice&) = default;
};

/// "AMD EPYC 9B14 (OpenMP, avx512, 2 threads)"
std::string text(const TuningDevice& device);

struct TuningEntry {
  TuningDevice device;
  std::string version, commit;  // of the library
  ProblemClass problem;
  TunedWay way;                             // the fastest one
  double seconds = 0;                       // measured
  TunedWay model_way;                       // what the planner takes by itself
  double model_seconds = 0, predicted = 0;  // of that: measured, and predicted
  int ways = 0;                             // that were measured
  std::string method;                       // how
};

/// "0.1.0", of this library.
std::string library_version();

/// What two entries of one file differ in: the line of an entry up to its call.
std::string key_of(const TuningEntry& entry);

/// The line of an entry: it begins with key_of(entry).
std::string json(const TuningEntry& entry);

TuningEntry tuning_entry(const Json& written);

/// A device, as in entries.
std::string json(const TuningDevice& device);
TuningDevice tuning_device(const Json& written);

/// The file of entries.
std::string tuning_text(const std::vector<TuningEntry>& entries);

/// The entries of such a file.
std::vector<TuningEntry> tuning_entries(const std::string& text, const std::string& file);

/// All of a file. Throws std::invalid_argument if it cannot be read.
std::string text_of_file(const std::string& file);

}  // namespace Tegula::Impl

#endif
