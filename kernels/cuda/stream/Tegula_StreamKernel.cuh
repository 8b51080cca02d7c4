// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_KERNEL_CUH
#define TEGULA_STREAM_KERNEL_CUH

#include <type_traits>

#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_StreamEpilogue.cuh"
#include "Tegula_StreamFragments.cuh"
#include "Tegula_StreamLanes.cuh"

/// The kernel of the stream family. Teams are persistent: they bring the short operand to scratch once. From then on
/// every warp brings tiles of the long operand, multiplies and stores them, and waits for no other warp. Scratch holds
/// tiles as memory does, whatever the length and alignment of their lines. Tensor cores multiply 16 bits; otherwise a
/// lane has whole lines.

namespace Tegula::Impl {

template <class Config, class Input, bool is_packed, bool stores_packed>
struct StreamKernel : StreamArguments<bits_t<Input>> {
  using T         = bits_t<Input>;
  using Arguments = StreamArguments<T>;
  using teams     = CudaTeamsOf<Config>;
  using member    = typename teams::member;
  using Product   = std::conditional_t<sizeof(T) == 2, StreamFragments<Config, Input, is_packed, stores_packed>,
                                     StreamLanes<Config, is_packed, stores_packed>>;

  explicit StreamKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const int thread = team.team_rank(), lane = thread % 32;
    // All threads of a warp have the same value, and the compiler should know.
    const int warp             = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    const std::int64_t apart   = std::int64_t(team.league_size()) * Config::warps * Config::lines;
    const std::uint32_t stages = ptx::shared_address(scratch) + warp * Config::stages * Config::stage_bytes;
    std::int64_t first         = (std::int64_t(team.league_rank()) * Config::warps + warp) * Config::lines;
    const Product product(*this, ptx::shared_address(scratch), warp, lane);
    const StreamEpilogue<Input, stores_packed> epilogue(*this, lane);

    fetch(first, stages, lane);
    product.hold(scratch, thread);
    team.team_barrier();
#pragma unroll 1
    for (std::uint32_t stage = 0; first < this->lines; first += apart, stage = Config::stage_bytes - stage) {
      ptx::wait_copies<0>();
      __syncwarp();
      fetch(first + apart, stages + (Config::stage_bytes - stage), lane);
      product.compute(stages + stage, first, epilogue);
      // Scratch is filled again only when all lanes have read it.
    }
  }

 private:
  __device__ void fetch(std::int64_t first, std::uint32_t stage, int lane) const {
    if (first < this->lines) {
      const T* const from = static_cast<const T*>(this->streamed.data);
      const StreamImage<Config, is_packed> image(this->streamed);
      const auto place = [&](int chunk) { return image.place(stage + chunk * 16); };
      StreamTile<Config, is_packed>(this->streamed, first, this->lines - first)
          .for_each_chunk(
              lane, [&](int chunk, std::int64_t at) { ptx::copy_unit<16>(place(chunk), from + at); },
              [&](int chunk, std::int64_t at, int /* begin */, int end) {
                const int elements = end < Config::block ? end : Config::block;
                ptx::copy_part_of_unit<16>(place(chunk), from + at, elements * int(sizeof(T)));
              });
    }
    ptx::commit_copies();
  }
};

}  // namespace Tegula::Impl

#endif
