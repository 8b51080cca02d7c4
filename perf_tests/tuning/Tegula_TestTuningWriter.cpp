// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <thread>

#include "Tegula_TuningWriter.hpp"
#include "tuning/Tegula_RecordCalls.hpp"

/// Tuning files and recorded calls with several writers at once, some of them killed, and with full disks. No Kokkos,
/// so that processes may fork. TEGULA_TEST_STRESS=1 asks for eight writers of 1000 entries.

namespace Tegula::Perf {
namespace {

using namespace Impl;

const bool is_stressed = std::getenv("TEGULA_TEST_STRESS") != nullptr;

/// The entry with this number of a writer.
TuningEntry entry_of(int writer, int number, double seconds = 1e-6) {
  TuningEntry entry;
  entry.device        = {"a processor of 20 \"cores\", each", "Serial", "avx2", 1, 0, 0};
  entry.version       = library_version();
  entry.commit        = "0123abc";
  entry.problem.shape = {writer + 1, number + 1, 7};
  for (std::size_t m = 0; m < 3; ++m) entry.problem.matrices[m].layout = MatrixLayout::right;
  entry.way     = {{ProductWay{"host", {8, 16, 32}, 1, 1}}};
  entry.seconds = entry.model_seconds = seconds;
  entry.ways                          = 1;
  entry.method                        = "none";
  return entry;
}

class TuningWriters : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<TuningEntry> entries() const { return tuning_entries(text_of_file(file_), file_); }

  /// What a process does that reads the file all the time: until SIGTERM. Throws if it is ever damaged.
  void look_until_told() const {
    static volatile std::sig_atomic_t is_told = 0;
    std::signal(SIGTERM, [](int) { is_told = 1; });
    int looks = 0;
    for (; is_told == 0; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      if (!std::filesystem::exists(file_)) continue;
      entries();
      ++looks;
    }
    if (looks <= 3) throw std::runtime_error("the file was read " + std::to_string(looks) + " times only");
  }

  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.insert(entry.path().filename());
    return names;
  }

  std::string folder_ = testing::TempDir() + "tegula_writers." + std::to_string(getpid());
  std::string file_   = folder_ + "/tuning.json";
};

TEST_F(TuningWriters, WriteWhatCanBeRead) {
  {
    TuningWriter writer(file_);
    writer.add(entry_of(0, 0));
    EXPECT_EQ(entries().size(), 1u) << "at once, where little is merged";
    writer.add(entry_of(0, 1));
    writer.add(entry_of(0, 1, 2e-6));
    EXPECT_EQ(writer.has(entry_of(0, 0)), true);
    EXPECT_EQ(writer.has(entry_of(0, 2)), false);
  }
  ASSERT_EQ(entries().size(), 2u);
  EXPECT_EQ(entries()[1].seconds, 2e-6) << "a newer entry replaces an older one";
  EXPECT_EQ(names(), (std::set<std::string>{"tuning.json", "tuning.json.lock"})) << "nothing else is left";
  const std::string text = tuning_text(entries()) + '\n';  // as another program might write it
  std::ofstream(file_) << text;
  TuningWriter(file_).add(entry_of(1, 0));
  EXPECT_EQ(entries().size(), 3u);
}

TEST_F(TuningWriters, LeaveAFileAloneThatIsNoneOfTheirs) {
  const std::string text = "{\"tegula_tuning\": 1, \"entries\": [\n{}\n]}\n";
  std::ofstream(file_) << text;
  EXPECT_THROW(TuningWriter{file_}, std::invalid_argument);
  EXPECT_EQ(text_of_file(file_), text);
  EXPECT_THROW(TuningWriter{folder_ + "/absent/tuning.json"}, std::runtime_error);
}

/// What a child process does.
template <class Work>
pid_t child(const Work& work) {
  const pid_t process = fork();
  if (process != 0) return process;
  try {
    work();
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    _exit(1);
  }
  _exit(0);
}

int exit_code(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// As on a full disk, files cannot grow beyond some bytes, for a while.
TEST_F(TuningWriters, KeepWhatIsThereWhenTheDiskIsFull) {
  constexpr int fitting = 20;
  const auto bytes      = static_cast<rlim_t>(tuning_text({entry_of(0, 0)}).size() * fitting);
  const pid_t process   = child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const auto limit_files = [](rlim_t most) {
      const rlimit limit{most, RLIM_INFINITY};
      setrlimit(RLIMIT_FSIZE, &limit);
    };
    limit_files(bytes);
    TuningWriter writer(file_);
    for (int number = 0;; ++number) {
      try {
        writer.add(entry_of(0, number));
      } catch (const std::runtime_error& error) {
        const bool is_named = std::string(error.what()).find("\"" + file_) != std::string::npos;
        limit_files(RLIM_INFINITY);
        writer.add(entry_of(1, 0));
        _exit(is_named ? number : 0);  // without merging, as if it was killed
      }
    }
  });
  const int written     = exit_code(process);
  EXPECT_GE(written, fitting / 2);
  EXPECT_GE(entries().size(), 1u);
  TuningWriter{file_};  // takes what is in the journal
  std::set<std::string> keys;
  for (const TuningEntry& entry : entries()) keys.insert(key_of(entry));
  for (int number = 0; number < written; ++number) EXPECT_EQ(keys.count(key_of(entry_of(0, number))), 1u) << number;
  EXPECT_EQ(keys.count(key_of(entry_of(1, 0))), 1u) << "what is added when there is room again";
  for (const std::string& name : names()) EXPECT_EQ(name.find(".new."), std::string::npos) << name;
}

