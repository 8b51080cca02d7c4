// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MMA_GATHER_CUH
#define TEGULA_MMA_GATHER_CUH

#include "../async/Tegula_AsyncFetch.cuh"

namespace Tegula::Impl {

/// Replaces AsyncFetch for operands whose 16-bit elements must be copied one by one, which cp.async cannot do: any
/// strides and addresses. It waits for what it reads. Chunks run along the depth, whatever the direction of the
/// operand. Neighbouring threads read neighbouring elements.
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
  __device__ void go_on() {}

  __device__ void fetch(std::uint32_t tile) {
#pragma unroll 2
    for (int pass = 0; pass < passes; ++pass) {
      const int number = thread_ + pass * Config::threads;
      const int line   = operand_.major == Major::depth ? number / row_chunks : number % Lines,
                chunk  = operand_.major == Major::depth ? number % row_chunks : number / Lines;
      std::uint32_t words[4];
      gather(origin_.line + line, origin_.depth + chunk * chunk_elements, words);
      ptx::store_chunk(tile + Layout::offset(line, chunk), words);
    }
    origin_.depth += Config::tile_k;
  }

 private:
  __device__ void gather(std::int32_t line, std::int32_t depth, std::uint32_t (&words)[4]) const {
    const Element* from =
        static_cast<const Element*>(operand_.data) + line * operand_.line_stride + depth * operand_.depth_stride;
    const int elements = line < operand_.lines ? origin_.depth_end - depth : 0;
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      const std::uint32_t low  = 2 * word < elements ? from[2 * word * operand_.depth_stride] : 0,
                          high = 2 * word + 1 < elements ? from[(2 * word + 1) * operand_.depth_stride] : 0;
      words[word]              = low | high << 16;
    }
  }

  const AsyncOperand& operand_;
  int thread_;
  AsyncOrigin origin_;
};

}  // namespace Tegula::Impl

#endif
