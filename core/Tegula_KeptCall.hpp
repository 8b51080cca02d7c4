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
      : a_(matrix_ref<const T>(A, options.op_a)),
        b_(matrix_ref<const T>(B, options.op_b)),
        c_(matrix_ref<T>(C)),
        z_(matrix_ref<T>(epilogue.pre_activation)),
        bias_(row_vector_ref<const T>(epilogue.bias, c_.rows)),
        functor_(&epilogue.activation),
        how_(static_cast<std::int64_t>(place_of(exec).threads) << 16 | kind << 8 |
             static_cast<std::int64_t>(options.beta == 1) << 4 | static_cast<std::int64_t>(options.compute) << 2 |
             static_cast<std::int64_t>(options.op_a) << 1 | static_cast<std::int64_t>(options.op_b)),
        is_possible_(options.alpha == 1 && (options.beta == 0 || options.beta == 1) && !is_asked(options.plan) &&
                     workspace.extent(0) == 0 && is_small() && agrees()) {}

  /// Runs a product that the thread keeps, if there is one for such a call. Otherwise nothing is done.
  bool run() const {
    if (!is_possible_) return false;
    KeptPlace& place = kept_place(hash());
    if (place.product == nullptr || !run(*place.product)) return false;
    place.is_used = true;
    return true;
  }
  /// Runs this product, if it was kept for such a call.
  bool run(const KeptProduct& product) const {
    if (!is_possible_ || !is_like(product.words) || !is_separate(product) || !is_unheard()) return false;
    const KeptAddresses addresses{a_.data, b_.data, c_.data, bias_.data, z_.data, functor_};  // nvcc wants a name
    product.run(addresses);
    return true;
  }

  std::unique_ptr<KeptProduct> to_keep(const Call& call, const Plan& plan) const {
    return is_possible_ ? product_to_keep(call, plan, words()) : nullptr;
  }
  void keep(const Call& call, const Plan& plan) const {
    if (is_possible_ && !is_place_taken(hash(), words())) keep_product(hash(), to_keep(call, plan));
  }

 private:
  bool is_small() const {
    constexpr int bits       = 21;
    const std::int64_t sides = c_.rows | c_.columns | a_.columns;
    return sides >> bits == 0 && c_.rows * c_.columns * a_.columns <= most_kept_multiplications;
  }

  static bool is_asked(const PlanOptions& options) {
    const TileShape& tile = options.tile;
    return !options.family.empty() || (tile.m | tile.n | tile.k | options.group | options.split_k) != 0;
  }

  // As the checks of gemm say.
  bool agrees() const {
    bool agrees = a_.rows == c_.rows && b_.rows == a_.columns && b_.columns == c_.columns;
    if constexpr (has_bias) agrees = agrees && bias_.columns == c_.columns;
    if constexpr (has_Z) agrees = agrees && z_.rows == c_.rows && z_.columns == c_.columns;
    return agrees;
  }

  KeptWords words() const {
    return {how_,
            c_.rows,
            c_.columns,
            a_.columns,
            a_.row_stride,
            a_.column_stride,
            b_.row_stride,
            b_.column_stride,
            c_.row_stride,
            c_.column_stride,
            has_bias ? bias_.column_stride : -1,
            has_Z ? z_.row_stride : -1,
            has_Z ? z_.column_stride : -1,
            reinterpret_cast<std::intptr_t>(&tag_of_space<ExecutionSpace>)};
  }

  // Word by word, as they are in registers: to store them and to read vectors of them would wait for the memory.
  bool is_like(const KeptWords& kept) const {
    const KeptWords words = this->words();
    return [&]<std::size_t... Word>(std::index_sequence<Word...>) { return (... | (words[Word] ^ kept[Word])) == 0; }
    (std::make_index_sequence<std::tuple_size_v<KeptWords>>());
  }

  // Of what differs most among the calls of a program.
  std::uint64_t hash() const {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: multiples of it spread
    const auto number           = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    const std::uint64_t sides   = number(c_.rows) ^ number(c_.columns) << 21 ^ number(a_.columns) << 42;
    return (sides + number(how_) * odd) * odd;
  }

  // Whether there is all memory, and results share none with another argument.
  bool is_separate(const KeptProduct& p) const {
    bool is_separate = a_.data != nullptr && b_.data != nullptr && c_.data != nullptr &&
                       are_apart(c_.data, p.C_bytes, a_.data, p.A_bytes) &&
                       are_apart(c_.data, p.C_bytes, b_.data, p.B_bytes);
    if constexpr (has_bias)
      is_separate = is_separate && bias_.data != nullptr && are_apart(c_.data, p.C_bytes, bias_.data, p.bias_bytes);
    if constexpr (has_Z) {
      is_separate = is_separate && z_.data != nullptr && are_apart(z_.data, p.Z_bytes, a_.data, p.A_bytes) &&
                    are_apart(z_.data, p.Z_bytes, b_.data, p.B_bytes) &&
                    are_apart(z_.data, p.Z_bytes, c_.data, p.C_bytes) &&
                    (!has_bias || are_apart(z_.data, p.Z_bytes, bias_.data, p.bias_bytes));
    }
    return is_separate;
  }

  // A distance to what lies before is a large number.
  static bool are_apart(const void* first, std::uint64_t first_bytes, const void* second, std::uint64_t second_bytes) {
    const auto a = reinterpret_cast<std::uintptr_t>(first), b = reinterpret_cast<std::uintptr_t>(second);
    return b - a >= first_bytes && a - b >= second_bytes;
  }

  MatrixRef<const T> a_, b_;
  MatrixRef<T> c_, z_;
  MatrixRef<const T> bias_;
  const void* functor_;
  std::int64_t how_;  // a field of bits each: threads, kind, beta, compute, op_a, op_b
  bool is_possible_;
};

template <class ExecutionSpace, class AView, class BType, class CView, class EpilogueType>
KeptCall<ExecutionSpace, AView, BType, CView, EpilogueType> kept_call(
    const ExecutionSpace& exec, const AView& A, const BType& B, const CView& C, const EpilogueType& epilogue,
    const GemmOptions& options, const std::type_identity_t<Workspace<ExecutionSpace>>& workspace) {
  return {exec, A, B, C, epilogue, options, workspace};
}

}  // namespace Tegula::Impl

#endif
