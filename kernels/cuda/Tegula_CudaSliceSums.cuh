// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_SLICE_SUMS_CUH
#define TEGULA_CUDA_SLICE_SUMS_CUH

#include <type_traits>

#include "Tegula_CudaSliceRuns.cuh"
#include "Tegula_LaunchKernel.cuh"
#include "Tegula_ResultElement.cuh"
#include "Tegula_TileOrder.hpp"
#include "reduce/Tegula_SliceShares.hpp"

/// The addition of the slices that products with split-k leave in their workspace.

namespace Tegula::Impl {

/// Z = alpha sums + beta C + bias, C = act(Z). The sums of a slice are those of C, row by row, and behind them the sums
/// of rows of the left operand, if they are wanted, which become row_sums or are added to them.
template <class Sum, class Activation>
struct SliceSums {
  const Sum* slices       = nullptr;
  std::int64_t slice_size = 0, sums = 0;  // of a slice: all elements, those of C
  std::int64_t strip = 0;                 // elements of a strip of columns; 0: C does not lie by columns
  std::int32_t n = 0, splits = 0, shares_log2 = 0;
  bool adds_row_sums = false;
  AnyMatrix C, bias{}, Z{}, row_sums{};  // row_sums: 1 x rows
  Activation activation;                 // a user's may have no constructor without arguments
  Sum alpha, beta;
};

/// Where results lie by columns, neighbours take strips of them, row by row: a warp reads whole sectors of a slice, and
/// writes several elements of a column. `1 << shares_log2` threads share the slices of an element where the device has
/// threads enough, so that many loads are on their way; always in the same order. What results are made of beside the
/// sums is asked for while the product's kernel ends: no product in front of this one that may still run writes it.
template <class Sum, class Activation>
struct SliceSumsKernel : SliceSums<Sum, Activation> {
  using begins_itself = void;

  static constexpr int threads_log2 = 8, threads = 1 << threads_log2, used_bytes = threads * int(sizeof(Sum));
  using teams  = CudaTeams<threads, 4, used_bytes + 16>;
  using member = typename teams::member;

  static constexpr std::int64_t strip_width = 32 / sizeof(Sum);  // of columns, of a sector

  explicit SliceSumsKernel(const SliceSums<Sum, Activation>& arguments) : SliceSums<Sum, Activation>(arguments) {}

  __device__ void operator()(const member& team) const {
    auto* const totals      = static_cast<Sum*>(team.team_scratch(0).get_shmem_aligned(int(used_bytes), 16));
    const int elements_log2 = threads_log2 - this->shares_log2, rank = team.team_rank();
    const int own = rank & ((1 << elements_log2) - 1), share = rank >> elements_log2;
    const std::int64_t element = (static_cast<std::int64_t>(team.league_rank()) << elements_log2) + own;
    const bool is_inside = element < this->slice_size, stores = is_inside && share == 0;
    const Place at    = place(element);
    const Added added = stores ? ask(at) : Added{};
    begin_in_order(team);

    Sum total = is_inside ? sum(slice_offset(at, element), share) : Sum(0);
    if (this->shares_log2 > 0) {
      totals[rank] = total;
      __syncthreads();
      for (int other = 1; other < 1 << this->shares_log2; ++other)
        if (stores) total += totals[(other << elements_log2) + own];
    }
    if (stores) finish(at, total, added);
  }

 private:
  // All that is summed in float may be of any type.
  using Any = ResultElement<std::conditional_t<std::is_same_v<Sum, double>, double, std::uint16_t>>;

  // Where an element lies in C. Of a sum of a row, j is negative.
  struct Place {
    std::int64_t i, j;
    __device__ bool is_row_sum() const { return j < 0; }
  };

  // Elements of what is read beside the slices, as they were asked for.
  struct Added {
    typename Any::Asked C, bias;
  };

