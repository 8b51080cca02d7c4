// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_PROCESS_HPP
#define TEGULA_RANK_PROCESS_HPP

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "Tegula_RankChannel.hpp"

namespace Tegula::Perf {

/// Where a worker prints.
enum class WorkerOutput {
  errors,  ///< to where errors go: the supervisor has the output for its table
  kept     ///< to where this process prints
};

/// The worker of a rank: this program once more, as a process of its own. When it has failed nothing more is sent to it
/// or expected of it.
class RankProcess {
 public:
  /// Starts it with the same arguments, and some more variables in its environment. Throws std::runtime_error if there
  /// can be no more processes.
  RankProcess(char** argv, const std::map<std::string, std::string>& variables,
              WorkerOutput output = WorkerOutput::errors);

  /// Kills what still runs.
  ~RankProcess();
  RankProcess(const RankProcess&)            = delete;
  RankProcess& operator=(const RankProcess&) = delete;

  void send(const std::string& kind, const std::string& payload = "");

  /// The payload of the next message. Nothing if the process fails before it comes, is silent for so many seconds, or
  /// says something else.
  std::optional<std::string> expect(const std::string& kind, double seconds);

  /// Lets it end, which it fails to do if it takes longer.
  void end(double seconds);

  /// Why it failed, as "killed by signal 9 (Killed)"; empty: it has not.
  const std::string& failure() const { return failure_; }

 private:
  void fail(const std::string& why);
  std::string wait_for_end();

  pid_t process_ = -1;  // -1: there is none any more
  std::optional<RankChannel> channel_;
  std::string failure_;
};

/// In a worker, the channel to its supervisor; nothing in any other process. To be called once.
std::optional<RankChannel> channel_to_supervisor();

}  // namespace Tegula::Perf

#endif
