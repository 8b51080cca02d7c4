// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_PEERS_HPP
#define TEGULA_PERF_PEERS_HPP

#include <span>
#include <string>
#include <vector>

namespace Tegula::Perf {

/// A library that computes the same results.
struct Peer {
  const char* name;     ///< on the command line
  const char* package;  ///< of Debian
  const char* needs;    ///< besides that package
  bool forward_only;
  std::string (*start)(int threads);  ///< gets it ready; returns what it is; null if it is not part of this build
};

/// All that these programs know how to call.
std::span<const Peer> known_peers();

/// Names of those that a program can compare with.
std::vector<std::string> available_peers(bool forward);

/// Throws std::invalid_argument, with the available ones, unless each name is that of one, and no other's.
void check_peers(const std::vector<std::string>& names, bool forward);

/// Gets the peer of that name ready, with that many threads; returns library, version and threads in words.
std::string start_peer(const std::string& name, int threads);

/// "a, b", or "none".
std::string listed(const std::vector<std::string>& names);

}  // namespace Tegula::Perf

#endif
