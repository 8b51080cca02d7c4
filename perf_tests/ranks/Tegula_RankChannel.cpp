// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RankChannel.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>

namespace Tegula::Perf {
namespace {

using Clock = std::chrono::steady_clock;

/// Takes the first message out of the bytes that have come, if it is whole.
std::optional<Message> take_message(std::string& bytes) {
  constexpr std::size_t longest_head = 64;
  const std::size_t line_end         = bytes.find('\n');
  std::istringstream head(bytes.substr(0, line_end));
  Message message;
  std::size_t length = 0;
  if (line_end == std::string::npos && bytes.size() <= longest_head) return std::nullopt;
  if (line_end == std::string::npos || !(head >> message.kind >> length) || !head.eof())
    throw std::runtime_error("\"" + bytes.substr(0, longest_head) + "\" is no message");
  const std::size_t begin = line_end + 1;
  if (bytes.size() < begin + length) return std::nullopt;
  message.payload = bytes.substr(begin, length);
  bytes.erase(0, begin + length);
  return message;
}

/// Waits until there are bytes, or the other end is closed.
void wait_for_bytes(int descriptor, std::optional<Clock::time_point> deadline) {
  for (;;) {
    int milliseconds = -1;
    if (deadline) {
      const std::chrono::duration<double, std::milli> left = *deadline - Clock::now();
      if (left.count() <= 0) throw IsSilent("no message came in time");
      milliseconds = static_cast<int>(std::ceil(std::min(left.count(), 1e6)));
    }
    pollfd polled{descriptor, POLLIN, 0};
    const int ready = poll(&polled, 1, milliseconds);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
  }
}

}  // namespace

RankChannel::RankChannel(RankChannel&& other) noexcept
    : read_end_(std::exchange(other.read_end_, -1)),
      write_end_(std::exchange(other.write_end_, -1)),
      received_(std::move(other.received_)) {}

void RankChannel::send(const std::string& kind, const std::string& payload) {
  const std::string bytes = kind + ' ' + std::to_string(payload.size()) + '\n' + payload;
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(write_end_, bytes.data() + sent, bytes.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::runtime_error("cannot send \"" + kind + "\": " + std::strerror(errno));
    sent += static_cast<std::size_t>(count);
  }
}

std::optional<Message> RankChannel::receive(std::optional<double> seconds) {
  std::optional<Clock::time_point> deadline;
  if (seconds)
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
  for (;;) {
    if (auto message = take_message(received_)) return message;
    wait_for_bytes(read_end_, deadline);
    std::array<char, 4096> bytes;
    const ssize_t count = read(read_end_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    received_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

void RankChannel::close() {
  for (int* const end : {&read_end_, &write_end_})
    if (const int descriptor = std::exchange(*end, -1); descriptor >= 0) ::close(descriptor);
}

}  // namespace Tegula::Perf
