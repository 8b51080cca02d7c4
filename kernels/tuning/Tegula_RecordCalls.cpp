// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RecordCalls.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>

#include "Tegula_UseTuning.hpp"

namespace Tegula::Impl {

LineFile::~LineFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void LineFile::append(const std::string& line) {
  if (descriptor_ < 0) descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("open", errno);
  while (flock(descriptor_, LOCK_EX) != 0)
    if (errno != EINTR) break;  // a file system without locks: appending is what it has
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  // Behind a line that a dying machine did not end, a new one begins.
  char last               = '\n';
  const bool is_torn      = before > 0 && pread(descriptor_, &last, 1, before - 1) == 1 && last != '\n';
  const std::string whole = (is_torn ? "\n" : "") + line + '\n';
  const ssize_t written   = write(descriptor_, whole.data(), whole.size());
  const int error         = written < 0 ? errno : ENOSPC;
  const bool is_whole     = written == static_cast<ssize_t>(whole.size());
  const bool is_undone    = is_whole || written <= 0 || ftruncate(descriptor_, before) == 0;
  flock(descriptor_, LOCK_UN);
  if (!is_whole) fail(is_undone ? "append to" : "append to, or take back what was appended to,", error);
}

void LineFile::fail(const std::string& what, int error) const {
  throw std::runtime_error("cannot " + what + " \"" + file_ + "\": " + std::strerror(error));
}

bool Recorder::note(const ProblemClass& problem, const PlanningDevice& device) {
  const std::string line = "{\"device\": " + json(tuning_device(device)) + ", \"call\": " + json(problem) + '}';
  const std::lock_guard lock(mutex_);
  if (!seen_.insert(line).second) return true;
  try {
    lines_.append(line);
    return true;
  } catch (const std::runtime_error& error) {
    std::cerr << std::string("Tegula: warning: ") + error.what() + "; calls are recorded no further\n" << std::flush;
    return false;
  }
}

Recorder* kept_recorder(const std::string& file) {
  static std::mutex mutex;
  static auto& all = *new std::vector<std::unique_ptr<Recorder>>();
  const std::lock_guard lock(mutex);
  return all.emplace_back(std::make_unique<Recorder>(file)).get();
}

std::vector<RecordedCall> recorded_calls(const std::string& text, const std::string& file) {
  std::vector<RecordedCall> calls;
  std::set<std::string> seen;
  int number = 0;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    ++number;
    const std::string line = text.substr(at, end - at);
    if (line.empty() || !seen.insert(line).second) continue;
    const Json written = Json::parse(line, file, number);
    written.check_keys({"device", "call"});
    calls.push_back({tuning_device(written.at("device")), problem_class(written.at("call"))});
  }
  return calls;
}

}  // namespace Tegula::Impl
