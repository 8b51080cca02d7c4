// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_STREAM_EPILOGUE_CUH
#define TEGULA_STREAM_EPILOGUE_CUH

#include "../Tegula_CudaElement.cuh"
#include "../ptx/Tegula_PtxGlobal.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "Tegula_StreamArguments.hpp"
#include "Tegula_StreamTile.cuh"

namespace Tegula::Impl {

/// Stores a tile out of scratch, where alpha times its sums plus the bias lie as C does in memory: C = act(these + beta
/// C), and Z. Whole chunks leave as such, those at the ends of runs element by element.
template <class Config, bool is_packed>
class StreamEpilogue {
  using T                    = typename Config::element;
  static constexpr int block = Config::block;

 public:
  __device__ explicit StreamEpilogue(const StreamArguments<T>& arguments) : p_(arguments) {}

  __device__ void store(const StreamTile<Config, is_packed>& tile, std::uint32_t scratch, int lane) const {
    if (p_.is_plain) {
      is_activation<Relu>(p_.activation) ? store_plain<Relu>(tile, scratch, lane)
                                         : store_plain<Identity>(tile, scratch, lane);
    } else {
      store_with(tile, scratch, lane, [&](T* to, int begin, int end, T(&values)[block]) {
        if (p_.beta != 0) add(to, begin, end, values);
        if (p_.Z != nullptr) write(p_.Z + (to - static_cast<T*>(p_.C.data)), begin, end, values);
        with_activation<T>(p_.activation, [&](const auto& activation) {
#pragma unroll
          for (T& value : values) value = activation(value);
        });
      });
    }
  }

 private:
  template <class Activation>
  __device__ void store_plain(const StreamTile<Config, is_packed>& tile, std::uint32_t scratch, int lane) const {
    store_with(tile, scratch, lane, [](T*, int, int, T(&values)[block]) {
#pragma unroll
      for (T& value : values) value = Activation()(value);
    });
  }

  template <class Finish>
  __device__ void store_with(const StreamTile<Config, is_packed>& tile, std::uint32_t scratch, int lane,
                             const Finish& finish) const {
    tile.for_each_chunk(lane, [&](int chunk, std::int64_t at, int begin, int end) {
      T values[block];
      ptx::load_vector(scratch + chunk * 16, values);
      T* const to = static_cast<T*>(p_.C.data) + at;
      finish(to, begin, end, values);
      write(to, begin, end, values);
    });
  }

  __device__ void add(const T* from, int begin, int end, T (&values)[block]) const {
#pragma unroll
    for (int e = 0; e < block; ++e)
      if (e >= begin && e < end) values[e] += p_.beta * from[e];
  }

  __device__ static void write(T* to, int begin, int end, const T (&values)[block]) {
    if (begin <= 0 && end >= block) return ptx::store_vector(to, values);
#pragma unroll
    for (int e = 0; e < block; ++e)
      if (e >= begin && e < end) to[e] = values[e];
  }

  const StreamArguments<T>& p_;
};

}  // namespace Tegula::Impl

#endif
