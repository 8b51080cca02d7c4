// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TuningWriter.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace Tegula::Perf {
namespace {

using Impl::TuningEntry;

[[noreturn]] void fail(const std::string& what, const std::string& file) {
  throw std::runtime_error("cannot " + what + " \"" + file + "\": " + std::strerror(errno));
}

/// A file that is open.
class Descriptor {
 public:
  Descriptor(const std::string& file, int flags) : file_(file), number_(open(file.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&)            = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  std::string file_;
  int number_;
};

bool lock(int descriptor, int how) {
  while (flock(descriptor, how) != 0)
    if (errno != EINTR) return false;
  return true;
}

/// The lock that whoever changes the file or its journals holds. The file itself is replaced by every merge, so that it
/// cannot be what is locked.
class FileLock {
 public:
  explicit FileLock(const std::string& file) : descriptor_(file + ".lock", O_RDWR | O_CREAT) {
    if (!descriptor_.is_open()) fail("open", file + ".lock");
    if (!lock(descriptor_.number(), LOCK_EX)) fail("lock", file + ".lock");
  }

 private:
  Descriptor descriptor_;  // closing it unlocks
};

void write_all(int descriptor, const std::string& text, const std::string& file) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write", file);
    at += static_cast<std::size_t>(written);
  }
}

/// "host.1234": no other process that sees the file has this name.
std::string process_name() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  static std::atomic<int> writers{0};
  return std::string(host.data()) + '.' + std::to_string(getpid()) + '.' + std::to_string(writers++);
}

std::filesystem::path folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  return folder.empty() ? "." : folder;
}

/// Names of files beside this one that begin with it and the ending.
std::vector<std::string> beside(const std::string& file, const std::string& ending) {
  const std::string begin = std::filesystem::path(file).filename().string() + ending;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(file)))
    if (entry.path().filename().string().rfind(begin, 0) == 0) names.push_back(entry.path().string());
  return names;
}

/// A name that was made, or changed, outlives the machine.
void sync_folder_of(const std::string& file) {
  const Descriptor folder(folder_of(file).string(), O_RDONLY | O_DIRECTORY);
  if (folder.is_open()) fsync(folder.number());
}

constexpr const char *head = "{\"tegula_tuning\": 1, \"entries\": [", *tail = "]}", *behind_key = ", \"commit\": \"";

/// The part of an entry's line that key_of() is. It has no quote of another meaning.
std::string key_in(const std::string& line) { return line.substr(0, line.find(behind_key)); }

std::map<std::string, std::string> parsed(const std::string& text, const std::string& file) {
  std::map<std::string, std::string> lines;
  for (const TuningEntry& entry : Impl::tuning_entries(text, file)) lines[key_of(entry)] = json(entry);
  return lines;
}

/// The same of a file that a writer wrote, without reading what it says: a merge must not take long. Nothing if others
/// may have written it.
bool split(const std::string& text, std::map<std::string, std::string>& lines) {
  std::size_t at       = 0;
  const auto next_line = [&] {
    const std::size_t end  = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at                     = end + 1;
    return line;
  };
  if (next_line() != head) return false;
  while (at < text.size()) {
    std::string line = next_line();
    if (line == tail) return at == text.size();
    if (line.back() == ',') line.pop_back();
    if (line.find(behind_key) == std::string::npos) return false;
    std::string key       = key_in(line);
    lines[std::move(key)] = std::move(line);
  }
  return false;
}

}  // namespace

TuningWriter::TuningWriter(const std::string& file) : file_(file) {
  const FileLock locked(file_);
  if (std::filesystem::exists(file_)) lines_ = parsed(Impl::text_of_file(file_), file_);
  // No other writer is at work here: these are of writers that were killed.
  for (const std::string& left : beside(file_, ".new.")) unlink(left.c_str());
  merge_locked();
  merging_ = {};  // what reading took does not keep the first entry from the file
  open_journal();
}

