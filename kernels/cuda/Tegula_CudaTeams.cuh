// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_TEAMS_CUH
#define TEGULA_CUDA_TEAMS_CUH

#include <cstdint>

#include "Tegula_KokkosBasics.hpp"
#include "ptx/Tegula_PtxDependents.cuh"
#if !TEGULA_CUDA_ENTRY
#include "Tegula_KokkosCompat.hpp"
#endif

/// The teams that a kernel for CUDA runs on: Kokkos' own, or those of Tegula's kernel entry (TEGULA_CUDA_ENTRY), which
/// have the same names for what kernels use.

namespace Tegula::Impl {

/// Scratch of a team, handed out in pieces. Who asks for more than the kernel was launched with is not told.
class CudaTeamScratch {
 public:
  __device__ explicit CudaTeamScratch(char* memory) : free_(memory) {}

  __device__ void* get_shmem_aligned(int bytes, int alignment) const {
    const int missed = static_cast<int>(reinterpret_cast<std::uintptr_t>(free_) % alignment);
    char* const at   = free_ + (missed == 0 ? 0 : alignment - missed);
    free_            = at + bytes;
    return at;
  }

 private:
  mutable char* free_;
};

/// A thread's view of its team, which is a block whose threads are counted by threadIdx.y, as those of Kokkos are.
class CudaTeam {
 public:
  __device__ explicit CudaTeam(bool runs_beside) : scratch_(memory()), runs_beside_(runs_beside) {}

  __device__ int league_rank() const { return static_cast<int>(blockIdx.x); }
  __device__ int league_size() const { return static_cast<int>(gridDim.x); }
  __device__ int team_rank() const { return static_cast<int>(threadIdx.y); }
  __device__ int team_size() const { return static_cast<int>(blockDim.y); }
  __device__ void team_barrier() const { __syncthreads(); }
  __device__ const CudaTeamScratch& team_scratch(int /* level */) const { return scratch_; }
  __device__ bool runs_beside() const { return runs_beside_; }

 private:
  __device__ static char* memory() {
    extern __shared__ __align__(16) char tegula_team_scratch[];
    return tegula_team_scratch;
  }

  CudaTeamScratch scratch_;
  bool runs_beside_;
};

/// What a kernel does once, before it touches memory. It waits for the kernel in front of it; but one that runs beside
/// that depends on nothing in it, and what is in front of that has ended before it could begin itself. Then the kernel
/// behind may begin. Teams of Kokkos' own begin when all has ended.
__device__ inline void begin_in_order(const CudaTeam& team) {
  team.runs_beside() ? ptx::forget_what_was_read_before() : ptx::wait_for_kernel_in_front();
  ptx::let_kernel_behind_begin();
}
template <class Member>
__device__ void begin_in_order(const Member&) {}

/// Teams of `Threads` threads with `ScratchBytes` of scratch, at least `Teams` of which run on a multiprocessor at
/// once. A kernel names its own as `teams`.
template <int Threads, int Teams, int ScratchBytes = 0>
struct CudaTeams {
  static constexpr int threads = Threads, least_at_once = Teams, scratch_bytes = ScratchBytes;
#if TEGULA_CUDA_ENTRY
  using member = CudaTeam;
#else
  using policy = Kokkos::TeamPolicy<Kokkos::Cuda, Kokkos::LaunchBounds<Threads, Teams>>;
  using member = typename policy::member_type;
#endif
};

/// The teams of a configuration.
template <class Config>
using CudaTeamsOf = CudaTeams<Config::threads, Config::teams, Config::scratch_bytes>;

}  // namespace Tegula::Impl

#endif
