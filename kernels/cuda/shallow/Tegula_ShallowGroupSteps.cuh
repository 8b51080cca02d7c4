// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_GROUP_STEPS_CUH
#define TEGULA_SHALLOW_GROUP_STEPS_CUH

#include "../Tegula_GradientStore.cuh"
#include "../Tegula_RunElements.cuh"
#include "../ptx/Tegula_PtxAddress.cuh"
#include "../ptx/Tegula_PtxPair.cuh"
#include "../ptx/Tegula_PtxShared.cuh"
#include "../ptx/Tegula_PtxTensorCopy.cuh"
#include "../ptx/Tegula_PtxWgmma.cuh"
#include "Tegula_ShallowPlace.cuh"

namespace Tegula::Impl {

/// The steps of a warpgroup in 16 bits, block after block. Lanes form the dZ of a block from what they asked for, put
/// it into scratch, rounded, and ask for the next one, while wgmma multiplies what lies there. Its transpose by lines
/// of the left operand: sums of columns, which stay in registers until the end. And the blocks of all groups side by
/// side by lines of the right operand: one of the groups, another in every step, keeps these sums of rows for the
/// blocks of the step and stores them, so that nobody has to add what groups have of a row.
template <class Config, class Input>
class ShallowGroupSteps {
  using Bits = typename Config::element;
  using Sum  = typename Config::sum;
  using Unit = typename Config::Unit;

  static constexpr int depth = Config::depth, groups = Config::groups, group = Config::group, blocks = Config::blocks;
  static constexpr int run = Unit::run, word = 16, row_bytes = Unit::columns * 2, sums = depth / 2;
  static constexpr int steps       = Unit::rows / 16;                            // of wgmma, in a block
  static constexpr int lines_bytes = group * depth * 2, line_bytes = depth * 2;  // of eight lines of an operand

 public:
  __device__ ShallowGroupSteps(const ShallowArguments<Bits>& arguments, Sum* scratch, const ShallowPlace& place)
      : p_(arguments),
        place_(place),
        scratch_(reinterpret_cast<char*>(scratch)),
        dZ_(ptx::shared_address(scratch_)),
        right_(ptx::shared_address(scratch_) + Config::operands_at),
        left_(right_ + place.across * Config::columns * line_bytes),
        next_row_(place.first),
        panel_left_(static_cast<std::int32_t>(arguments.dC.columns) - place.panel_column),
        lane_(place.lane),
        is_relu_(arguments.slope.is_relu()),
        left_from_(own_line(arguments.left, place.first)),
        rows_left_(place.last - place.row()),
        dC_(first(arguments.dC)),
        saved_(first(arguments.saved)) {}

  template <class Member>
  __device__ void begin(const Member& team) {
    ask(0);
    clear_totals();
    ask_left();
    bring_right();
    put_left(0);
    ask_left();
    ptx::shared_to_tma_fence();
    team.team_barrier();
  }

  /// Multiplies a step from this row on. Steps take turns with the lines of the left operand and with who is on duty.
  template <int across, class Member>
  __device__ void add(const Member& team, const GradientStore<Sum>& store, std::int32_t row, int turn) {
    // Else what follows from it would be computed once and for all, for which there are no registers.
    lane_                 = ptx::kept(place_.lane);
    const bool is_on_duty = duty_ == place_.column_block();
    float of_rows[sums];
#pragma unroll
    for (int b = 0; b < blocks; ++b) {
      if (b > 0 && !has_blocks<across>(b)) break;
      const bool is_last      = b + 1 == blocks || !has_blocks<across>(b + 1);
      const std::uint32_t all = dZ_ + buffer_ * Config::units * Config::block_bytes;
      put_gradient(all + place_.unit * Config::block_bytes, b);
      if (is_last && p_.of_rows.has_sums) put_row_totals(turn);
      // In front of what is asked for, which it would wait for.
      ptx::shared_to_tma_fence();
      if (is_last) {
        go_on();
        ask(0);
      } else {
        ask((b + 1) * across * Unit::columns);
      }
      // When all have passed, nobody reads the other buffer.
      ptx::wgmma_wait<0>();
      team.team_barrier();
      ptx::wgmma_fence();
      add_to_columns(all + place_.unit * Config::block_bytes, turn, of_columns_[b]);
      if (is_on_duty) add_to_rows<across>(all + place_.row_block() * across * Config::block_bytes, b, of_rows);
      ptx::wgmma_commit();
      buffer_ ^= 1;
      if (b == 0) {  // nobody reads the lines of the last step any more
        put_left(turn ^ 1);
        ask_left();
      }
    }
    if (is_on_duty && (p_.of_rows.is_wanted() || p_.of_rows.has_sums)) {
      ptx::wgmma_wait<0>();
      store_rows<across>(store, row, turn, of_rows);
    }
    duty_ = (duty_ + 1) % across;
  }

