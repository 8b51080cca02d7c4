// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_FP32_SPLIT_PASS_HPP
#define TEGULA_FP32_SPLIT_PASS_HPP

#include "../Tegula_CudaSpace.hpp"
#include "Tegula_CallableRef.hpp"
#include "Tegula_Fp32SplitOperand.hpp"
#include "Tegula_KernelLabel.hpp"

/// The passes before a product in fp32_split. The first one scales both operands, writes their f16 parts, and finds out
/// which route they allow. The second one decides, and overwrites the parts by bf16 parts if that is the route.

namespace Tegula::Impl {

/// Both operands of a product, and what is known of them, as words: the route, then a report of every team on the left
/// operand, then on the right one.
struct Fp32SplitOperands {
  Fp32SplitOperand operands[2];
  std::uint32_t* words = nullptr;
  std::uint32_t teams = 0, tiles_of_team = 0, more = 0;  // tiles of a team; the first `more` teams have one more

  /// Without operands, k = 0, any route is right.
  TEGULA_HOST_DEVICE Fp32SplitRoute route() const {
    return words == nullptr ? Fp32SplitRoute::half_parts : static_cast<Fp32SplitRoute>(*words);
  }
  TEGULA_HOST_DEVICE std::uint32_t* reports(int operand) const { return words + 4 + operand * teams; }

  /// The number of an operand's tiles that are a team's, and the first of them. Teams share the tiles of both operands,
  /// one operand after the other.
  TEGULA_HOST_DEVICE std::uint32_t share(int operand, std::uint32_t team, std::uint32_t& first) const {
    const std::uint32_t begin = edge(operand, team);
    first                     = begin;
    return edge(operand, team + 1) - begin;
  }

 private:
  // Tiles of an operand before those of a team.
  TEGULA_HOST_DEVICE std::uint32_t edge(int operand, std::uint32_t team) const {
    const std::uint32_t all = team * tiles_of_team + (team < more ? team : more);
    const auto left         = static_cast<std::uint32_t>(operands[0].tiles());
    if (operand == 0) return all < left ? all : left;
    return all < left ? 0 : all - left;
  }
};

/// Teams that run on a multiprocessor at once.
inline constexpr int split_teams_at_once = 2;

/// Teams of a pass: no more than run at once.
inline std::uint32_t split_teams(std::int64_t tiles, int multiprocessors) {
  const std::int64_t most = split_teams_at_once * multiprocessors;
  return static_cast<std::uint32_t>(tiles < most ? tiles : most);
}

/// What a product needs of the workspace.
struct Fp32SplitWorkspace {
  Fp32SplitBytes left, right;
  std::size_t words = 0;

  std::size_t all() const { return left.all() + right.all() + words; }
};

/// Both operands, k > 0, with their places in the workspace, which is aligned to 16 bytes, and the bytes that they
/// need: the words, the first of which is the route, then the left operand's parts, then the right one's.
inline Fp32SplitOperands split_operands(const MatrixRef<const float>& left, const MatrixRef<const float>& right,
                                        char* workspace, int multiprocessors, Fp32SplitWorkspace& bytes) {
  Fp32SplitOperands both;
  both.operands[0]   = split_operand(left, nullptr, bytes.left);
  both.operands[1]   = split_operand(right, nullptr, bytes.right);
  const auto tiles   = both.operands[0].tiles() + both.operands[1].tiles();
  both.teams         = split_teams(tiles, multiprocessors);
  both.tiles_of_team = static_cast<std::uint32_t>(tiles / both.teams);
  both.more          = static_cast<std::uint32_t>(tiles % both.teams);
  bytes.words        = static_cast<std::size_t>(ceil_div(4 + 2 * both.teams, 32)) * 128;
  both.words         = reinterpret_cast<std::uint32_t*>(workspace);
  both.operands[0]   = split_operand(left, workspace + bytes.words, bytes.left);
  both.operands[1]   = split_operand(right, workspace + bytes.words + bytes.left.all(), bytes.right);
  return both;
}

/// Queues the first pass. This one and the next call before() when all of theirs that can fail is ready, and before
/// anything is queued.
void launch_half_parts(const Kokkos::Cuda& exec, const KernelLabel& label, const Fp32SplitOperands& operands,
                       const CallableRef& before);

/// Queues the second pass.
void launch_bhalf_parts(const Kokkos::Cuda& exec, const KernelLabel& label, const Fp32SplitOperands& operands,
                        const CallableRef& before);

}  // namespace Tegula::Impl

#endif
