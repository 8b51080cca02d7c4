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

/// Stores lines out of scratch, where they lie as C does in memory. Whole chunks leave as such, those at the ends of
/// runs element by element. `Lines` says how many lines there are, and how far columns are apart in scratch: a
/// configuration, or a part of it.
template <class Input, bool is_packed>
class StreamEpilogue {
  using T                    = bits_t<Input>;
  using Sum                  = sum_t<T>;
  static constexpr int block = 16 / int(sizeof(T));
  using Values               = Sum[block];
  // A chunk as it is in memory, with pairs of elements of 16 bits.
  using Word                 = std::conditional_t<sizeof(T) == 2, std::uint32_t, T>;
  static constexpr int words = 16 / int(sizeof(Word));
  using Words                = Word[words];

 public:
  __device__ StreamEpilogue(const StreamArguments<T>& arguments, int lane) : p_(arguments), lane_(lane) {}

  /// C = results, or the larger of these and 0, from line `first` on. 16 bits have been rounded, and compared with 0.
  template <class Lines>
  __device__ void store_plain(std::uint32_t results, std::int64_t first) const {
    sizeof(T) > 2 && is_activation<Relu>(p_.activation) ? copy<Lines, true>(results, first)
                                                        : copy<Lines, false>(results, first);
  }

  /// C = act(results + beta C), and Z the argument of act. Results are sums, with bias and alpha.
  template <class Lines>
  __device__ void store_finished(std::uint32_t results, std::int64_t first) const {
    const StreamImage<Lines, is_packed> image(p_.C);
    tile<Lines>(first).for_each_part(lane_, [&](int chunk, std::int64_t at, int begin, int end) {
      Values values;
      load(image, results + chunk * int(sizeof(Values)), values);
      T* const to = static_cast<T*>(p_.C.data) + at;
      if (p_.beta != 0) add(to, begin, end, values);
      if (p_.Z != nullptr) write(p_.Z + at, begin, end, values);
      activate(values);
      write(to, begin, end, values);
    });
  }

 private:
  template <class Lines>
  __device__ StreamTile<Lines, is_packed> tile(std::int64_t first) const {
    return StreamTile<Lines, is_packed>(p_.C, first, p_.lines - first);
  }

  template <class Lines, bool relu>
  __device__ void copy(std::uint32_t results, std::int64_t first) const {
    const StreamImage<Lines, is_packed> image(p_.C);
    const auto load = [&](int chunk, Words& of) {
      ptx::load_vector(image.place(results + chunk * 16), of);
      if constexpr (relu)
#pragma unroll
        for (Word& word : of) word = Relu()(word);
    };
    T* const C = static_cast<T*>(p_.C.data);
    tile<Lines>(first).for_each_chunk(
        lane_,
        [&](int chunk, std::int64_t at) {
          Words of;
          load(chunk, of);
          ptx::store_vector(C + at, of);
        },
        [&](int chunk, std::int64_t at, int begin, int end) {
          Words of;
          load(chunk, of);
          write(C + at, begin, end, of);
        });
  }

  template <class Image>
  __device__ static void load(const Image& image, std::uint32_t from, Values& values) {
    constexpr int quad = 16 / int(sizeof(Sum));  // values of 16 bytes
#pragma unroll
    for (int part = 0; part < block / quad; ++part)
      ptx::load_vector(image.place(from + part * 16), reinterpret_cast<Sum(&)[quad]>(values[part * quad]));
  }

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

  __device__ static void write(T* to, int begin, int end, const Values& values) {
    if constexpr (sizeof(T) == 2) {
      Words of;
#pragma unroll
      for (int p = 0; p < words; ++p) of[p] = rounded<false>(Input(), values[2 * p], values[2 * p + 1]);
      write(to, begin, end, of);
    } else {
      write_words(to, begin, end, values);
    }
  }
  __device__ static void write(T* to, int begin, int end, const Words& of) requires(sizeof(T) == 2) {
    write_words(to, begin, end, of);
  }
  __device__ static void write_words(T* to, int begin, int end, const Words& of) {
    if (is_whole(begin, end)) return ptx::store_vector(to, of);
#pragma unroll
    for (int e = 0; e < block; ++e)
      if (e >= begin && e < end) to[e] = element(of, e);
  }
  __device__ static T element(const Words& of, int e) {
    if constexpr (sizeof(T) == 2) {
      return static_cast<T>(of[e / 2] >> e % 2 * 16);
    } else {
      return of[e];
    }
  }

  const StreamArguments<T>& p_;
  int lane_;
};

}  // namespace Tegula::Impl

#endif