  /// Behind the last step.
  __device__ void end() const { ptx::wgmma_wait<0>(); }

  /// Puts a group of the sums of columns into scratch, lines of Config::pitch.
  template <int g>
  __device__ void put(Sum* tile) const {
#pragma unroll
    for (int b = 0; b < blocks; ++b)
#pragma unroll
      for (int s = 0; s < 4; ++s)
        tile[(lane() % 4 * 2 + s % 2) * Config::pitch + b * Unit::columns + warp() * 16 + s / 2 * 8 + lane() / 4] =
            of_columns_[b][4 * g + s];
  }

  /// Those of dZ itself.
  __device__ void put_totals(Sum* tile) const {
    const auto* const totals = reinterpret_cast<const Sum*>(scratch_ + Config::totals_at);
    for (int column = lane_; column < Config::columns; column += Unit::threads) {
      const int b = column / Unit::columns, at = column % Unit::columns;
      Sum total = 0;
      for (int down = 0; down < Unit::lanes_down; ++down)
        total +=
            totals[total_place(b, at % run / 4, place_.unit * Unit::threads + down * Unit::lanes_across + at / run) +
                   at % 4];
      tile[column] = total;
    }
  }

 private:
  __device__ int warp() const { return lane_ / 32; }
  __device__ int lane() const { return lane_ % 32; }

  // Whether any group has columns in its blocks b. Those of all groups lie side by side.
  template <int across>
  __device__ bool has_blocks(int b) const {
    return b * across * Unit::columns < panel_left_;
  }

  // Where four neighbours of the sums of dZ lie that a thread of the team has for its run in a block.
  __device__ static int total_place(int block, int half, int thread) {
    return ((block * 2 + half) * Config::threads + thread) * 4;
  }
  __device__ std::uint32_t own_totals(int block, int half) const {
    return ptx::shared_address(scratch_ + Config::totals_at) +
           total_place(block, half, place_.unit * Unit::threads + lane_) * int(sizeof(Sum));
  }
  __device__ void clear_totals() const {
    if (!p_.of_columns.has_sums) return;
    const Sum none[4] = {};
#pragma unroll
    for (int b = 0; b < blocks; ++b)
#pragma unroll
      for (int half = 0; half < 2; ++half) ptx::store_vector(own_totals(b, half), none);
  }

  // Elements of a line of an operand that a thread brings: every eighth one along the depth.
  struct Brought {
    Bits elements[groups];
  };
  static constexpr int lines_at_once = Config::threads / group;

