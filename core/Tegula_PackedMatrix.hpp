// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PACKED_MATRIX_HPP
#define TEGULA_PACKED_MATRIX_HPP

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "Tegula_CheckViews.hpp"
#include "Tegula_KokkosCompat.hpp"
#include "Tegula_PackPanels.hpp"

namespace Tegula {

/// The second factor of gemm, op(B), made ready once for many calls: what `pack` returns, and gemm, make_plan,
/// describe, workspace_bytes and measure take in place of B. A copy refers to the same memory, as a copy of a View
/// does.
///
/// On Serial, OpenMP and Threads it holds op(B) in the order in which the kernels for the processor read it, converted
/// to the type of sums. On other spaces no kernel reads such an order: there it is the View of B, and a call is the
/// same call with that View. In both it keeps B's View, which gemm_backward takes: packed.view().
///
/// It stands for the numbers that B had when it was packed: pack again when they change. Whether a call sees the change
/// without that is not said.
template <class ExecutionSpace, class BView>
class PackedMatrix {
  using Scalar = typename BView::non_const_value_type;

 public:
  using execution_space = ExecutionSpace;
  using view_type       = BView;
  using Panels          = Kokkos::View<accumulator_t<Scalar>*, Kokkos::HostSpace>;

  /// For `pack`.
  PackedMatrix(const BView& view, Op op, const Panels& panels, int panel_columns)
      : view_(view), op_(op), panels_(panels), panel_columns_(panel_columns) {}

  /// B as it was given, before op.
  const BView& view() const { return view_; }
  Op op() const { return op_; }
  /// Bytes that it takes beside B; 0 where it is B.
  std::size_t bytes() const { return panels_.size() * sizeof(accumulator_t<Scalar>); }

  Impl::PackedPanels panels() const { return {bytes() == 0 ? nullptr : panels_.data(), panel_columns_}; }

 private:
  BView view_;
  Op op_;
  Panels panels_;
  int panel_columns_;
};

/// op_b(B) made ready for the many calls of gemm with options.op_b = op_b. Packs before it returns on hosts, allocates
/// the memory for that, and waits for exec. Where no kernel reads a packed matrix it does nothing.
///
/// Throws std::invalid_argument if exec cannot reach the memory of B, or B has extents but no data.
template <Impl::IsExecutionSpace ExecutionSpace, class BView>
PackedMatrix<ExecutionSpace, BView> pack(const ExecutionSpace& exec, const BView& B, Op op_b = Op::none) {
  static_assert(BView::rank == 2, "Tegula::pack: B must be a View of rank 2");
  using Scalar = typename BView::non_const_value_type;
  using Packed = PackedMatrix<ExecutionSpace, BView>;
  Impl::ArgumentList arguments("pack");
  arguments.add<ExecutionSpace>("B", Impl::Access::input, B);
  arguments.check_memory();
  if constexpr (Impl::is_done_at_return<ExecutionSpace> && Impl::element_of<Scalar> != Impl::Element::other) {
    const Impl::CallMatrix matrix = Impl::call_matrix(Impl::matrix_ref<const Scalar>(B, op_b));
    constexpr Impl::Element sums  = Impl::element_of<accumulator_t<Scalar>>;
    const Impl::PanelSize size    = Impl::panel_size(matrix, sums);
    if (size.elements > 0) {
      const typename Packed::Panels panels(Kokkos::view_alloc(Kokkos::WithoutInitializing, "Tegula::pack"),
                                           static_cast<std::size_t>(size.elements));
      Impl::pack_panels_of(exec, matrix, sums, panels.data());
      return Packed(B, op_b, panels, size.columns);
    }
  }
  return Packed(B, op_b, {}, 0);
}

/// The same on the default instance of the execution space of B's View.
template <class BView>
requires(!Impl::IsExecutionSpace<BView>) PackedMatrix<typename BView::execution_space, BView> pack(const BView& B,
                                                                                                   Op op_b = Op::none) {
  return pack(typename BView::execution_space(), B, op_b);
}

namespace Impl {

template <class T>
inline constexpr bool is_packed = false;
template <class ExecutionSpace, class BView>
inline constexpr bool is_packed<PackedMatrix<ExecutionSpace, BView>> = true;

/// The View of a matrix that may be packed.
template <class BView>
const BView& view_of(const BView& B) {
  return B;
}
template <class ExecutionSpace, class BView>
const BView& view_of(const PackedMatrix<ExecutionSpace, BView>& B) {
  return B.view();
}
template <class BView>
using view_of_t = std::remove_cvref_t<decltype(view_of(std::declval<const BView&>()))>;

/// Adds what is packed of B to a call. Another op than it was packed with is an error.
template <class ExecutionSpace, class BView>
void add_panels(Call& call, const BView& B, const ArgumentList& arguments) {
  if constexpr (is_packed<BView>) {
    static_assert(std::is_same_v<ExecutionSpace, typename BView::execution_space>,
                  "Tegula::gemm: B was packed for another execution space");
    const auto name = [](Op op) { return op == Op::none ? "none" : "transpose"; };
    if (B.op() != call.op_b)
      arguments.fail(std::string("B was packed with op_b = ") + name(B.op()) + ", options.op_b is " + name(call.op_b));
    call.B_panels = B.panels();
  }
}

}  // namespace Impl
}  // namespace Tegula

#endif
