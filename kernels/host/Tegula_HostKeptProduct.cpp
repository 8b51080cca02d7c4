// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>
#include <new>
#include <utility>

#include "Tegula_HostCallbacks.hpp"
#include "Tegula_HostFamily.hpp"
#include "Tegula_HostPack.hpp"
#include "Tegula_HostProducts.hpp"
#include "Tegula_HostStore.hpp"
#include "Tegula_HostTileProduct.hpp"
#include "Tegula_KeptProduct.hpp"

namespace Tegula::Impl {
namespace {

/// A product of one team whose operands are read where they lie, or as all of them were packed, in one step of the
/// inner dimension, and whose results are stored where they belong: HostTileProduct without all that it decides for
/// others, with the same bits.
template <class T>
class HostKeptProduct final : public KeptProduct {
 public:
  HostKeptProduct(const HostProduct<T>& product, const DirectResult<T>& result, Instructions instructions)
      : result_(result),
        is_transposed_(product.transposed),
        is_final_(result.is_final()),
        rows_(lines(product, !product.transposed), product.inner ? inner_rows : shape(product, instructions).rows),
        columns_(lines(product, product.transposed), shape(product, instructions)),
        whole_(columns_.lines % columns_.widest == 0 ? columns_.panels : columns_.panels - 1) {
    const bool packs_rows            = is_transposed_ ? product.packs_right : product.packs_left;
    const bool packs_columns         = is_transposed_ ? product.packs_left : product.packs_right;
    const MatrixRef<const T> rows    = (is_transposed_ ? product.right : product.left).in_place();
    const MatrixRef<const T> columns = (is_transposed_ ? product.left : product.right).in_place();
    strides_.depth                   = product.shape.k;
    strides_.row_stride              = !packs_rows ? rows.row_stride : product.inner ? columns_.lanes : 1;
    strides_.row_step        = product.inner ? columns_.lanes * (packs_rows ? rows_.lines : 1) : rows.column_stride;
    strides_.column_stride   = packs_columns ? 1 : columns.row_stride;
    strides_.column_step     = packs_columns ? columns_.widest : columns.column_stride;
    row_pitch_               = packs_rows ? product.shape.k : rows.row_stride;
    column_pitch_            = packs_columns ? product.shape.k : columns.row_stride;
    last_column_step_        = packs_columns ? columns_.padded_lines() - columns_.first(whole_) : columns.column_stride;
    sets_row_step_           = packs_rows && !product.inner;
    strides_.before_pitch    = result.matrix.row_stride;
    strides_.before_stride   = result.matrix.column_stride;
    strides_.bias_row_stride = result.bias.row_stride;
    strides_.bias_column_stride = result.bias.column_stride;
    strides_.pitch              = result.Z.row_stride;
    strides_.sum_stride         = result.Z.column_stride;
    strides_.clamps             = result.clamps;
    const Microkernels<T> microkernels(instructions);
    asks_ahead_       = reads_far_columns(product, microkernels.shape);
    const auto kernel = [&](int height, int width) {
      if (height < 1 || width < 1) return Microkernel<T>(nullptr);
      return product.inner ? inner_microkernel<T>(instructions, height) : microkernels(height, width);
    };
    // There is no kernel for a panel that is wider than all columns.
    const int whole = whole_ > 0 ? columns_.widest : 0, last = columns_.lines - columns_.first(whole_);
    for (const int wider : {0, 1}) {
      const int height = rows_.narrow + wider;
      if (wider == 0 || rows_.wide > 0) kernels_[wider] = {kernel(height, whole), kernel(height, last)};
    }
  }

