// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_SCRATCH_STEPS_CUH
#define TEGULA_SHALLOW_SCRATCH_STEPS_CUH

#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxAsyncCopy.cuh"
#include "Tegula_ShallowBlocks.cuh"
#include "Tegula_ShallowPlace.cuh"

namespace Tegula::Impl {

/// The steps of a warp whose dZ goes through scratch, in float and double. A lane asks for some rows of a column at
/// once, and puts the dZ that it forms into scratch. From there lanes read it twice: its transpose is multiplied by
/// lines of the left operand, for sums that stay in registers until the end; and it by those of the right operand, for
/// sums of rows, which take the place of dZ when the step is done.
template <class Config>
class ShallowScratchSteps {
  using T    = typename Config::sum;
  using Unit = typename Config::Unit;

  static constexpr int rows = Unit::rows, asked = Unit::asked, depth = Config::depth, pitch = Config::pitch;
  static constexpr int line = Config::line_pitch, groups = Config::groups, group = Config::group;

 public:
  static constexpr bool takes_turns = false;

  __device__ ShallowScratchSteps(const ShallowArguments<T>& arguments, T* scratch, const ShallowPlace& place)
      : p_(arguments),
        place_(place),
        scratch_(scratch),
        dZ_(scratch + place.unit * Config::step_sums),
        right_(scratch + Config::operands_at),
        left_(right_ + place.across * Unit::columns * line),
        dC_(first(arguments.dC)),
        saved_(first(arguments.saved)),
        next_row_(place.first),
        rows_left_(place.last - place.row()),
        has_column_(column() < arguments.dC.columns),
        blocks_(place.lane) {}

  template <class Member>
  __device__ void begin(const Member& team) {
    ask();
    go_on(asked);
    if (p_.of_rows.is_wanted())
      bring(p_.right, place_.panel_column, static_cast<std::int32_t>(p_.dC.columns), place_.across * Unit::columns,
            right_);
    bring_left(0);
    ptx::wait_copies<0>();
    team.team_barrier();
  }

  /// Multiplies a step, and returns where the sums of rows of all warps lie, when they have all come here. Steps take
  /// turns with the lines of the left operand.
  __device__ T* add(int turn) {
    bring_left(turn ^ 1);
    const std::uint32_t dZ   = ptx::shared_address(dZ_),
                        left = ptx::shared_address(left_ + (turn * place_.step + place_.row_block() * rows) * line);
#pragma unroll 1
    for (int first_row = 0; first_row < rows; first_row += asked) {
      put_gradient(dZ_ + first_row * pitch);
      ask();
      go_on(first_row + 2 * asked == rows ? place_.step - rows + asked : asked);
      __syncwarp();
      if (p_.of_columns.is_wanted())
        blocks_.add_to_columns(dZ + first_row * pitch * int(sizeof(T)), left + first_row * line * int(sizeof(T)));
    }
    const T total = p_.of_rows.has_sums ? row_total() : T(0);
    if (p_.of_rows.is_wanted())
      blocks_.put_rows(dZ, ptx::shared_address(right_ + place_.column_block() * Unit::columns * line));
    __syncwarp();
    if (place_.lane < rows) dZ_[rows * depth + place_.lane] = total;
    ptx::wait_copies<0>();
    return scratch_;
  }

  /// Puts the sums of columns into scratch, lines of Config::pitch.
  template <int>
  __device__ void put(T* tile) const {
    blocks_.put(tile);
  }

  /// Those of dZ itself.
  __device__ void put_totals(T* tile) const { tile[place_.lane] = total_; }

 private:
  __device__ std::int32_t column() const {
    return place_.panel_column + place_.column_block() * Unit::columns + place_.lane;
  }
  __device__ const T* first(const MatrixRef<const T>& matrix) const {
    return matrix.data + place_.row() * matrix.row_stride + column() * matrix.column_stride;
  }

