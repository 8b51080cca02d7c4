// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>
#include <new>

#include "Tegula_HostCallbacks.hpp"
#include "Tegula_HostFamily.hpp"
#include "Tegula_HostProducts.hpp"
#include "Tegula_HostStore.hpp"
#include "Tegula_KeptProduct.hpp"

namespace Tegula::Impl {
namespace {

/// A product of one team whose operands are read where they lie, in one step of the inner dimension, and whose results
/// are stored where they belong: HostTileProduct without all that it decides for others, with the same bits.
template <class T>
class HostKeptProduct final : public KeptProduct {
 public:
  HostKeptProduct(const HostProduct<T>& product, const DirectResult<T>& result, Instructions instructions)
      : microkernels_(instructions),
        result_(result),
        is_transposed_(product.transposed),
        rows_(lines(product, !product.transposed), microkernels_.shape.rows),
        columns_(lines(product, product.transposed), microkernels_.shape) {
    const MatrixRef<const T> rows    = (is_transposed_ ? product.right : product.left).in_place();
    const MatrixRef<const T> columns = (is_transposed_ ? product.left : product.right).in_place();
    strides_.depth                   = product.shape.k;
    strides_.row_stride              = rows.row_stride;
    strides_.row_step                = rows.column_stride;
    strides_.column_stride           = 1;
    strides_.column_step             = columns.column_stride;
    strides_.before                  = nullptr;
    strides_.before_pitch            = result.matrix.row_stride;
    strides_.before_stride           = 1;
    strides_.bias                    = nullptr;
    strides_.bias_row_stride         = result.bias.row_stride;
    strides_.bias_column_stride      = result.bias.column_stride;
    strides_.pitch                   = result.Z.row_stride;
    strides_.sum_stride              = 1;
  }

  void run(const KeptAddresses& addresses) const override {
    const T* const A       = static_cast<const T*>(addresses.A);
    const T* const B       = static_cast<const T*>(addresses.B);
    T* const C             = static_cast<T*>(addresses.C);
    T* const Z             = addresses.Z == nullptr ? C : static_cast<T*>(addresses.Z);
    const T* const rows    = is_transposed_ ? B : A;
    const T* const columns = is_transposed_ ? A : B;
    const T* const bias    = static_cast<const T*>(addresses.bias);
    RegisterProduct<T> p   = strides_;
    int unfinished         = 0;
    for (int row = 0; row < rows_.panels; ++row) {
      const std::int64_t i = rows_.first(row);
      const int height     = rows_.width(row);
      p.rows               = rows + i * p.row_stride;
      for (int column = 0; column < columns_.panels; ++column) {
        const std::int64_t j = columns_.first(column);
        const int width      = columns_.width(column);
        p.columns            = columns + j;
        p.sums               = Z + i * p.pitch + j;
        if (result_.adds) p.before = C + i * p.before_pitch + j;
        if (bias != nullptr) p.bias = bias + i * p.bias_row_stride + j * p.bias_column_stride;
        microkernels_(height, width)(p, width);
      }
      const int done      = static_cast<int>(i) + height;
      const bool is_ready = row + 1 == rows_.panels || (done - unfinished) * columns_.lines >= finished_at_once;
      if (result_.is_final() || !is_ready) continue;
      finish(addresses.functor, C, Z, unfinished, done);
      unfinished = done;
    }
  }

 private:
  static int lines(const HostProduct<T>& product, bool of_left) {
    return static_cast<int>(of_left ? product.shape.m : product.shape.n);
  }

  void finish(const void* functor, T* C, T* Z, int begin, int end) const {
    DirectResult<T> result    = result_;
    result.matrix.data        = C;
    result.Z.data             = Z;
    result.activation.functor = functor;
    result.finish(begin, 0, end - begin, columns_.lines);
  }

  Microkernels<T> microkernels_;
  DirectResult<T> result_;  // the addresses are those of the call that was kept
  bool is_transposed_;
  EvenPanels rows_;
  VectorPanels columns_;
  RegisterProduct<T> strides_{};  // likewise without any
};

std::uint64_t bytes_of(const CallMatrix& m) {
  if (m.data == nullptr) return 0;
  const std::int64_t last = (m.rows - 1) * m.row_stride + (m.columns - 1) * m.column_stride;
  return static_cast<std::uint64_t>(last + 1) * m.element_bytes;
}

/// Whether microkernels can read the columns where they lie: if they are of no whole vectors, the last may be packed.
template <class T>
bool reads_columns(const Call& call, bool is_transposed) {
  const RegisterTileShape shape = register_tile<T>(host_instructions());
  return shape.reads_parts || (is_transposed ? call.C.rows : call.C.columns) % shape.lanes == 0;
}

template <class T>
std::unique_ptr<KeptProduct> host_product_to_keep(const Call& call, const Plan& plan) {
  std::unique_ptr<KeptProduct> kept;
  if (!reads_columns<T>(call, plan.products[0].transposed)) return kept;
  with_host_call<T>(call, plan, nullptr, [&](const HostCall<T>& host_call) {
    const DirectResult<T> result = direct_rows(host_call.products[0], 0);
    if (result.matrix.data != nullptr)
      kept.reset(new (std::nothrow) HostKeptProduct<T>(host_call.products[0], result, host_call.instructions));
  });
  return kept;
}

}  // namespace

std::unique_ptr<KeptProduct> product_to_keep(const Call& call, const Plan& plan, const KeptWords& words) {
  const ProductPlan& product = plan.products[0];
  const bool is_of_host      = std::strcmp(plan.family, host_family) == 0;
  const bool is_one_step     = plan.teams() == 1 && plan.threads == 1 && product.shape.k <= product.tile.k;
  const bool is_in_place     = !product.inner && !product.packs_left && !product.packs_right;
  if (!is_of_host || !is_one_step || !is_in_place) return nullptr;
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