  void run(const KeptAddresses& addresses) const override {
    const T* const A       = static_cast<const T*>(addresses.A);
    const T* const B       = static_cast<const T*>(addresses.B);
    T* const C             = static_cast<T*>(addresses.C);
    T* const Z             = addresses.Z == nullptr ? C : static_cast<T*>(addresses.Z);
    const T* const columns = is_transposed_ ? A : B;
    const T* const bias    = static_cast<const T*>(addresses.bias);
    RegisterProduct<T> p   = strides_;
    p.rows                 = is_transposed_ ? B : A;
    int unfinished = 0, i = 0;
    for (int row = 0; row < rows_.panels; ++row) {
      const auto& [of_whole, of_last] = kernels_[row < rows_.wide];
      const int height                = rows_.width(row);
      const auto multiply             = [&](Microkernel<T> microkernel, int j, int width) {
        p.columns = columns + j * column_pitch_;
        if (asks_ahead_) p.next_columns = p.columns + (j + width < columns_.lines ? width * column_pitch_ : 0);
        p.sums = Z + i * p.pitch + j * p.sum_stride;
        if (result_.adds) p.before = C + i * p.before_pitch + j * p.before_stride;
        if (bias != nullptr) p.bias = bias + i * p.bias_row_stride + j * p.bias_column_stride;
        microkernel(p, width);
      };
      if (sets_row_step_) p.row_step = height;
      p.column_step = strides_.column_step;
      int j         = 0;
      for (int column = 0; column < whole_; ++column, j += columns_.widest) multiply(of_whole, j, columns_.widest);
      p.column_step = last_column_step_;
      if (j < columns_.lines) multiply(of_last, j, columns_.lines - j);
      p.rows += height * row_pitch_;
      i += height;
      if (is_final_) continue;
      const bool is_ready = row + 1 == rows_.panels || (i - unfinished) * columns_.lines >= finished_at_once;
      if (!is_ready) continue;
      result_.finish(C, Z, addresses.functor, unfinished, 0, i - unfinished, columns_.lines);
      unfinished = i;
    }
  }

  const EvenPanels& rows() const { return rows_; }
  const VectorPanels& columns() const { return columns_; }

 private:
  static RegisterTileShape shape(const HostProduct<T>& product, Instructions instructions) {
    const bool in_place = !(product.transposed ? product.packs_left : product.packs_right);
    return tile_shape(product, register_tile<T>(instructions), in_place);
  }
  static int lines(const HostProduct<T>& product, bool of_left) {
    return static_cast<int>(of_left ? product.shape.m : product.shape.n);
  }

  /// Of a row panel: of its column panels but the last, if that is not as wide, and of the last.
  struct Kernels {
    Microkernel<T> of_whole = nullptr, of_last = nullptr;
  };

  DirectResult<T> result_;  // the addresses are those of the call that was kept
  bool is_transposed_, is_final_;
  bool sets_row_step_;  // a step of a packed row panel is as long as that is wide
  bool asks_ahead_;     // for columns
  EvenPanels rows_;
  VectorPanels columns_;
  int whole_;                              // column panels that are as wide as can be
  Kernels kernels_[2];                     // of narrow row panels, of wide ones
  RegisterProduct<T> strides_{};           // without addresses
  std::int64_t row_pitch_, column_pitch_;  // from one line to the next, where panels begin
  std::int64_t last_column_step_;          // of the last column panel
};

/// The same where all of one operand is packed at every call, or of both.
template <class T>
class HostKeptPackedProduct final : public KeptProduct {
 public:
  HostKeptPackedProduct(const HostProduct<T>& product, const DirectResult<T>& result, Instructions instructions)
      : product_(product, result, instructions),
        instructions_(instructions),
        is_transposed_(product.transposed),
        is_inner_(product.inner),
        packs_left_(product.packs_left),
        packs_right_(product.packs_right),
        left_(product.left),
        right_(product.right),
        depth_(product.shape.k),
        scratch_(product.scratch) {}

  void run(const KeptAddresses& addresses) const override {
    alignas(PanelScratch::alignment) char memory[most_scratch_at_once];
    const TileScratch<T> panels(memory, scratch_);
    KeptAddresses packed = addresses;
    const auto pack      = [&](const HostOperand<T>& kept, bool is_of_rows, const void*& matrix) {
      T* const to            = is_of_rows ? panels.rows : panels.columns;
      HostOperand<T> operand = kept;
      operand.matrix.data    = const_cast<void*>(std::exchange(matrix, to));  // which is read
      if (is_inner_) {
        pack_vectors(instructions_, operand, 0, 0, product_.rows().lines, depth_, to);
      } else if (is_of_rows) {
        pack_panels(instructions_, operand, 0, 0, depth_, product_.rows(), 0, product_.rows().panels, to);
      } else {
        pack_panels(instructions_, operand, 0, 0, depth_, product_.columns(), 0, product_.columns().panels, to);
      }
    };
    if (packs_left_) pack(left_, !is_transposed_, packed.A);
    if (packs_right_) pack(right_, is_transposed_, packed.B);
    product_.run(packed);
  }

