// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SIMT_KERNEL_CUH
#define TEGULA_SIMT_KERNEL_CUH

#include "../Tegula_CudaTeams.cuh"
#include "../Tegula_ElementEpilogue.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "Tegula_SimtArguments.hpp"
#include "Tegula_SimtElements.hpp"
#include "Tegula_SimtPlainElements.cuh"
#include "Tegula_SimtVectors.cuh"

/// The kernel of the simt family: a team computes one tile, and all its warps fetch and multiply.

namespace Tegula::Impl {

template <class Config, FetchBy left_by, FetchBy right_by, class Activation>
struct SimtKernel : SimtArguments<Activation> {
  using teams  = CudaTeamsOf<Config>;
  using member = typename teams::member;

  explicit SimtKernel(const SimtArguments<Activation>& arguments) : SimtArguments<Activation>(arguments) {}

  __device__ void operator()(const member& team) const {
    char* const scratch =
        static_cast<char*>(team.team_scratch(0).get_shmem_aligned(int(Config::used_bytes), int(Config::alignment)));
    const CudaWork work = tiles(static_cast<std::uint32_t>(team.league_rank()));
    const int thread    = team.team_rank();
    // All threads of a warp have the same value, and the compiler should know.
    const int warp = __shfl_sync(0xFFFFFFFFu, thread / 32, 0);

    SimtSums<Config> sums = {};
    if (work.step_begin < work.step_end) multiply(work, scratch, thread, warp, sums);
    result.is_transposed ? store<true>(work, scratch, warp, thread % 32, sums)
                         : store<false>(work, scratch, warp, thread % 32, sums);
  }

 private:
  using SimtArguments<Activation>::left;
  using SimtArguments<Activation>::right;
  using SimtArguments<Activation>::tiles;
  using SimtArguments<Activation>::depth;
  using SimtArguments<Activation>::result;

  static constexpr int group_threads = Config::group_warps * 32;

  using LeftFetch  = SimtFetch<left_by, float, Config::tile_m, Config::tile_k, Config::threads>;
  using RightFetch = SimtFetch<right_by, float, Config::tile_n, Config::tile_k, Config::threads>;
  using Mainloop   = SimtMainloop<Config, LeftFetch, RightFetch>;
  using Epilogue   = VectorEpilogue<float, Activation>;

  __device__ void multiply(const CudaWork& work, char* scratch, int thread, int warp, SimtSums<Config>& sums) const {
    const std::int32_t begin = work.step_begin * Config::tile_k, end = work.step_end * Config::tile_k;
    const std::int32_t depth_end = end < depth ? end : depth;
    const SimtOrigin left_origin{work.row, begin, depth_end}, right_origin{work.column, begin, depth_end};
    Mainloop(left, left_origin, right, right_origin, work.step_end - work.step_begin, ptx::shared_address(scratch),
             warp, thread, sums)
        .run();
  }

  template <bool along_columns>
  __device__ void store(const CudaWork& work, char* scratch, int warp, int lane, const SimtSums<Config>& sums) const {
    const Epilogue epilogue(result, work.split);
    const auto [i, j] = place<along_columns>(work, warp, lane);
    if (Config::warps_k > 1 || !result.is_plain() || result.C.is_unaligned()) {
      store_by_scratch<along_columns>(epilogue, work, scratch, warp, lane, sums);
    } else if (is_activation<Relu>(result.activation)) {
      store_plain<along_columns, true>(epilogue, i, j, sums);
    } else {
      store_plain<along_columns, false>(epilogue, i, j, sums);
    }
  }

  // Of a sum in the result.
  struct Place {
    std::int32_t i, j;
  };

  // Of a lane's first sum.
  template <bool along_columns>
  __device__ static Place place(const CudaWork& work, int warp, int lane) {
    const std::int32_t row    = work.row + Mainloop::row_of(warp, lane),
                       column = work.column + Mainloop::column_of(warp, lane);
    return along_columns ? Place{column, row} : Place{row, column};
  }