TuningWriter::~TuningWriter() {
  try {
    merge();
    const FileLock locked(file_);
    unlink(journal_.c_str());
  } catch (const std::exception&) {  // the journal stays, and is taken by the next writer
  }
  if (descriptor_ >= 0) close(descriptor_);
}

/// Under the lock: whoever looks for journals of the dead must not find this one before it is locked.
void TuningWriter::open_journal() {
  journal_ = file_ + ".journal." + process_name();
  Descriptor journal(journal_, O_RDWR | O_CREAT | O_EXCL | O_APPEND);
  if (!journal.is_open()) fail("open", journal_);
  if (!lock(journal.number(), LOCK_EX | LOCK_NB)) fail("lock", journal_);
  descriptor_ = journal.release();
  sync_folder_of(journal_);
}

void TuningWriter::add(const TuningEntry& entry) {
  const std::string line = json(entry);
  const off_t before     = lseek(descriptor_, 0, SEEK_END);
  try {
    write_all(descriptor_, line + '\n', journal_);
    if (fdatasync(descriptor_) != 0) fail("write", journal_);
  } catch (const std::runtime_error&) {
    static_cast<void>(ftruncate(descriptor_, before) == 0);  // a part of a line is none, in any case
    throw;
  }
  pending_[key_of(entry)] = line;
  if (is_time_to_merge()) merge();
}

bool TuningWriter::is_time_to_merge() const {
  constexpr double share = 0.1;
  return (std::chrono::steady_clock::now() - merged_at_) * share >= merging_;
}

void TuningWriter::merge() {
  if (pending_.empty()) return;
  const FileLock locked(file_);
  merge_locked();
}

void TuningWriter::read() {
  if (!std::filesystem::exists(file_)) return lines_.clear();
  const std::string text = Impl::text_of_file(file_);
  Lines lines;
  lines_ = split(text, lines) ? std::move(lines) : parsed(text, file_);
}

void TuningWriter::merge_locked() {
  const auto start = std::chrono::steady_clock::now();
  read();
  const auto taken = take_journals_of_the_dead();
  for (const auto& [key, line] : pending_) lines_[key] = line;
  if (!pending_.empty() || !taken.empty()) write();
  pending_.clear();
  if (descriptor_ >= 0 && ftruncate(descriptor_, 0) != 0) fail("empty", journal_);
  for (const std::string& journal : taken) unlink(journal.c_str());
  merged_at_ = std::chrono::steady_clock::now();
  merging_   = merged_at_ - start;
}

/// Adds their entries to lines_, and returns their names.
std::vector<std::string> TuningWriter::take_journals_of_the_dead() {
  std::vector<std::string> taken;
  for (const std::string& name : beside(file_, ".journal.")) {
    if (name == journal_) continue;
    const Descriptor journal(name, O_RDWR);
    if (!journal.is_open() || !lock(journal.number(), LOCK_EX | LOCK_NB)) continue;  // its writer lives
    taken.push_back(name);
    const std::string text = Impl::text_of_file(name);
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      try {
        const TuningEntry entry = Impl::tuning_entry(Impl::Json::parse(text.substr(at, end - at), name));
        lines_[key_of(entry)]   = json(entry);
      } catch (const std::invalid_argument&) {  // what a dying machine made of a line
      }
    }
  }
  return taken;
}

void TuningWriter::write() const {
  const std::string written = file_ + ".new." + process_name();
  try {
    {
      const Descriptor descriptor(written, O_WRONLY | O_CREAT | O_TRUNC);
      if (!descriptor.is_open()) fail("open", written);
      std::string text = head;
      for (const auto& [key, line] : lines_) text += (text.back() == '[' ? "\n" : ",\n") + line;
      write_all(descriptor.number(), text + '\n' + tail + '\n', written);
      if (fsync(descriptor.number()) != 0) fail("write", written);
    }
    if (rename(written.c_str(), file_.c_str()) != 0) fail("replace", file_);
  } catch (const std::runtime_error&) {
    unlink(written.c_str());
    throw;
  }
  sync_folder_of(file_);
}

}  // namespace Tegula::Perf