 private:
  HostKeptProduct<T> product_;
  Instructions instructions_;
  bool is_transposed_, is_inner_, packs_left_, packs_right_;
  HostOperand<T> left_, right_;  // the addresses are those of the call that was kept
  std::int64_t depth_;
  PanelScratch scratch_;
};

/// Any other product of one team: HostTileProduct, which need not ask again where microkernels can store its result.
template <class T>
class HostKeptTile final : public KeptProduct {
 public:
  HostKeptTile(const HostProduct<T>& product, const DirectResult<T>& direct, Instructions instructions)
      : product_(product), direct_(direct), work_(product.work(0)), instructions_(instructions) {}

  void run(const KeptAddresses& addresses) const override {
    alignas(PanelScratch::alignment) char scratch[most_scratch_at_once];
    const auto read                   = [](const void* data) { return const_cast<void*>(data); };
    HostProduct<T> product            = product_;
    product.left.matrix.data          = read(addresses.A);
    product.right.matrix.data         = read(addresses.B);
    product.result.matrix.data        = addresses.C;
    product.result.Z.data             = addresses.Z;
    product.result.bias.data          = read(addresses.bias);
    product.result.activation.functor = addresses.functor;
    DirectResult<T> direct            = direct_;
    if (direct.matrix.data != nullptr) direct.move_to(product.result);
    compute_whole_product(instructions_, product, work_, direct, scratch);
  }

 private:
  HostProduct<T> product_;  // the addresses are those of the call that was kept
  DirectResult<T> direct_;  // likewise
  TeamWork work_;
  Instructions instructions_;
};

std::uint64_t bytes_of(const CallMatrix& m) {
  if (m.data == nullptr) return 0;
  const std::int64_t last = (m.rows - 1) * m.row_stride + (m.columns - 1) * m.column_stride;
  return static_cast<std::uint64_t>(last + 1) * m.element_bytes;
}

/// Whether columns are read where they lie, or packed once. Of those that are read in place, the last may be packed if
/// they are of no whole vectors.
template <class T>
bool has_whole_panels(const Call& call, const ProductPlan& product) {
  const RegisterTileShape shape = register_tile<T>(host_instructions());
  const std::int64_t columns    = product.transposed ? call.C.rows : call.C.columns;
  if (product.transposed ? product.packs_left : product.packs_right)
    return columns <= product.panels_at_once * std::int64_t(shape.columns);
  return product.inner || shape.reads_parts || columns % shape.lanes == 0;
}

template <class T>
std::unique_ptr<KeptProduct> host_product_to_keep(const Call& call, const Plan& plan) {
  std::unique_ptr<KeptProduct> kept;
  with_host_call<T>(call, plan, nullptr, [&](const HostCall<T>& host_call) {
    const HostProduct<T>& product = host_call.products[0];
    const DirectResult<T> result  = direct_rows(product, 0);
    const bool is_one_step        = product.shape.k <= product.tile.k && result.matrix.data != nullptr;
    const bool packs              = product.packs_left || product.packs_right;
    if (!is_one_step || !has_whole_panels<T>(call, plan.products[0])) {
      kept.reset(new (std::nothrow) HostKeptTile<T>(product, result, host_call.instructions));
    } else if (packs) {
      kept.reset(new (std::nothrow) HostKeptPackedProduct<T>(product, result, host_call.instructions));
    } else {
      kept.reset(new (std::nothrow) HostKeptProduct<T>(product, result, host_call.instructions));
    }
  });
  return kept;
}

}  // namespace

std::unique_ptr<KeptProduct> product_to_keep(const Call& call, const Plan& plan, const KeptWords& words) {
  const bool is_of_host = std::strcmp(plan.family, host_family) == 0;
  if (!is_of_host || plan.teams() != 1 || plan.threads != 1 || plan.scratch_bytes > most_scratch_at_once)
    return nullptr;
  auto kept = call.accumulator == Element::f64 ? host_product_to_keep<double>(call, plan)
                                               : host_product_to_keep<float>(call, plan);
  if (kept == nullptr) return nullptr;
  kept->words      = words;
  kept->A_bytes    = bytes_of(call.A);
  kept->B_bytes    = bytes_of(call.B);
  kept->C_bytes    = bytes_of(call.C);
  kept->bias_bytes = bytes_of(call.bias);
  kept->Z_bytes    = bytes_of(call.Z);
  return kept;
}

}  // namespace Tegula::Impl
