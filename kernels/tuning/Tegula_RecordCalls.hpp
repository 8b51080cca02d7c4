// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RECORD_CALLS_HPP
#define TEGULA_RECORD_CALLS_HPP

#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "Tegula_ProblemClass.hpp"
#include "Tegula_TuningFile.hpp"

/// Files of the calls that an application makes: {"device": {...}, "call": {...}}, a line a call. Nothing here needs
/// Kokkos.

namespace Tegula::Impl {

struct PlanningDevice;

/// Appends whole lines to a file that others append to as well. Each is one write in append mode, which local file
/// systems do not tear; over the network only a lock makes appending whole, so that there is one, too.
class LineFile {
 public:
  explicit LineFile(std::string file) : file_(std::move(file)) {}
  ~LineFile();
  LineFile(const LineFile&)            = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Throws std::runtime_error, which names the file, if the line is not there; then nothing of it is.
  void append(const std::string& line);

 private:
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string file_;
  int descriptor_ = -1;
};

/// Writes each call once.
class Recorder {
 public:
  explicit Recorder(const std::string& file) : lines_(file) {}

  /// Whether it was written, now or before. Otherwise std::cerr tells why not.
  bool note(const ProblemClass& problem, const PlanningDevice& device);

 private:
  LineFile lines_;
  std::mutex mutex_;
  std::unordered_set<std::string> seen_;
};

/// A recorder, which lives until the program ends.
Recorder* kept_recorder(const std::string& file);

struct RecordedCall {
  TuningDevice device;
  ProblemClass problem;
};

/// The calls of a recorded file, none twice. A last line without an end is left out: its writer was killed. Throws
/// std::invalid_argument, which names file and line, of what else is wrong.
std::vector<RecordedCall> recorded_calls(const std::string& text, const std::string& file);

}  // namespace Tegula::Impl

#endif
