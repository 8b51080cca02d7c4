// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "Tegula_TestCudaCalls.hpp"
#include "Tegula_TestCudaGraph.hpp"
#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestTools.hpp"
#include "cuda/Tegula_LaunchKernel.cuh"

/// Kernels for CUDA have the same teams, and are told to Kokkos' tools in the same way, whether Kokkos launches them or
/// Tegula's kernel entry does (Tegula_CUDA_LAUNCH). Needs a GPU of NVIDIA.

namespace Tegula::Test {
namespace {

using Impl::CallableRef;
using Impl::CudaTeams;
using Impl::KernelLabel;
using Impl::launch_kernel;

using Numbers = Kokkos::View<int*, Kokkos::CudaSpace>;

auto on_host(const Numbers& numbers) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers); }

/// Every thread leaves its rank at one end of the scratch or the other, and stores what its neighbour left.
template <int ScratchBytes>
struct Neighbours {
  static constexpr int alignment = 1024, used = ScratchBytes - alignment, half = used / 2 / int(sizeof(int));
  using teams  = CudaTeams<96, 1, ScratchBytes>;
  using member = typename teams::member;

  int* seen;

  __device__ void operator()(const member& team) const {
    // Kokkos takes references, and a device has no address for a static member.
    int* const scratch = static_cast<int*>(team.team_scratch(0).get_shmem_aligned(int(used), int(alignment)));
    const int rank = team.team_rank(), next = (rank + 1) % team.team_size();
    scratch[place(rank)] = rank;
    team.team_barrier();
    seen[team.league_rank() * team.team_size() + rank] =
        is_aligned(scratch) ? team.league_rank() * 1000 + scratch[place(next)] : -team.league_size();
  }

 private:
  __device__ static int place(int rank) { return rank % 2 * half + rank; }
  __device__ static bool is_aligned(const void* scratch) {
    return reinterpret_cast<std::uintptr_t>(scratch) % alignment == 0;
  }
};

constexpr int little = 8 * 1024, large = 96 * 1024, too_much = 1024 * 1024;

template <int ScratchBytes>
void launch_neighbours(const Kokkos::Cuda& exec, const Numbers& seen, const CallableRef& before = CallableRef()) {
  const auto teams = static_cast<std::uint32_t>(seen.extent(0) / 96);
  launch_kernel(exec, KernelLabel("Tegula::neighbours"), teams, Neighbours<ScratchBytes>{seen.data()}, before);
}

template <int ScratchBytes>
void expect_teams() {
  const Kokkos::Cuda exec;
  const Numbers seen("seen", 7 * 96);
  launch_neighbours<ScratchBytes>(exec, seen);
  exec.fence();
  const auto got = on_host(seen);
  for (int at = 0; at < got.extent_int(0); ++at) {
    const int rank = at % 96, team = at / 96;
    ASSERT_EQ(got(at), team * 1000 + (rank + 1) % 96) << "team " << team << ", thread " << rank;
  }
}

TEST(CudaLaunch, TeamsHaveRanksABarrierAndScratch) { expect_teams<little>(); }

TEST(CudaLaunch, TeamsHaveTheScratchOfTheDevice) {
  if (cuda_team_scratch() < large + 8 * 1024) GTEST_SKIP() << "a team has " << cuda_team_scratch() << " bytes";
  expect_teams<large>();
}

TEST(CudaLaunch, ToolsHearOfItsBeginningAndItsEnd) {
  const Kokkos::Cuda exec;
  const Numbers seen("seen", 96);
  const auto events = record([&] { launch_neighbours<little>(exec, seen); });
  exec.fence();
  ASSERT_EQ(events.launches.size(), 1u);
  EXPECT_EQ(events.launches[0].label, "Tegula::neighbours");
  EXPECT_EQ(events.launches[0].device, Kokkos::Tools::Experimental::device_id(exec));
  EXPECT_EQ(events.ended, std::vector<std::uint64_t>{0});
  EXPECT_EQ(events.fences, std::vector<std::string>());
}

TEST(CudaLaunch, ALeagueWithoutTeamsIsNothing) {
  launch_neighbours<little>(Kokkos::Cuda(), Numbers("seen", 0));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

#if TEGULA_CUDA_ENTRY
void expect_no_launch(const Kokkos::Cuda& exec, const Numbers& seen) {
  bool is_begun     = false;
  const auto before = [&] { is_begun = true; };
  try {
    launch_neighbours<too_much>(exec, seen, CallableRef(before));
    ADD_FAILURE() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("Tegula::neighbours"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(is_begun) << "something would have been queued";
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "who asks next is told";
}

TEST(CudaLaunch, AKernelThatCannotBeHadLeavesEverythingAsItWas) {
  const Kokkos::Cuda exec;
  const Numbers seen("seen", 96);
  const auto events = record([&] { expect_no_launch(exec, seen); });
  EXPECT_EQ(events.launches.size(), 0u);
  expect_no_launch(exec, seen);  // it is tried again
  expect_teams<little>();
}

TEST(CudaLaunch, AKernelThatCannotBeHadLeavesACaptureAsItWas) {
  const CudaStream stream;
  const Kokkos::Cuda& exec = stream.exec();
  const Numbers seen("seen", 96);
  launch_neighbours<little>(exec, seen);
  exec.fence();
  for (const CaptureMode& mode : capture_modes) {
    Kokkos::deep_copy(seen, -1);
    const CudaGraph graph(exec, mode.mode, [&] {
      expect_no_launch(exec, seen);
      launch_neighbours<little>(exec, seen);
    });
    graph.launch();
    exec.fence();
    const auto got = on_host(seen);
    EXPECT_EQ(got(0), 1) << mode.name;
    EXPECT_EQ(got(95), 0) << mode.name;
  }
}
#endif

}  // namespace
}  // namespace Tegula::Test
