// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfHeading.hpp"

#include <sstream>

#include "Tegula_PerfPeers.hpp"

namespace Tegula::Perf {

Heading make_heading(const ProgramText& program, const Options& options, const Machine& machine) {
  Heading heading;
  std::ostringstream text;
  text << describe_machine(options) << '\n' << describe_roofs(options, machine) << '\n';
  for (const std::string& peer : options.peers) {
    heading.peers[peer] = start_peer(peer, threads_for_peers());
    text << "peer " << peer << ": " << heading.peers[peer] << '\n';
  }
  if (options.peers.empty()) text << "peers: none; available: " << listed(available_peers(program.forward)) << '\n';
  heading.text = text.str();
  return heading;
}

}  // namespace Tegula::Perf