/// A pipe through which a writer tells the numbers of entries that it was told are safe.
struct Pipe {
  int ends[2];

  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }

  void tell(int number) const {
    EXPECT_EQ(write(ends[1], &number, sizeof number), static_cast<ssize_t>(sizeof number));
  }

  /// The last number, when nobody writes any more; or none.
  int last(int none) {
    close(std::exchange(ends[1], -1));
    for (int number = 0; read(ends[0], &number, sizeof number) == static_cast<ssize_t>(sizeof number);) none = number;
    return none;
  }
};

/// Adds entries from a first one on, and tells of each when it is safe.
void add_entries(const std::string& file, int writer, int first, int count, const Pipe& pipe) {
  TuningWriter tuning(file);
  for (int number = first; number < count; ++number) {
    tuning.add(entry_of(writer, number));
    pipe.tell(number);
  }
}

/// Starts a writer that is killed after a random time, again and again from where it came to.
void add_while_being_killed(const std::string& file, int writer, int count, int kills) {
  std::mt19937 random(7);
  int next = 0, killed = 0;
  while (next < count) {
    Pipe pipe;
    const pid_t process = child([&] { add_entries(file, writer, next, count, pipe); });
    if (killed < kills) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % (is_stressed ? 200000 : 40000)));
      kill(process, SIGKILL);
      ++killed;
    }
    const int code = exit_code(process);
    EXPECT_TRUE(code == 0 || code == -1);
    next = pipe.last(next - 1) + 1;
    if (next == count && killed < kills) next = 0;  // it was faster: once more
  }
  EXPECT_EQ(killed, kills);
}

TEST_F(TuningWriters, LoseNothingThoughOneIsKilledAgainAndAgain) {
  const int writers = is_stressed ? 8 : 4, count = is_stressed ? 1000 : 100, kills = is_stressed ? 50 : 20;
  std::vector<Pipe> pipes(static_cast<std::size_t>(writers));
  std::vector<pid_t> processes;
  for (int w = 1; w < writers; ++w)
    processes.push_back(child([&] { add_entries(file_, w, 0, count, pipes[static_cast<std::size_t>(w)]); }));
  // A process, too: to fork beside a thread leaves the child with locks that nobody opens.
  const pid_t reader = child([&] { look_until_told(); });
  add_while_being_killed(file_, 0, count, kills);
  for (const pid_t process : processes) EXPECT_EQ(exit_code(process), 0);
  kill(reader, SIGTERM);
  EXPECT_EQ(exit_code(reader), 0);
  TuningWriter{file_};  // takes what the killed one left
  std::set<std::string> written;
  for (const TuningEntry& entry : entries()) written.insert(key_of(entry));
  EXPECT_EQ(written.size(), static_cast<std::size_t>(writers * count));
  for (int w = 0; w < writers; ++w)
    for (int number = 0; number < count; ++number)
      EXPECT_EQ(written.count(key_of(entry_of(w, number))), 1u) << w << ' ' << number;
  EXPECT_EQ(names(), (std::set<std::string>{"tuning.json", "tuning.json.lock"}));
}

TEST_F(TuningWriters, OfRecordedCallsLoseNoneAndTearNone) {
  const std::string file = folder_ + "/calls.txt";
  constexpr int writers = 6, count = 500;
  const auto line_of = [](int writer, int number) {
    const TuningEntry entry = entry_of(writer, number);
    return "{\"device\": " + json(entry.device) + ", \"call\": " + json(entry.problem) + '}';
  };
  std::ofstream(file) << "{\"device\"";  // a line that was torn before
  std::vector<pid_t> processes;
  for (int w = 0; w < writers; ++w)
    processes.push_back(child([&] {
      LineFile lines(file);
      for (int number = 0; number < count; ++number) lines.append(line_of(w, number));
    }));
  for (const pid_t process : processes) EXPECT_EQ(exit_code(process), 0);
  const std::string text = text_of_file(file);
  EXPECT_EQ(recorded_calls(text.substr(text.find('\n') + 1), file).size(), static_cast<std::size_t>(writers * count));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), writers * count + 1);
}

TEST_F(TuningWriters, OfRecordedCallsTakeBackWhatDoesNotFit) {
  const std::string file = folder_ + "/calls.txt";
  const pid_t process    = child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    LineFile lines(file);
    lines.append(std::string(60, 'a'));
    try {
      lines.append(std::string(60, 'b'));
    } catch (const std::runtime_error& error) {
      _exit(std::string(error.what()).find(file) != std::string::npos ? 42 : 1);
    }
  });
  EXPECT_EQ(exit_code(process), 42);
  EXPECT_EQ(text_of_file(file), std::string(60, 'a') + '\n');
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
