// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WGMMA_BUFFERS_CUH
#define TEGULA_WGMMA_BUFFERS_CUH

#include "../Tegula_CudaOutput.hpp"
#include "../ptx/Tegula_PtxBarrier.cuh"
#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "Tegula_WgmmaBlock.cuh"

/// The buffers of a consumer: a ring of boxes (WgmmaBlock) that TMA stores, or fetches before.

namespace Tegula::Impl {

/// How many boxes a block of a matrix is.
__host__ __device__ inline int boxes_of(const AnyMatrix& matrix) { return element_bytes(matrix.element) == 4 ? 2 : 1; }

/// Elements along a line of a box.
__host__ __device__ inline int box_width(const AnyMatrix& matrix) { return 64 / boxes_of(matrix); }

/// Boxes are numbered from 0 on in every tile. Threads of the consumer call everything together, but what says that one
/// thread does, which is their first.
template <class Config>
class WgmmaBuffers {
 public:
  static constexpr int count = Config::buffers, box_bytes = 64 * 128;

  __device__ WgmmaBuffers(std::uint32_t scratch, int consumer, int thread)
      : at_(scratch + Config::stores_at + consumer * count * box_bytes),
        barriers_(scratch + Config::fetches_at + consumer * count * 8),
        consumer_(consumer),
        thread_(thread) {}

  /// One thread of the team calls this, before the barriers of its pipeline are initialised.
  __device__ static void init(std::uint32_t scratch) {
    for (int b = 0; b < Config::consumers * count; ++b) ptx::barrier_init(scratch + Config::fetches_at + 8 * b, 1);
  }

  __device__ std::uint32_t box(int number) const { return at_ + number % count * box_bytes; }

  __device__ void wait_for_warpgroup() const { ptx::named_barrier(1 + consumer_, Config::warpgroup); }

  /// Until all but the last `pending` blocks that were stored have been read.
  __device__ void wait_until_read(int pending) const {
    if (thread_ == 0) wait_stores_read(pending);
    wait_for_warpgroup();
  }

  /// Until all threads have written what TMA stores next.
  __device__ void wait_until_written() const {
    ptx::shared_to_tma_fence();
    wait_for_warpgroup();
  }

  /// One thread: TMA stores a block that has been written to boxes from `number` on, which begins at (row, column).
  __device__ void begin_store(const CudaOutput& output, const CUtensorMap& map, int number, std::int32_t row,
                              std::int32_t column) const {
    for (int b = 0; b < boxes_of(output.matrix); ++b)
      at_box(output, b, row, column,
             [&](std::int32_t fast, std::int32_t slow) { ptx::store_box(map, box(number + b), fast, slow); });
  }

  /// Both for a block.
  __device__ void store(const CudaOutput& output, const CUtensorMap& map, int number, std::int32_t row,
                        std::int32_t column) const {
    wait_until_written();
    if (thread_ != 0) return;
    begin_store(output, map, number, row, column);
    ptx::commit_stores();
  }

  /// Threads have stored a box themselves. It counts as a block that was stored and read, and TMA may write to it.
  __device__ void done_with_box() const {
    wait_until_written();
    if (thread_ == 0) ptx::commit_stores();
  }

  /// One thread: fetches a block to boxes from `number` on, when all but the last `pending` blocks have been read.
  __device__ void fetch(const CudaOutput& from, const CUtensorMap& map, int number, std::int32_t row,
                        std::int32_t column, int pending) const {
    wait_stores_read(pending);
    const int boxes             = boxes_of(from.matrix);
    const std::uint32_t fetched = barrier(number);
    ptx::barrier_arrive_expect(fetched, boxes * box_bytes);
    for (int b = 0; b < boxes; ++b)
      at_box(from, b, row, column,
             [&](std::int32_t fast, std::int32_t slow) { ptx::load_box(box(number + b), map, fast, slow, fetched); });
  }

  /// Until that block is there. `phases` has a bit for each buffer, and begins with 0.
  __device__ void wait_until_fetched(int number, std::uint32_t& phases) const {
    const int buffer = number % count;
    ptx::barrier_wait(barrier(number), phases >> buffer & 1);
    phases ^= 1u << buffer;
  }

 private:
  __device__ std::uint32_t barrier(int number) const { return barriers_ + number % count * 8; }

  // Calls function(fast, slow) with where the `b`th box of a block begins.
  template <class Function>
  __device__ static void at_box(const CudaOutput& matrix, int b, std::int32_t row, std::int32_t column,
                                const Function& function) {
    const std::int32_t along = b * box_width(matrix.matrix);
    if (matrix.by == StoreBy::rows) return function(column + along, row);
    function(row + along, column);
  }

  // For more than two as for two.
  __device__ static void wait_stores_read(int pending) {
    if (pending == 0) return ptx::wait_stores_read<0>();
    if (pending == 1) return ptx::wait_stores_read<1>();
    ptx::wait_stores_read<2>();
  }

  std::uint32_t at_, barriers_;
  int consumer_, thread_;
};

}  // namespace Tegula::Impl

#endif