  __device__ int thread() const { return place_.unit * Unit::threads + lane_; }
  // Where the thread's part of its line begins, from first_line on.
  __device__ const Bits* own_line(const MatrixRef<const Bits>& operand, std::int32_t first_line) const {
    return operand.data + (first_line + thread() / group) * operand.row_stride +
           thread() % group * operand.column_stride;
  }
  // Of a line that begins there, so many lines in front of the end: zeros beyond it.
  __device__ Brought brought(const MatrixRef<const Bits>& operand, const Bits* from, std::int32_t lines_left) const {
    Brought own;
    const std::int32_t depth_left = p_.depth - thread() % group;
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      own.elements[g] = 0;
      if (thread() / group < lines_left && g * group < depth_left) own.elements[g] = *from;
      from += group * operand.column_stride;
    }
    return own;
  }
  // Puts them as wgmma_plain_descriptor says.
  __device__ void put(const Brought& own, std::uint32_t to) const {
    const int line = thread() / group;
    const std::uint32_t at =
        to + line / group * lines_bytes + thread() % group * word + line % group * int(sizeof(Bits));
#pragma unroll
    for (int g = 0; g < groups; ++g) ptx::store_element(at + g * group * word, own.elements[g]);
  }
  __device__ void bring_right() const {
    constexpr int batch = 16 / groups;
    const int batches   = place_.across * Config::columns / lines_at_once;
    // An operand whose product is not wanted has no lines.
    const std::int32_t lines = p_.of_rows.is_wanted() ? panel_left_ : 0;
    const Bits* from         = own_line(p_.right, place_.panel_column);
    for (int first = 0; first < batches; first += batch) {
      Brought own[batch];
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        own[i] = brought(p_.right, from, lines - (first + i) * lines_at_once);
        from += lines_at_once * p_.right.row_stride;
      }
#pragma unroll
      for (int i = 0; i < batch; ++i)
        if (first + i < batches) put(own[i], right_ + (first + i) * lines_at_once * line_bytes);
    }
  }
  // Asks for lines of the left operand that belong to the next step: the first ones early, so that they have time to
  // come, the others when these are put.
  __device__ void ask_left() {
    left_lines_ = p_.of_columns.is_wanted() ? place_.last - next_row_ : 0;
    asked_left_ = brought(p_.left, left_from_, left_lines_);
  }
  __device__ void put_left(int turn) {
    const std::uint32_t to = left_ + turn * place_.step * line_bytes;
    put(asked_left_, to);
    for (int line = lines_at_once; line < place_.step; line += lines_at_once)
      put(brought(p_.left, left_from_ + line * p_.left.row_stride, left_lines_ - line), to + line * line_bytes);
    next_row_ += place_.step;
    left_from_ += place_.step * p_.left.row_stride;
  }

  // The lane's first run.
  __device__ const Bits* first(const MatrixRef<const Bits>& matrix) const {
    return matrix.data + (place_.row() + Unit::row(lane_, 0)) * matrix.row_stride + place_.panel_column +
           place_.column_block() * Unit::columns + Unit::column(lane_, 0);
  }
  // Asks for a block so many columns on.
  __device__ void ask(int on) {
    const std::int32_t columns_left = panel_left_ - place_.column_block() * Unit::columns - on;
    // Most are whole, and do without a question for each run.
    if (columns_left >= Unit::columns && rows_left_ >= Unit::rows) {
      ask<true>(on, columns_left);
    } else {
      ask<false>(on, columns_left);
    }
  }
  template <bool is_whole>
  __device__ void ask(int on, std::int32_t columns_left) {
    ask<is_whole>(p_.dC.row_stride, dC_ + on, columns_left, asked_dC_);
    if (!p_.slope.is_one) ask<is_whole>(p_.saved.row_stride, saved_ + on, columns_left, asked_saved_);
  }
  // Beyond the end both count as 0, where no derivative is infinite.
  template <bool is_whole>
  __device__ void ask(std::int64_t row_stride, const Bits* from, std::int32_t columns_left,
                      uint4 (&runs)[shallow_runs]) const {
#pragma unroll
    for (int q = 0; q < shallow_runs; ++q) {
      if constexpr (!is_whole) runs[q] = {};
      if (is_whole || (Unit::row(lane_, q) < rows_left_ && Unit::column(lane_, q) < columns_left))
        runs[q] = load_word(from);
      from += Unit::lanes_down * row_stride;
    }
  }
  __device__ void go_on() {
    dC_ += place_.step * p_.dC.row_stride;
    saved_ += place_.step * p_.saved.row_stride;
    rows_left_ -= place_.step;
  }

  // Forms what was asked for.
  __device__ void put_gradient(std::uint32_t block, int b) {
    if (is_relu_) {
      put_runs(block, b, [&](int q, float(&dZ)[run]) {
        const uint4 dC = asked_dC_[q], saved = asked_saved_[q];
        const uint4 word{relu_gradient(dC.x, saved.x), relu_gradient(dC.y, saved.y), relu_gradient(dC.z, saved.z),
                         relu_gradient(dC.w, saved.w)};
        unpack<Input>(word, dZ);
        return word;
      });
    } else if (p_.slope.is_one) {
      put_runs(block, b, [&](int q, float(&dZ)[run]) {
        unpack<Input>(asked_dC_[q], dZ);
        return asked_dC_[q];
      });
    } else if (p_.slope.is_curved) {
      put_runs(block, b,
               [&](int q, float(&dZ)[run]) { return sloped(q, dZ, [&](Sum y) { return p_.slope.curve(y); }); });
    } else {
      put_runs(block, b,
               [&](int q, float(&dZ)[run]) { return sloped(q, dZ, [&](Sum y) { return p_.slope.step(y); }); });
    }
  }
  __device__ static std::uint32_t relu_gradient(std::uint32_t dC, std::uint32_t saved) {
    return ptx::multiply_pairs(Input(), dC, ptx::relu_slopes(Input(), saved));
  }
  template <class Slope>
  __device__ uint4 sloped(int q, float (&dZ)[run], const Slope& slope) const {
    float saved[run];
    unpack<Input>(asked_dC_[q], dZ);
    unpack<Input>(asked_saved_[q], saved);
#pragma unroll
    for (int e = 0; e < run; ++e) dZ[e] *= slope(saved[e]);
    return packed<Input>(dZ);
  }

  // Puts runs where wgmma_descriptor says, and adds them to sums of dZ: word form(q, its elements).
  template <class Form>
  __device__ void put_runs(std::uint32_t block, int b, const Form& form) {
    const int row          = lane_ / Unit::lanes_across;
    const std::uint32_t to = block + row * row_bytes + ((lane_ % Unit::lanes_across) ^ (row % 8)) * word;
    float totals[run]      = {};
#pragma unroll
    for (int q = 0; q < shallow_runs; ++q) {
      float dZ[run];
      ptx::store_word(to + q * Unit::lanes_down * row_bytes, form(q, dZ));
      if (p_.of_columns.has_sums) {
#pragma unroll
        for (int e = 0; e < run; ++e) totals[e] += dZ[e];
      }
      if (p_.of_rows.has_sums) {
#pragma unroll
        for (int e = 0; e < run; ++e) row_totals_[q] += dZ[e];
      }
    }
    if (p_.of_columns.has_sums) add_totals(totals, b);
  }
  __device__ void add_totals(const float (&totals)[run], int b) const {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float sums[4];
      ptx::load_vector(own_totals(b, half), sums);
#pragma unroll
      for (int e = 0; e < 4; ++e) sums[e] += totals[4 * half + e];
      ptx::store_vector(own_totals(b, half), sums);
    }
  }
  // What this group has of the sums of rows of dZ.
  __device__ Sum* row_totals(int turn, int unit) const {
    return reinterpret_cast<Sum*>(scratch_ + Config::row_totals_at) + (turn * Config::units + unit) * Unit::rows;
  }
  __device__ void put_row_totals(int turn) {
#pragma unroll
    for (int q = 0; q < shallow_runs; ++q) {
      float total = row_totals_[q];
#pragma unroll
      for (int distance = 1; distance < Unit::lanes_across; distance *= 2)
        total += __shfl_xor_sync(0xFFFFFFFFu, total, distance);
      if (lane_ % Unit::lanes_across == 0) row_totals(turn, place_.unit)[Unit::row(lane_, q)] = total;
      row_totals_[q] = 0;
    }
  }

  // A block of dZ or its transpose times lines of an operand, of which it has a quarter in each step.
  template <Major major, bool overwrites>
  __device__ static void add(std::uint32_t block, std::uint32_t lines, float (&to)[sums]) {
    using Products                    = ptx::Wgmma<Input, depth, major, Major::depth>;
    const std::uint64_t left          = ptx::wgmma_descriptor(block, major),
                        right         = ptx::wgmma_plain_descriptor(lines, lines_bytes);
    constexpr std::uint64_t left_step = ptx::wgmma_depth_step<major>, right_step = 2 * lines_bytes >> 4;
    Products::template multiply_add<!overwrites>(to, left, right);
#pragma unroll
    for (int s = 1; s < steps; ++s) Products::multiply_add(to, left + s * left_step, right + s * right_step);
  }
  __device__ void add_to_columns(std::uint32_t block, int turn, float (&to)[sums]) const {
    add<Major::lines, false>(block, left_ + (turn * place_.step + place_.row_block() * Unit::rows) * line_bytes, to);
  }
  // Those of all groups side by side.
  template <int across>
  __device__ void add_to_rows(std::uint32_t first, int b, float (&to)[sums]) const {
    const std::uint32_t lines = right_ + b * across * Unit::columns * line_bytes;
    b == 0 ? add<Major::depth, true>(first, lines, to) : add<Major::depth, false>(first, lines, to);
#pragma unroll
    for (int unit = 1; unit < across; ++unit)
      add<Major::depth, false>(first + unit * Config::block_bytes, lines + unit * Unit::columns * line_bytes, to);
  }

  // Stores the sums of rows.
  template <int across>
  __device__ void store_rows(const GradientStore<Sum>& store, std::int32_t step_row, int turn,
                             const float (&of_rows)[sums]) const {
    const std::int32_t first = step_row + place_.row_block() * Unit::rows;
    if (p_.of_rows.is_wanted())
      store.sums([&](const auto& put) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const std::int32_t row = first + warp() * 16 + half * 8 + lane() / 4;
          if (row < place_.last)
#pragma unroll
            for (int s = 0; s < sums / 2; ++s) {
              const int at = s / 2 * group + lane() % 4 * 2 + s % 2;
              if (at < p_.depth) put(row, at, of_rows[s / 2 * 4 + half * 2 + s % 2]);
            }
        }
      });
    if (p_.of_rows.has_sums && lane_ < Unit::rows && first + lane_ < place_.last) {
      Sum total = 0;
      for (int unit = 0; unit < across; ++unit) total += row_totals(turn, place_.row_block() * across + unit)[lane_];
      store.line_sum(first + lane_, total);
    }
  }

  const ShallowArguments<Bits>& p_;
  const ShallowPlace& place_;
  char* scratch_;
  std::uint32_t dZ_, right_, left_;
  std::int32_t next_row_, panel_left_;
  int lane_, buffer_ = 0, duty_ = 0;
  bool is_relu_;
  const Bits* left_from_;  // the thread's part of a line of the step whose lines are asked for next
  std::int32_t left_lines_;
  Brought asked_left_;
  std::int32_t rows_left_;
  const Bits *dC_, *saved_;  // the lane's first run of the step that is asked for next
  uint4 asked_dC_[shallow_runs], asked_saved_[shallow_runs];
  float row_totals_[shallow_runs] = {};
  float of_columns_[blocks][sums] = {};
};

}  // namespace Tegula::Impl

#endif
