// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RankProcess.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace Tegula::Perf {
namespace {

// Has the two ends of a worker's channel: "read,write".
constexpr const char* channel_variable = "TEGULA_RANK_CHANNEL";

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    read_end = ends[0], write_end = ends[1];
  }
  int read_end, write_end;
};

/// Texts in the form that exec takes them.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The environment of this process, with more variables, which replace those of the same name.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> texts;
  for (char** text = environ; *text != nullptr; ++text) {
    const std::string name = std::string(*text).substr(0, std::string(*text).find('='));
    if (variables.count(name) == 0) texts.emplace_back(*text);
  }
  for (const auto& [name, value] : variables) texts.push_back(name + '=' + value);
  return texts;
}

/// In the child, between fork and exec, where little is allowed. A worker does not outlive its supervisor.
[[noreturn]] void become_worker(int read_end, int write_end, char** argv, char** environment, WorkerOutput output) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  fcntl(read_end, F_SETFD, 0);
  fcntl(write_end, F_SETFD, 0);
  if (output == WorkerOutput::errors) dup2(STDERR_FILENO, STDOUT_FILENO);
  execve("/proc/self/exe", argv, environment);
  constexpr int cannot_execute = 126;
  _exit(cannot_execute);
}

std::string text_of(int status) {
  if (!WIFSIGNALED(status)) return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  return "killed by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ')';
}

std::string text_of(double seconds) {
  std::ostringstream text;
  text << seconds << " s";
  return text.str();
}

}  // namespace

RankProcess::RankProcess(char** argv, const std::map<std::string, std::string>& variables, WorkerOutput output) {
  std::signal(SIGPIPE, SIG_IGN);  // a worker that is no more is noticed when it is read from
  const Pipe to_worker, from_worker;
  auto all              = variables;
  all[channel_variable] = std::to_string(to_worker.read_end) + ',' + std::to_string(from_worker.write_end);
  auto texts            = environment_with(all);
  const auto pointers   = pointers_to(texts);
  channel_.emplace(from_worker.read_end, to_worker.write_end);
  process_ = fork();
  if (process_ == 0)
    become_worker(to_worker.read_end, from_worker.write_end, argv, const_cast<char**>(pointers.data()), output);
  const int error = errno;
  close(to_worker.read_end);
  close(from_worker.write_end);
  if (process_ < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(error));
}

RankProcess::~RankProcess() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

/// Waits for a process that has ended, or is about to.
std::string RankProcess::wait_for_end() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  return status == 0 ? "" : text_of(status);
}

void RankProcess::fail(const std::string& why) {
  failure_ = why;
  channel_.reset();
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  wait_for_end();
}

void RankProcess::send(const std::string& kind, const std::string& payload) {
  if (!failure_.empty()) return;
  try {
    channel_->send(kind, payload);
  } catch (const std::runtime_error&) {  // it has ended; why is known when something is expected of it
  }
}

std::optional<std::string> RankProcess::expect(const std::string& kind, double seconds) {
  if (!failure_.empty()) return std::nullopt;
  try {
    const auto message = channel_->receive(seconds);
    if (message && message->kind == kind) return message->payload;
    if (!message) {
      end(seconds);
      if (failure_.empty()) fail("ended with exit code 0 before its time");
    } else {
      fail(message->kind == "failed" ? message->payload : "said \"" + message->kind + "\", not \"" + kind + '"');
    }
  } catch (const IsSilent&) {
    fail("was silent for " + text_of(seconds) + ", and was killed");
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  return std::nullopt;
}

void RankProcess::end(double seconds) {
  using Clock = std::chrono::steady_clock;
  if (!failure_.empty() || process_ < 0) return;
  channel_.reset();
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  for (siginfo_t ended{}; ended.si_pid == 0; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    if (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != EINTR) break;
    if (ended.si_pid == 0 && Clock::now() > deadline) return fail("did not end within " + text_of(seconds));
  }
  failure_ = wait_for_end();
}

std::optional<RankChannel> channel_to_supervisor() {
  const char* const text = std::getenv(channel_variable);
  int read_end = -1, write_end = -1;
  if (text == nullptr || std::sscanf(text, "%d,%d", &read_end, &write_end) != 2) return std::nullopt;
  unsetenv(channel_variable);  // a process that this one starts is no worker
  for (const int end : {read_end, write_end}) fcntl(end, F_SETFD, FD_CLOEXEC);
  std::signal(SIGPIPE, SIG_IGN);
  return std::make_optional<RankChannel>(read_end, write_end);
}

}  // namespace Tegula::Perf