  __device__ Place place(std::int64_t element) const {
    if (element >= this->sums) return {element - this->sums, -1};
    if (this->strip == 0) return place_in_rows(element, this->n);
    const std::int64_t strip = quotient(element, this->strip), column = strip * strip_width, rest = this->n - column;
    Place at = place_in_rows(element - strip * this->strip, rest < strip_width ? rest : strip_width);
    at.j += column;
    return at;
  }

  __device__ static Place place_in_rows(std::int64_t element, std::int64_t width) {
    const std::int64_t row = quotient(element, width);
    return {row, element - row * width};
  }

  // Where a slice has what lies there.
  __device__ std::int64_t slice_offset(const Place& at, std::int64_t element) const {
    return this->strip == 0 || at.is_row_sum() ? element : at.i * this->n + at.j;
  }

  __device__ static std::int64_t offset(const AnyMatrix& matrix, const Place& at) {
    return at.i * matrix.row_stride + at.j * matrix.column_stride;
  }

  __device__ Added ask(const Place& at) const {
    Added asked{};
    if (at.is_row_sum()) {
      if (this->adds_row_sums)
        asked.C = Any::ask(this->row_sums.data, this->row_sums.element, at.i * this->row_sums.column_stride);
      return asked;
    }
    if (this->beta != 0) asked.C = Any::ask(this->C.data, this->C.element, offset(this->C, at));
    if (this->bias.data != nullptr) asked.bias = Any::ask(this->bias.data, this->bias.element, offset(this->bias, at));
    return asked;
  }

  // Of every slice of a share. Several are asked for before the first is added.
  __device__ Sum sum(std::int64_t offset, int share) const {
    constexpr int batch     = 8;
    const std::int64_t step = this->slice_size << this->shares_log2;
    const Sum* slice        = this->slices + share * this->slice_size + offset;
    Sum sum                 = 0;
#pragma unroll 1
    for (int split = share; split < this->splits; split += batch << this->shares_log2, slice += batch * step) {
      Sum values[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b)
        values[b] = split + (b << this->shares_log2) < this->splits ? slice[b * step] : Sum(0);
#pragma unroll
      for (int b = 0; b < batch; ++b) sum += values[b];
    }
    return sum;
  }