  // Asks for the next rows. Beyond the end dC counts as 0 and saved as 1, where no derivative is infinite.
  __device__ void ask() {
    if (has_column_ && rows_left_ >= asked) {
      ask_whole(p_.dC.row_stride, dC_, asked_dC_);
      if (!p_.slope.is_one) ask_whole(p_.saved.row_stride, saved_, asked_saved_);
    } else {
      ask_part(p_.dC.row_stride, dC_, T(0), asked_dC_);
      if (!p_.slope.is_one) ask_part(p_.saved.row_stride, saved_, T(1), asked_saved_);
    }
  }
  __device__ static void ask_whole(std::int64_t stride, const T* from, T (&to)[asked]) {
#pragma unroll
    for (int r = 0; r < asked; ++r) to[r] = from[r * stride];
  }
  __device__ void ask_part(std::int64_t stride, const T* from, T beyond, T (&to)[asked]) const {
#pragma unroll
    for (int r = 0; r < asked; ++r) {
      to[r] = beyond;
      if (has_column_ && r < rows_left_) to[r] = from[r * stride];
    }
  }
  __device__ void go_on(int rows_on) {
    dC_ += rows_on * p_.dC.row_stride;
    saved_ += rows_on * p_.saved.row_stride;
    rows_left_ -= rows_on;
  }

  // Brings lines of an operand, which end at `end`, and zeros beyond them: eight threads along the depth.
  __device__ void bring(const MatrixRef<const T>& operand, std::int32_t first_line, std::int32_t end, int lines,
                        T* to) const {
    constexpr int at_once = Config::threads / group;
    const int thread = place_.unit * 32 + place_.lane, at = place_.depth_at + thread % group;
    const T* from     = operand.data + (first_line + thread / group) * operand.row_stride + at * operand.column_stride;
    std::uint32_t put = ptx::shared_address(to + thread / group * line + thread % group);
    for (int l = first_line + thread / group; l < first_line + lines; l += at_once) {
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        const bool is_there = l < end && at + g * group < p_.depth;
        ptx::copy_part_of_unit<sizeof(T)>(put + g * group * int(sizeof(T)),
                                          is_there ? from + g * group * operand.column_stride : operand.data,
                                          is_there ? sizeof(T) : 0);
      }
      from += at_once * operand.row_stride;
      put += at_once * line * int(sizeof(T));
    }
    ptx::commit_copies();
  }
  // Those of the next step's rows, if there are any.
  __device__ void bring_left(int turn) {
    if (p_.of_columns.is_wanted() && next_row_ < place_.last)
      bring(p_.left, next_row_, place_.last, place_.step, left_ + turn * place_.step * line);
    next_row_ += place_.step;
  }

  // Forms what was asked for.
  __device__ void put_gradient(T* to) {
    if (p_.slope.is_one) {
      put_gradient(to, [](int) { return T(1); });
    } else if (p_.slope.is_curved) {
      put_gradient(to, [&](int r) { return p_.slope.curve(asked_saved_[r]); });
    } else {
      put_gradient(to, [&](int r) { return p_.slope.step(asked_saved_[r]); });
    }
  }
  template <class Slope>
  __device__ void put_gradient(T* to, const Slope& slope) {
#pragma unroll
    for (int r = 0; r < asked; ++r) {
      const T dZ                  = asked_dC_[r] * slope(r);
      to[r * pitch + place_.lane] = dZ;
      total_ += dZ;
    }
  }

  // The sum of a lane's row of dZ.
  __device__ T row_total() const {
    T total = 0;
    if (place_.lane < rows)
      for (int c = 0; c < Unit::columns; ++c) total += dZ_[place_.lane * pitch + c];
    return total;
  }

  const ShallowArguments<T>& p_;
  const ShallowPlace& place_;
  T *scratch_, *dZ_, *right_, *left_;
  const T *dC_, *saved_;  // the lane's column, from the rows on that are asked for next
  std::int32_t next_row_, rows_left_;
  bool has_column_;
  T asked_dC_[asked], asked_saved_[asked];
  T total_ = 0;
  ShallowBlocks<Config> blocks_;
};

}  // namespace Tegula::Impl

#endif
