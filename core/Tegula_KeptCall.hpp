// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KEPT_CALL_HPP
#define TEGULA_KEPT_CALL_HPP

#include <type_traits>
#include <utility>

#include "Tegula_ActivationChoice.hpp"
#include "Tegula_Epilogue.hpp"
#include "Tegula_KeptProduct.hpp"
#include "Tegula_MatrixRef.hpp"
#include "Tegula_PackedMatrix.hpp"
#include "Tegula_RunCall.hpp"

/// How a call of gemm finds a product that was kept (Tegula_KeptProduct.hpp).

namespace Tegula::Impl {

template <class T, class... Others>
inline constexpr bool are_all = (std::is_same_v<T, Others> && ...);

/// Its address tells execution spaces apart.
template <class ExecutionSpace>
inline constexpr char tag_of_space = 0;

/// Whether the space reaches what an argument that may be left out points to.
template <class ExecutionSpace, class ViewType>
inline constexpr bool reaches = Kokkos::SpaceAccessibility<ExecutionSpace, typename ViewType::memory_space>::accessible;
template <class ExecutionSpace>
inline constexpr bool reaches<ExecutionSpace, None> = true;

/// Whether calls of such types may be kept: all memory is within reach, nothing of them is converted, they are done
/// when they return, and their activation calls nobody back.
template <class ExecutionSpace, class AView, class BType, class CView, class EpilogueType>
inline constexpr bool is_kept = false;

template <class ExecutionSpace, class AView, class BView, class CView, class ActivationType, class BiasView,
          class ZView>
requires(!is_packed<BView>) inline constexpr bool is_kept<ExecutionSpace, AView, BView, CView,
                                                          Epilogue<ActivationType, BiasView, ZView>> =
    is_done_at_return<ExecutionSpace> && reaches<ExecutionSpace, AView> && reaches<ExecutionSpace, BView> &&
    reaches<ExecutionSpace, CView> && reaches<ExecutionSpace, BiasView> && reaches<ExecutionSpace, ZView> &&
    is_built_in<ActivationType> && AView::rank == 2 && BView::rank == 2 && CView::rank == 2 &&
    (are_all<typename CView::value_type, float> || are_all<typename CView::value_type, double>)&&are_all<
        typename CView::value_type, typename AView::non_const_value_type, typename BView::non_const_value_type,
        element_of_t<BiasView, typename CView::value_type>, element_of_t<ZView, typename CView::value_type>>;

/// A call of gemm as far as it may be like one that was kept. Others than those of is_kept are not.
template <class ExecutionSpace, class AView, class BType, class CView, class EpilogueType>
class KeptCall {
 public:
  KeptCall(const ExecutionSpace&, const AView&, const BType&, const CView&, const EpilogueType&, const GemmOptions&,
           const Workspace<ExecutionSpace>&) {}

  bool run() const { return false; }
  bool run(const KeptProduct&) const { return false; }
  std::unique_ptr<KeptProduct> to_keep(const Call&, const Plan&) const { return nullptr; }
  void keep(const Call&, const Plan&) const {}
};

template <class ExecutionSpace, class AView, class BView, class CView, class ActivationType, class BiasView,
          class ZView>
requires is_kept<ExecutionSpace, AView, BView, CView, Epilogue<ActivationType, BiasView, ZView>>
class KeptCall<ExecutionSpace, AView, BView, CView, Epilogue<ActivationType, BiasView, ZView>> {
  using T = typename CView::non_const_value_type;

  static constexpr std::int64_t kind = 2 * BuiltInActivations::position<ActivationType>() + std::is_same_v<T, double>;

  static constexpr bool has_bias = !is_none<BiasView>, has_Z = !is_none<ZView>;

 public:
  KeptCall(const ExecutionSpace& exec, const AView& A, const BView& B, const CView& C,
           const Epilogue<ActivationType, BiasView, ZView>& epilogue, const GemmOptions& options,
           const Workspace<ExecutionSpace>& workspace)
      : exec_(exec), A_(A), B_(B), C_(C), epilogue_(epilogue), options_(options), workspace_(workspace) {}

  /// Runs a product that the thread keeps, if there is one for such a call. Otherwise nothing is done.
  bool run() const {
    if (!is_possible()) return false;
    KeptPlace& place = kept_place(hash());
    if (place.product == nullptr || !run_like(*place.product)) return false;
    place.is_used = true;
    return true;
  }
  /// Runs this product, if it was kept for such a call.
  bool run(const KeptProduct& product) const { return is_possible() && run_like(product); }

  std::unique_ptr<KeptProduct> to_keep(const Call& call, const Plan& plan) const {
    return is_possible() ? product_to_keep(call, plan, words(operands())) : nullptr;
  }
  void keep(const Call& call, const Plan& plan) const {
    if (is_possible() && !is_place_taken(hash(), words(operands()))) keep_product(hash(), to_keep(call, plan));
  }

 private:
  struct Operands {
    MatrixRef<const T> a, b;
    MatrixRef<T> c, z;
    MatrixRef<const T> bias;
  };

  // All of them are read behind the calls of other functions: a register does not last beyond those.
  Operands operands() const {
    return {matrix_ref<const T>(A_, options_.op_a), matrix_ref<const T>(B_, options_.op_b), matrix_ref<T>(C_),
            matrix_ref<T>(epilogue_.pre_activation), row_vector_ref<const T>(epilogue_.bias, rows())};
  }
  bool run_like(const KeptProduct& product) const {
    if (!is_unheard()) return false;
    const Operands o = operands();
    if (!agree(o) || !is_like(o, product.words) || !are_separate(o, product)) return false;
    // nvcc wants a name.
    const KeptAddresses addresses{o.a.data, o.b.data, o.c.data, o.bias.data, o.z.data, &epilogue_.activation};
    product.run(addresses);
    return true;
  }