  __device__ void finish(const Place& at, Sum total, const Added& added) const {
    if (at.is_row_sum()) {
      if (this->adds_row_sums) total += Any::value(this->row_sums.element, added.C);
      return Any::store(this->row_sums.data, this->row_sums.element, at.i * this->row_sums.column_stride, total);
    }
    Sum z = this->alpha == 0 ? Sum(0) : this->alpha * total;
    if (this->beta != 0) z += this->beta * Any::value(this->C.element, added.C);
    if (this->bias.data != nullptr) z += Any::value(this->bias.element, added.bias);
    if (this->Z.data != nullptr) Any::store(this->Z.data, this->Z.element, offset(this->Z, at), z);
    with_activation<Sum>(this->activation, [&](const auto& activation) { z = activation(z); });
    Any::store(this->C.data, this->C.element, offset(this->C, at), z);
  }
};

/// Whether threads add runs. Those of columns must be whole vectors in the result, those of rows in a slice. To write
/// rows that are none takes longer than an element a thread does, unless there are so many that instructions count
/// more: with 330000 elements 1.03 of the time, with 570000 0.98, with a million 0.93 (H200).
template <class Sum, class Activation>
bool adds_runs(const SliceSums<Sum, Activation>& sums, std::int64_t concurrency) {
  if (sums.shares_log2 > 0 || sums.row_sums.data != nullptr) return false;
  if (sums.C.is_column_major()) return run_matrix(sums.C.transposed()).whole;
  return sums.n % Vector<Sum>::size == 0 && (run_matrix(sums.C).whole || sums.sums >= 2 * concurrency);
}

/// Queues the kernel that adds slices to runs of the result's lines.
template <bool by_columns, class Sum, class Activation>
void add_slice_runs(const Kokkos::Cuda& exec, const KernelLabel& label, const GemmShape& shape,
                    const SliceSums<Sum, Activation>& sums, const KernelLaunch& how) {
  using Kernel              = SliceRunsKernel<Sum, Activation, by_columns>;
  const std::int64_t length = by_columns ? shape.m : shape.n, lines = by_columns ? shape.n : shape.m;
  const std::int64_t runs = ceil_div(length, std::int64_t(Kernel::run));
  const auto by_lines = [](const AnyMatrix& matrix) { return run_matrix(by_columns ? matrix.transposed() : matrix); };
  const SliceRuns<Sum, Activation> arguments{.slices     = sums.slices,
                                             .slice_size = sums.slice_size,
                                             .n          = shape.n,
                                             .length     = length,
                                             .beside     = by_columns ? lines : runs,
                                             .all        = lines * runs,
                                             .splits     = sums.splits,
                                             .C          = by_lines(sums.C),
                                             .bias       = by_lines(sums.bias),
                                             .Z          = by_lines(sums.Z),
                                             .activation = sums.activation,
                                             .alpha      = sums.alpha,
                                             .beta       = sums.beta};
  launch_kernel(exec, label, static_cast<std::uint32_t>(ceil_div(arguments.all, std::int64_t(Kernel::threads))),
                Kernel(arguments), CallableRef(), how);
}

/// Queues the addition of the slices of a product that was cut, perhaps beside that of another. `arguments` lack what
/// the plan says.
template <class Sum, class Activation>
void add_slices(const Kokkos::Cuda& exec, const KernelLabel& label, const ProductPlan& product, char* workspace,
                bool runs_beside, SliceSums<Sum, Activation> arguments) {
  using Kernel = SliceSumsKernel<Sum, Activation>;
  if (product.teams() == 0) return;
  const bool sums_rows       = arguments.row_sums.data != nullptr;
  arguments.slices           = reinterpret_cast<const Sum*>(workspace);
  const GemmShape cut        = product.cut_shape();
  arguments.sums             = cut.m * cut.n;
  arguments.slice_size       = arguments.sums + (sums_rows ? cut.m : 0);
  arguments.n                = static_cast<std::int32_t>(cut.n);
  arguments.splits           = static_cast<std::int32_t>(product.split_k);
  arguments.strip            = arguments.C.is_column_major() ? Kernel::strip_width * cut.m : 0;
  const std::int64_t at_once = concurrency_of(exec);
  arguments.shares_log2      = slice_shares_log2(arguments.slice_size, arguments.splits, at_once);
  const KernelLaunch how     = {.runs_beside = runs_beside};
  const std::int64_t of_team = Kernel::threads >> arguments.shares_log2;
  if (adds_runs(arguments, at_once))
    return arguments.C.is_column_major() ? add_slice_runs<true>(exec, label + split_k_step, cut, arguments, how)
                                         : add_slice_runs<false>(exec, label + split_k_step, cut, arguments, how);
  launch_kernel(exec, label + split_k_step, static_cast<std::uint32_t>(ceil_div(arguments.slice_size, of_team)),
                Kernel(arguments), CallableRef(), how);
}

/// The same for the product of gemm, to which an activation of this type is applied.
template <class Activation, class Bits>
void add_slices_with(const Kokkos::Cuda& exec, const KernelLabel& label, const ProductCall<Bits>& call,
                     const ProductPlan& product, char* workspace, bool runs_beside = false) {
  const SliceSums<sum_t<Bits>, Activation> arguments{.C          = call.C,
                                                     .bias       = call.bias,
                                                     .Z          = call.Z,
                                                     .activation = activation_of<Activation>(call),
                                                     .alpha      = call.alpha,
                                                     .beta       = call.beta};
  add_slices(exec, label, product, workspace, runs_beside, arguments);
}

}  // namespace Tegula::Impl

#endif
