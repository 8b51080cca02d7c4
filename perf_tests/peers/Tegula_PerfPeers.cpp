// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfPeers.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "Tegula_PerfCuBlas.hpp"
#include "Tegula_PerfCuBlasLt.hpp"
#include "Tegula_PerfKokkosBlas.hpp"
#include "Tegula_PerfLibxsmm.hpp"
#include "Tegula_PerfOneDnn.hpp"
#include "Tegula_PerfOpenBlas.hpp"

namespace Tegula::Perf {
namespace {

using Start = std::string (*)(int);

// A function of a library that was not found is declared, but not there to be named.
#if TEGULA_PERF_HAS_KOKKOSKERNELS
constexpr Start kokkoskernels = start_kokkosblas;
#else
constexpr Start kokkoskernels = nullptr;
#endif
#if TEGULA_PERF_HAS_OPENBLAS
constexpr Start openblas = start_openblas;
#else
constexpr Start openblas      = nullptr;
#endif
#if TEGULA_PERF_HAS_ONEDNN
constexpr Start onednn = start_onednn;
#else
constexpr Start onednn        = nullptr;
#endif
#if TEGULA_PERF_HAS_LIBXSMM
constexpr Start libxsmm = start_libxsmm;
#else
constexpr Start libxsmm       = nullptr;
#endif
#if TEGULA_PERF_HAS_CUBLAS
constexpr Start cublas   = start_cublas;
constexpr Start cublaslt = start_cublaslt;
#else
constexpr Start cublas        = nullptr;
constexpr Start cublaslt      = nullptr;
#endif

constexpr const char* any  = "the Kokkos that it was built with";
constexpr const char* host = "a build for a host";
constexpr const char* cuda = "a build for GPUs of NVIDIA";
constexpr std::array peers{Peer{"kokkoskernels", "libtrilinos-kokkos-kernels-dev", any, false, kokkoskernels},
                           Peer{"openblas", "libopenblas-dev", host, false, openblas},
                           Peer{"onednn", "libdnnl-dev", host, true, onednn},
                           Peer{"libxsmm", "libxsmm-dev", host, true, libxsmm},
                           Peer{"cublas", "nvidia-cuda-dev", cuda, false, cublas},
                           Peer{"cublas_plain", "nvidia-cuda-dev", cuda, false, cublas},
                           Peer{"cublaslt", "nvidia-cuda-dev", cuda, false, cublaslt}};

const Peer* find(const std::string& name) {
  const auto peer = std::find_if(peers.begin(), peers.end(), [&](const Peer& known) { return name == known.name; });
  return peer == peers.end() ? nullptr : &*peer;
}

std::string refusal(const std::string& name) {
  const Peer* const peer = find(name);
  if (peer == nullptr) return "is unknown";
  if (peer->start != nullptr) return "has no backward pass";
  return std::string("is not part of this build (Debian: ") + peer->package + "; it needs " + peer->needs + ')';
}

}  // namespace

std::span<const Peer> known_peers() { return peers; }

std::vector<std::string> available_peers(bool forward) {
  std::vector<std::string> names;
  for (const Peer& peer : peers)
    if (peer.start != nullptr && (forward || !peer.forward_only)) names.emplace_back(peer.name);
  return names;
}

void check_peers(const std::vector<std::string>& names, bool forward) {
  const std::vector<std::string> available = available_peers(forward);
  for (auto name = names.begin(); name != names.end(); ++name) {
    std::string wrong;
    if (std::find(available.begin(), available.end(), *name) == available.end()) wrong = refusal(*name);
    if (std::find(names.begin(), name, *name) != name) wrong = "is named twice";
    if (!wrong.empty())
      throw std::invalid_argument("--peers: " + *name + ' ' + wrong + "; available: " + listed(available));
  }
}

std::string start_peer(const std::string& name, int threads) { return find(name)->start(threads); }

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace Tegula::Perf