  std::int64_t rows() const { return static_cast<std::int64_t>(C_.extent(0)); }
  std::int64_t columns() const { return static_cast<std::int64_t>(C_.extent(1)); }
  std::int64_t depth() const { return static_cast<std::int64_t>(A_.extent(options_.op_a == Op::none ? 1 : 0)); }

  bool is_possible() const {
    return options_.alpha == 1 && (options_.beta == 0 || options_.beta == 1) && !is_asked(options_.plan) &&
           workspace_.extent(0) == 0 && is_small();
  }

  bool is_small() const {
    constexpr int bits = 21;
    return (rows() | columns() | depth()) >> bits == 0 && rows() * columns() * depth() <= most_kept_multiplications;
  }

  static bool is_asked(const PlanOptions& options) {
    const TileShape& tile = options.tile;
    return !options.family.empty() ||
           (tile.m | tile.n | tile.k | options.group | options.split_k | options.whole_waves) != 0;
  }

  // As the checks of gemm say.
  static bool agree(const Operands& o) {
    bool agree = o.a.rows == o.c.rows && o.b.rows == o.a.columns && o.b.columns == o.c.columns;
    if constexpr (has_bias) agree = agree && o.bias.columns == o.c.columns;
    if constexpr (has_Z) agree = agree && o.z.rows == o.c.rows && o.z.columns == o.c.columns;
    return agree;
  }

  // A field of bits each: threads, kind, beta, compute, op_a, op_b.
  std::int64_t how() const {
    return static_cast<std::int64_t>(threads_of(exec_)) << 16 | kind << 8 |
           static_cast<std::int64_t>(options_.beta == 1) << 4 | static_cast<std::int64_t>(options_.compute) << 2 |
           static_cast<std::int64_t>(options_.op_a) << 1 | static_cast<std::int64_t>(options_.op_b);
  }

  KeptWords words(const Operands& o) const {
    return {how(),
            o.c.rows,
            o.c.columns,
            o.a.columns,
            o.a.row_stride,
            o.a.column_stride,
            o.b.row_stride,
            o.b.column_stride,
            o.c.row_stride,
            o.c.column_stride,
            has_bias ? o.bias.column_stride : -1,
            has_Z ? o.z.row_stride : -1,
            has_Z ? o.z.column_stride : -1,
            reinterpret_cast<std::intptr_t>(&tag_of_space<ExecutionSpace>)};
  }

  // Word by word, as they are in registers: to store them and to read vectors of them would wait for the memory.
  bool is_like(const Operands& o, const KeptWords& kept) const {
    const KeptWords words = this->words(o);
    return [&]<std::size_t... Word>(std::index_sequence<Word...>) { return (... | (words[Word] ^ kept[Word])) == 0; }
    (std::make_index_sequence<std::tuple_size_v<KeptWords>>());
  }

  // Of what differs most among the calls of a program.
  std::uint64_t hash() const {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: multiples of it spread
    const auto number           = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    const std::uint64_t sides   = number(rows()) ^ number(columns()) << 21 ^ number(depth()) << 42;
    return (sides + number(how()) * odd) * odd;
  }

  // Whether there is all memory, and results share none with another argument.
  static bool are_separate(const Operands& o, const KeptProduct& p) {
    bool are_separate = o.a.data != nullptr && o.b.data != nullptr && o.c.data != nullptr &&
                        are_apart(o.c.data, p.C_bytes, o.a.data, p.A_bytes) &&
                        are_apart(o.c.data, p.C_bytes, o.b.data, p.B_bytes);
    if constexpr (has_bias)
      are_separate =
          are_separate && o.bias.data != nullptr && are_apart(o.c.data, p.C_bytes, o.bias.data, p.bias_bytes);
    if constexpr (has_Z) {
      are_separate = are_separate && o.z.data != nullptr && are_apart(o.z.data, p.Z_bytes, o.a.data, p.A_bytes) &&
                     are_apart(o.z.data, p.Z_bytes, o.b.data, p.B_bytes) &&
                     are_apart(o.z.data, p.Z_bytes, o.c.data, p.C_bytes) &&
                     (!has_bias || are_apart(o.z.data, p.Z_bytes, o.bias.data, p.bias_bytes));
    }
    return are_separate;
  }

  // A distance to what lies before is a large number.
  static bool are_apart(const void* first, std::uint64_t first_bytes, const void* second, std::uint64_t second_bytes) {
    const auto a = reinterpret_cast<std::uintptr_t>(first), b = reinterpret_cast<std::uintptr_t>(second);
    return b - a >= first_bytes && a - b >= second_bytes;
  }

  const ExecutionSpace& exec_;
  const AView& A_;
  const BView& B_;
  const CView& C_;
  const Epilogue<ActivationType, BiasView, ZView>& epilogue_;
  const GemmOptions& options_;
  const Workspace<ExecutionSpace>& workspace_;
};

template <class ExecutionSpace, class AView, class BType, class CView, class EpilogueType>
KeptCall<ExecutionSpace, AView, BType, CView, EpilogueType> kept_call(
    const ExecutionSpace& exec, const AView& A, const BType& B, const CView& C, const EpilogueType& epilogue,
    const GemmOptions& options, const std::type_identity_t<Workspace<ExecutionSpace>>& workspace) {
  return {exec, A, B, C, epilogue, options, workspace};
}

}  // namespace Tegula::Impl

#endif
