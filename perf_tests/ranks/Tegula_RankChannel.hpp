// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RANK_CHANNEL_HPP
#define TEGULA_RANK_CHANNEL_HPP

#include <optional>
#include <stdexcept>
#include <string>

/// What a supervisor and the worker of a rank say to each other. Each message is a line "kind length" and so many
/// bytes.
///
///   supervisor           worker
///   count                count N      how many devices it sees; it ends
///   begin RANK           hello HEADING, host NAME, pci ADDRESS, context ...   after the machine was measured
///                        ready        a row is checked, or has failed
///   go                   row ...      timed, as the file has it. Once for each phase; then the next one is ready, ...
///                        end ...      ... or there is none: the context, once more
///                        failed WHY   at any time, as its last message

namespace Tegula::Perf {

struct Message {
  std::string kind, payload;
};

/// The other end is silent, and no message has come in time.
class IsSilent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One end of two pipes, closed with the object.
class RankChannel {
 public:
  RankChannel(int read_end, int write_end) : read_end_(read_end), write_end_(write_end) {}
  RankChannel(RankChannel&& other) noexcept;
  RankChannel& operator=(RankChannel&&) = delete;
  ~RankChannel() { close(); }

  /// Throws std::runtime_error if nobody reads any more.
  void send(const std::string& kind, const std::string& payload = "");

  /// Waits for so many seconds, or without end. Nothing if the other end was closed. Throws IsSilent, and
  /// std::runtime_error if what comes is no message.
  std::optional<Message> receive(std::optional<double> seconds = std::nullopt);

  void close();

 private:
  int read_end_, write_end_;
  std::string received_;  // and not yet a whole message
};

}  // namespace Tegula::Perf

#endif
