// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SKINNY_KERNEL_CUH
#define TEGULA_SKINNY_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "Tegula_SkinnyFetch.cuh"
#include "Tegula_SkinnyStore.cuh"

/// The kernel of the skinny family. Teams are persistent: they bring the short operand to scratch once. From then on
/// every warp brings its tiles of the long operand, multiplies and stores them, and waits for no other warp.

namespace Tegula::Impl {

template <class Config, StreamBy by>
struct SkinnyKernel : SkinnyArguments<typename Config::element> {
  using T         = typename Config::element;
  using Arguments = SkinnyArguments<T>;
  using teams     = CudaTeamsOf<Config>;
  using member    = typename teams::member;

  explicit SkinnyKernel(const Arguments& arguments) : Arguments(arguments) {}

  __device__ void operator()(const member& team) const {
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const int thread = team.team_rank();
    // All threads of a warp have the same value, and the compiler should know.
    const int warp  = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);
    const int first = team.league_rank() * Config::warps + warp, apart = team.league_size() * Config::warps;
    T* const held = reinterpret_cast<T*>(scratch + Config::streamed_bytes);

    hold(ptx::shared_address(held), thread);
    SkinnyFetch<Config, by> fetch(*this, first, apart, thread % 32);
    char* const stages = scratch + warp * Config::stages * Config::stage_bytes;
    fetch(ptx::shared_address(stages));
    ptx::wait_copies<0>();
    team.team_barrier();
    multiply(fetch, first, apart, thread % 32, stages, held);
  }

 private:
  __device__ void multiply(SkinnyFetch<Config, by>& fetch, int first, int apart, int lane, char* stages,
                           const T* held) const {
    const std::uint32_t lines   = ptx::shared_address(stages) + first_line(lane),
                        columns = ptx::shared_address(held) + lane % Config::lane_columns * 16;
    int stage                   = 0;  // where the next step is; then the other one
#pragma unroll 1
    for (std::int32_t tile = first; tile < this->tiles; tile += apart) {
      SkinnySums<Config> sums = {};
#pragma unroll 1
      for (int step = 0; step < this->steps; ++step, stage ^= 1) {
        ptx::wait_copies<0>();
        __syncwarp();
        fetch(ptx::shared_address(stages) + (stage ^ 1) * Config::stage_bytes);
        const int left = this->depth - step * Config::tile_k;
        multiply_skinny<Config, by>(lines + stage * Config::stage_bytes,
                                    columns + step * (Config::tile_k * Config::tile_n * int(sizeof(T))),
                                    left < Config::tile_k ? left : Config::tile_k, sums);
      }
      // The stage that was multiplied last is filled again only when all lanes have read it.
      store(tile, lane, sums, held, stages + (stage ^ 1) * Config::stage_bytes);
    }
  }

  __device__ static int first_line(int lane) {
    return SkinnyLayout<Config, by>::offset(lane / Config::lane_columns * Config::block, 0);
  }

  // Brings the short operand, with zeros around it, and the bias as one more row if it is the same for all lines.
  __device__ void hold(std::uint32_t scratch, int thread) const {
    const int depth = this->steps * Config::tile_k;
#pragma unroll 1
    for (int at = thread; at < (depth + 1) * Config::tile_n; at += Config::threads) {
      const int step = at / Config::tile_n, line = at % Config::tile_n;
      const bool is_bias  = step == depth;
      const bool inside   = line < this->held.lines && (is_bias ? this->has_common_bias : step < this->depth);
      const T* const from = is_bias ? this->bias.at(0, line)
                                    : this->held.data + line * this->held.line_stride + step * this->held.depth_stride;
      ptx::copy_part_of_unit<int(sizeof(T))>(scratch + at * int(sizeof(T)), inside ? from : this->held.data,
                                             inside ? int(sizeof(T)) : 0);
    }
  }

  __device__ void store(std::int32_t tile, int lane, const SkinnySums<Config>& sums, const T* held,
                        char* scratch) const {
    this->result.is_transposed ? store_along<true>(tile, lane, sums, held, scratch)
                               : store_along<false>(tile, lane, sums, held, scratch);
  }

  template <bool along_columns>
  __device__ void store_along(std::int32_t tile, int lane, const SkinnySums<Config>& sums, const T* held,
                              char* scratch) const {
    const SkinnyStore<Config, along_columns> store(this->result, tile * Config::tile_m, lane);
    if (!this->result.C.by_vectors) return store.by_elements(sums, this->across, scratch);
    if (!this->is_plain) return store.any(sums, scratch);
    const T* const bias = held + this->steps * Config::tile_k * Config::tile_n;
    if (is_activation<Relu>(this->result.activation)) {
      store.template plain<true>(sums, bias);
    } else {
      store.template plain<false>(sums, bias);
    }
  }
};

}  // namespace Tegula::Impl

#endif