  // The usual epilogue. The bias is the same for all lines of the result, or one number for each line.
  template <bool along_columns, bool relu>
  __device__ void store_plain(const Epilogue& epilogue, std::int32_t i, std::int32_t j,
                              const SimtSums<Config>& sums) const {
    using Vectors     = SimtVectors<Config, along_columns>;
    const bool common = result.bias.row_stride == 0;
    Vector<float> biases[Vectors::blocks];
#pragma unroll
    for (int b = 0; b < Vectors::blocks; ++b)
      biases[b] = common ? epilogue.bias(i, j + Vectors::block_offset(b)) : Vector<float>{};
#pragma unroll
    for (int v = 0; v < Vectors::count; ++v) {
      const std::int32_t at_i = i + Vectors::line_offset(v), at_j = j + Vectors::block_offset(v);
      epilogue.template store_plain<relu>(at_i, at_j, Vectors::get(sums, result.alpha, v),
                                          common ? biases[Vectors::block(v)] : epilogue.bias(at_i, at_j));
    }
  }

  // Any epilogue, and sums of several groups of warps, which divide the vectors among them. The vectors go through
  // scratch, in a loop that is not unrolled: the instructions of all vectors would not fit the instruction cache. Rows
  // that are not aligned leave with neighbouring lanes at neighbouring elements.
  template <bool along_columns>
  __device__ void store_by_scratch(const Epilogue& epilogue, const CudaWork& work, char* scratch, int warp, int lane,
                                   const SimtSums<Config>& sums) const {
    using Vectors            = SimtVectors<Config, along_columns>;
    constexpr int batch      = Config::batch;
    const bool unaligned     = result.C.is_unaligned() || result.Z.is_unaligned();
    const auto first_of_warp = place<along_columns>(work, warp, 0);
    const SimtPlainElements<Config, along_columns> plain(result, work.split, first_of_warp.i, first_of_warp.j, lane);
    const int group = warp / Config::group_warps, first_rank = warp % Config::group_warps * 32;
    Vector<float>* const shared = reinterpret_cast<Vector<float>*>(scratch) + first_rank;
#pragma unroll
    for (int first = 0; first < Vectors::count; first += batch) {
      __syncthreads();
#pragma unroll
      for (int v = 0; v < batch; ++v)
        shared[(group * batch + v) * group_threads + lane] = Vectors::get(sums, result.alpha, first + v);
      __syncthreads();
#pragma unroll 1
      for (int v = group; v < batch; v += Config::warps_k) {
        auto [i, j] = place<along_columns>(work, warp, unaligned ? 0 : lane);
        i += Vectors::line_offset(first + v);
        j += Vectors::block_offset(first + v);
        const Vector<float>* const vectors = shared + v * group_threads;
        if (!unaligned) {
          epilogue.store(i, j, total(vectors + lane));
          continue;
        }
        SimtElementValues values;
        pick_elements<along_columns>(vectors, lane, values);
        if (plain.applies()) {
          plain.store(first + v, values);
        } else {
          store_elements<along_columns>(i, j, work.split, lane, values);
        }
      }
    }
  }

  // A lane's elements of the vectors of its warp.
  template <bool along_columns>
  __device__ static void pick_elements(const Vector<float>* vectors, int lane, SimtElementValues& values) {
    using Elements            = SimtElements<Config, along_columns>;
    const float* const floats = reinterpret_cast<const float*>(vectors);
#pragma unroll
    for (int e = 0; e < Elements::count; ++e) values[e] = total(floats + Elements::offset(e, lane));
  }

  // Any epilogue. The first one of the warp's elements is (i, j).
  template <bool along_columns>
  __device__ void store_elements(std::int32_t i, std::int32_t j, int split, int lane, SimtElementValues& values) const {
    using Elements = SimtElements<Config, along_columns>;
    using Places   = SimtPlaces<Elements>;
    const Places places(i + Elements::first_line(lane), j + Elements::first_at(lane), result.m, result.n);
    ElementResults<float, Places, Activation>(result, result.C.data + split * result.slice).store(places, values);
  }

  // The sums of what all groups of warps have at this place, always in the same order.
  __device__ static float total(const float* first) {
    float total = *first;
#pragma unroll
    for (int group = 1; group < Config::warps_k; ++group)
      total += first[group * Config::batch * group_threads * Vector<float>::size];
    return total;
  }
  __device__ static Vector<float> total(const Vector<float>* first) {
    Vector<float> total = *first;
#pragma unroll
    for (int group = 1; group < Config::warps_k; ++group) {
      const Vector<float> part = first[group * Config::batch * group_threads];
#pragma unroll
      for (int e = 0; e < 4; ++e) total.of[e] += part.of[e];
    }
    return total;
  }
};

}  // namespace Tegula::Impl

#endif
