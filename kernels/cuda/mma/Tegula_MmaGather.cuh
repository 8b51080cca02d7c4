// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_GATHER_CUH
#define TEGULA_MMA_GATHER_CUH

#include "../async/Tegula_AsyncFetch.cuh"

namespace Tegula::Impl {

/// Replaces AsyncFetch for operands whose 16-bit elements must be copied one by one, which cp.async cannot do: lines
/// that begin within a word, and any strides. It waits for what it reads. Chunks run along the depth, whatever the
/// direction of the operand. Neighbouring threads read neighbouring elements.
template <class Config, int Lines>
class MmaGather {
  using Element                       = typename Config::element;
  using Layout                        = AsyncLayout<Element, Major::depth, Lines, Config::tile_k>;
  static constexpr int chunk_elements = Layout::chunk_elements, row_chunks = Layout::row_chunks;

 public:
  static constexpr int passes = Lines * row_chunks / Config::threads;

  __device__ MmaGather(const AsyncOperand& operand, int thread, const AsyncOrigin& origin)
      : operand_(operand), thread_(thread), origin_(origin) {}

  static __device__ int whole_steps(const AsyncOperand&, const AsyncOrigin&) { return 0; }
  __device__ void copy(std::uint32_t, int) const {}
  __device__ void go_on() { origin_.depth += Config::tile_k; }

  __device__ void fetch(std::uint32_t tile) {
#pragma unroll 1
    for (int pass = 0; pass < passes; pass += batch) {
      Batch chunks;
      load(pass, chunks);
      put(tile, pass, chunks);
    }
    go_on();
  }

  /// Fetches a tile of either operand, and waits for both at once, which takes twice as many registers.
  template <class Right>
  __device__ static void fetch_both(MmaGather& left, std::uint32_t left_tile, Right& right, std::uint32_t right_tile) {
    if constexpr (passes == Right::passes) {
#pragma unroll 1
      for (int pass = 0; pass < passes; pass += batch) {
        Batch of_left, of_right;
        left.load(pass, of_left);
        right.load(pass, of_right);
        left.put(left_tile, pass, of_left);
        right.put(right_tile, pass, of_right);
      }
      left.go_on();
      right.go_on();
    } else {
      left.fetch(left_tile);
      right.fetch(right_tile);
    }
  }

 private:
  template <class OtherConfig, int OtherLines>
  friend class MmaGather;

  // So many chunks of a thread are waited for at once.
  static constexpr int batch = passes < 2 ? passes : 2;
  static_assert(passes % batch == 0);
  using Batch = std::uint32_t[batch][4];

  __device__ int line_of(int pass) const {
    const int number = thread_ + pass * Config::threads;
    return operand_.major == Major::depth ? number / row_chunks : number % Lines;
  }
  __device__ int chunk_of(int pass) const {
    const int number = thread_ + pass * Config::threads;
    return operand_.major == Major::depth ? number % row_chunks : number / Lines;
  }

  __device__ void load(int pass, Batch& chunks) const {
#pragma unroll
    for (int b = 0; b < batch; ++b)
      gather(origin_.line + line_of(pass + b), origin_.depth + chunk_of(pass + b) * chunk_elements, chunks[b]);
  }
  __device__ void put(std::uint32_t tile, int pass, const Batch& chunks) const {
#pragma unroll
    for (int b = 0; b < batch; ++b)
      ptx::store_chunk(tile + Layout::offset(line_of(pass + b), chunk_of(pass + b)), chunks[b]);
  }

  __device__ void gather(std::int32_t line, std::int32_t depth, std::uint32_t (&words)[4]) const {
    const Element* from =
        static_cast<const Element*>(operand_.data) + line * operand_.line_stride + depth * operand_.depth_stride;
    const int elements = line < operand_.lines ? origin_.depth_end - depth : 0;
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      const std::uint32_t low  = 2 * word < elements ? __ldg(from + 2 * word * operand_.depth_stride) : 0,
                          high = 2 * word + 1 < elements ? __ldg(from + (2 * word + 1) * operand_.depth_stride) : 0;
      words[word]              = low | high << 16;
    }
  }

  const AsyncOperand& operand_;
  int thread_;
  AsyncOrigin origin_;
};

}  // namespace Tegula::Impl

#endif
