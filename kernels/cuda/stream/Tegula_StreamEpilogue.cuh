// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_EPILOGUE_CUH
#define TEGULA_STREAM_EPILOGUE_CUH

#include "../Tegula_ApproximateActivation.cuh"
#include "../Tegula_CudaElement.cuh"
#include "../Tegula_CudaPairs.cuh"
#include "../ptx/Tegula_PtxGlobal.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_StreamArguments.hpp"
#include "Tegula_StreamTile.cuh"

namespace Tegula::Impl {

/// A chunk of 16 bytes of a result in memory, and its elements as numbers that sums are made of. Those of 16 bits are
/// rounded, with or without relu, when they are stored.
template <class Input>
struct StreamChunk {
  using T                    = bits_t<Input>;
  using Sum                  = sum_t<T>;
  static constexpr int block = 16 / int(sizeof(T));
  using Values               = Sum[block];

  template <bool relu>
  __device__ static void store(T* to, const Values& values) {
    if constexpr (sizeof(T) == 2) {
      std::uint32_t pairs[block / 2];
#pragma unroll
      for (int p = 0; p < block / 2; ++p) pairs[p] = Impl::rounded<relu>(Input(), values[2 * p], values[2 * p + 1]);
      ptx::store_vector(to, pairs);
    } else {
      ptx::store_vector(to, values);
    }
  }

  template <bool relu>
  __device__ static T rounded(Sum value) {
    if constexpr (sizeof(T) == 2) {
      return static_cast<T>(Impl::rounded<relu>(Input(), value, 0.0f));
    } else {
      return value;
    }
  }
};

/// Stores a tile out of scratch, where alpha times its sums plus the bias lie as C does in memory: C = act(these + beta
/// C), and Z. Whole chunks leave as such, those at the ends of runs element by element.
template <class Config, class Input, bool is_packed>
class StreamEpilogue {
  using Chunk                = StreamChunk<Input>;
  using T                    = typename Chunk::T;
  using Values               = typename Chunk::Values;
  static constexpr int block = Config::block;

 public:
  __device__ explicit StreamEpilogue(const StreamArguments<T>& arguments) : p_(arguments) {}

  __device__ void store(const StreamTile<Config, is_packed>& tile, std::uint32_t scratch, int lane) const {
    if (p_.is_plain) {
      is_activation<Relu>(p_.activation) ? store_plain<true>(tile, scratch, lane)
                                         : store_plain<false>(tile, scratch, lane);
    } else {
      store_with<false>(tile, scratch, lane, [&](T* to, int begin, int end, Values& values) {
        if (p_.beta != 0) add(to, begin, end, values);
        if (p_.Z != nullptr) write<false>(p_.Z + (to - static_cast<T*>(p_.C.data)), begin, end, values);
        activate(values);
      });
    }
  }

 private:
  __device__ void activate(Values& values) const {
    if constexpr (sizeof(T) == 2) {
      with_approximate<Input>(p_.activation, [&](const auto& activation) {
#pragma unroll
        for (float& value : values) activation(value);
      });
    } else {
      with_activation<T>(p_.activation, [&](const auto& activation) {
#pragma unroll
        for (T& value : values) value = activation(value);
      });
    }
  }

  template <bool relu>
  __device__ void store_plain(const StreamTile<Config, is_packed>& tile, std::uint32_t scratch, int lane) const {
    store_with<relu>(tile, scratch, lane, [](T*, int, int, Values& values) {
      if constexpr (relu && sizeof(T) > 2)
#pragma unroll
        for (T& value : values) value = Relu()(value);
    });
  }

  template <bool relu, class Finish>
  __device__ void store_with(const StreamTile<Config, is_packed>& tile, std::uint32_t scratch, int lane,
                             const Finish& finish) const {
    tile.for_each_chunk(lane, [&](int chunk, std::int64_t at, int begin, int end) {
      Values values;
      load(scratch, chunk, values);
      T* const to = static_cast<T*>(p_.C.data) + at;
      finish(to, begin, end, values);
      write<relu>(to, begin, end, values);
    });
  }

  __device__ void load(std::uint32_t scratch, int chunk, Values& values) const {
    using Sum          = typename Chunk::Sum;
    constexpr int quad = 16 / int(sizeof(Sum));  // values of 16 bytes
    const StreamImage<Config, is_packed> image(p_.C);
#pragma unroll
    for (int part = 0; part < block / quad; ++part)
      ptx::load_vector(image.place(scratch + chunk * int(sizeof(Values)) + part * 16),
                       reinterpret_cast<Sum(&)[quad]>(values[part * quad]));
  }

  __device__ void add(const T* from, int begin, int end, Values& values) const {
    if (sizeof(T) == 2 && is_whole(begin, end)) {
      const auto word          = *reinterpret_cast<const uint4*>(from);
      const std::uint32_t of[] = {word.x, word.y, word.z, word.w};
#pragma unroll
      for (int e = 0; e < block; ++e) values[e] += p_.beta * widened<Input>(static_cast<T>(of[e / 2] >> e % 2 * 16));
      return;
    }
#pragma unroll
    for (int e = 0; e < block; ++e)
      if (e >= begin && e < end) values[e] += p_.beta * widened<Input>(from[e]);
  }

  __device__ static bool is_whole(int begin, int end) { return begin <= 0 && end >= block; }

  template <bool relu>
  __device__ static void write(T* to, int begin, int end, const Values& values) {
    if (is_whole(begin, end)) return Chunk::template store<relu>(to, values);
#pragma unroll
    for (int e = 0; e < block; ++e)
      if (e >= begin && e < end) to[e] = Chunk::template rounded<relu>(values[e]);
  }

  const StreamArguments<T>& p_;
};

}  // namespace Tegula::Impl

#endif
