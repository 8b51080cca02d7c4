// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TUNING_WRITER_HPP
#define TEGULA_TUNING_WRITER_HPP

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "tuning/Tegula_TuningFile.hpp"

/// Writing a tuning file that may be killed at any moment, and that others write at the same time.
///
/// An entry goes to the writer's journal first, FILE.journal.<host>.<process>, a line an entry. Journals are merged
/// into the file: under a lock on FILE.lock it is read, written anew beside itself, brought to the disk, and renamed.
/// So the file is whole at all times. Merging takes longer the more entries there are, so that a writer merges as often
/// as it spends a tenth of its time on it: where calls are measured that is after each of them. What a killed writer
/// had not merged is in its journal, which whoever merges next takes along: a journal's writer holds a lock on it while
/// it lives. Locks are flock's, which NFS passes on to its server.

namespace Tegula::Perf {

class TuningWriter {
 public:
  /// Reads the file, if it is there, and merges what killed writers left. Throws std::invalid_argument if it is no
  /// tuning file, and std::runtime_error, which names the file, if it cannot be written.
  explicit TuningWriter(const std::string& file);

  /// Merges the rest, as far as that can be done.
  ~TuningWriter();
  TuningWriter(const TuningWriter&)            = delete;
  TuningWriter& operator=(const TuningWriter&) = delete;

  /// When it returns the entry outlives the process and the machine. It replaces an older one of the same device,
  /// version and call. Throws std::runtime_error if it cannot be written; what was added before stays.
  void add(const Impl::TuningEntry& entry);

  /// Brings all that was added to the file.
  void merge();

  /// Whether the file, as this writer last saw it, has an entry of this device, version and call.
  bool has(const Impl::TuningEntry& entry) const { return lines_.count(key_of(entry)) > 0; }

 private:
  using Lines = std::map<std::string, std::string>;  // of entries, by key_of them

  void read();
  void merge_locked();
  void open_journal();
  std::vector<std::string> take_journals_of_the_dead();
  void write() const;
  bool is_time_to_merge() const;

  std::string file_, journal_;
  int descriptor_ = -1;  // of the journal
  Lines lines_;          // of the file
  Lines pending_;        // that are not in it yet
  std::chrono::steady_clock::time_point merged_at_{};
  std::chrono::duration<double> merging_{0};  // what it took last
};

}  // namespace Tegula::Perf

#endif
