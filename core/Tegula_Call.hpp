// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CALL_HPP
#define TEGULA_CALL_HPP

#include <cstddef>
#include <optional>

#include "Tegula_ActivationChoice.hpp"
#include "Tegula_AnyMatrix.hpp"
#include "Tegula_CompiledActivation.hpp"
#include "Tegula_Options.hpp"
#include "Tegula_Plan.hpp"

/// A checked call as plain data: what the planner and the kernels that are compiled once, into the library, know of it.
/// op() has been applied. Nothing here needs Kokkos.

namespace Tegula::Impl {

enum class Instructions;  // of hosts: Tegula_HostInstructions.hpp

/// Functions on a run, some elements of a line of a matrix, as hosts call them. `values` and `run` are accumulators.
/// Reads values[e] = element first + e distance of data; writes the reverse.
using ReadRun  = void (*)(const void* data, std::int64_t first, std::int64_t distance, int count, void* values);
using WriteRun = void (*)(void* data, std::int64_t first, std::int64_t distance, int count, const void* values);
/// run[e] = act(run[e]), and run[e] = from[e] act'(saved[e]), where from may be run.
using ValueOfRun = void (*)(const void* functor, int count, void* run);
using SlopeOfRun = void (*)(const void* functor, const void* saved, const void* from, int count, void* run);

/// How a host reads and writes elements of a user's type, for each set of instructions.
struct ElementRuns {
  ReadRun (*read)(Instructions instructions);
  WriteRun (*write)(Instructions instructions);
};

/// A matrix of a call, or a vector that stands for all of its rows. Null: it was left out, and counts as being of the
/// type of C, or dC.
struct CallMatrix {
  void* data                = nullptr;
  Element element           = Element::f32;
  std::size_t element_bytes = 4;
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_stride = 0, column_stride = 0;
  const ElementRuns* runs = nullptr;  // of elements of a user's type, on hosts

  Extents extents() const { return {rows, columns}; }
  CallMatrix transposed() const {
    return {data, element, element_bytes, columns, rows, column_stride, row_stride, runs};
  }
  AnyMatrix any() const { return {data, element, row_stride, column_stride}; }

  /// The caller knows that elements are of this type, or are as long.
  template <class T>
  MatrixRef<T> as() const {
    return {static_cast<T*>(data), rows, columns, row_stride, column_stride};
  }
};

template <class T>
CallMatrix call_matrix(const MatrixRef<T>& matrix) {
  using Stored = std::remove_const_t<T>;
  return {const_cast<Stored*>(matrix.data),
          element_of<Stored>,
          sizeof(Stored),
          matrix.rows,
          matrix.columns,
          matrix.row_stride,
          matrix.column_stride};
}

/// B of gemm as it was packed beforehand, for kernels that read it so (Tegula_PackPanels.hpp). Null: it was not.
struct PackedPanels {
  const void* data = nullptr;  // numbers of the accumulator's type
  int columns      = 0;        // of a panel
};

struct Call;
struct FinishCall;
class KernelLabel;
class CallableRef;

struct OwnPortable;

/// An activation, and what is compiled of a user's where it is used: functions on runs for hosts, elementwise passes
/// for devices.
struct ActivationPasses {
  const void* functor = nullptr;  // the activation, which outlives the call
  /// The kernels of products that apply it themselves, without a pass; null if it is compiled into none.
  const CompiledActivation* kernels = nullptr;
  /// Of hosts, for each set of instructions: the value in gemm, the slope in gemm_backward.
  ValueOfRun (*value)(Instructions instructions) = nullptr;
  SlopeOfRun (*slope)(Instructions instructions) = nullptr;
  /// Finishes a result. This and the next queue a pass on exec, an instance of the call's execution space, and call
  /// before() when all that can fail is ready, and before anything is queued. Null: there is no such pass.
  void (*finish)(const void* exec, const KernelLabel& label, const FinishCall& call, const void* functor,
                 const CallableRef& before) = nullptr;
  /// Forms dZ and the sums of its columns before the products of gemm_backward, in a workspace, as planned, or behind
  /// them those of the layer below.
  void (*form_dZ)(const void* exec, const KernelLabel& label, const Call& call, const GradientPlan& plan,
                  char* workspace, const CallableRef& before) = nullptr;
};

/// The activation of a layer.
struct CallActivation {
  bool is_built_in        = true;  // Tegula brings it, and `activation` says which it is
  bool has_constant_slope = true;  // act' is a constant: what was saved is not read
  ActivationChoice activation;
  ActivationPasses passes;
  const char* activation_name = "";

  bool is_identity() const { return is_built_in && is_activation<Identity>(activation); }
};

/// The layer below one of gemm_backward: dA is stored multiplied by act'(saved), and dbias (+)= sums of its columns.
struct LayerBelow : CallActivation {
  CallMatrix saved, dbias;  // m x k, 1 x k
  Update update_dbias = Update::overwrite;
  void* column_sums   = nullptr;  // of a product whose kernel sums columns: where the sums of some rows each go
};

struct Call : CallActivation {
  const char* name       = "";  // "gemm", "gemm_backward"
  bool is_backward       = false;
  Element accumulator    = Element::f32;  // of all sums
  const char* input_name = "";            // of the element type of A, or dC
  CallMatrix A, B;                        // m x k, k x n
  CallMatrix C, bias, Z;                  // of gemm: C = act(alpha A B + beta C + bias), Z the argument of act
  CallMatrix dC, saved;                   // of gemm_backward: dZ = dC act'(saved)
  CallMatrix dA, dB, dbias;         // dA (+)= alpha dZ B^T, dB (+)= alpha A^T dZ, dbias (+)= column sums of dZ, 1 x n
  std::optional<LayerBelow> below;  // of gemm_backward
  bool has_own_elements       = false;    // an element type is not one that Tegula brings
  const OwnPortable* portable = nullptr;  // the portable kernel for types of the user's own, if that is what takes them
  double alpha = 1, beta = 0;             // numbers of the accumulator's type
  Update update_dA = Update::overwrite, update_dB = Update::overwrite, update_dbias = Update::overwrite;
  Op op_a = Op::none, op_b = Op::none;
  Compute compute = Compute::native;
  PackedPanels B_panels{};

  /// Whether the elements of all operands that are read are of one type.
  bool has_operands_alike() const {
    const Element element = A.element;
    if (B.element != element) return false;
    return !is_backward || (dC.element == element && (has_constant_slope || saved.element == element));
  }

  /// The layer below as a call whose dC is this call's dA: its dZ and dbias are asked for, no product.
  Call call_below() const {
    Call of_below;
    static_cast<CallActivation&>(of_below) = *below;
    of_below.name                          = name;
    of_below.is_backward                   = true;
    of_below.accumulator                   = accumulator;
    of_below.dC                            = dA;
    of_below.saved                         = below->saved;
    of_below.dbias                         = below->dbias;
    of_below.update_dbias                  = below->update_dbias;
    return of_below;
  }

  /// Of gemm. With alpha = 0 nothing of A and B is read, as if k were 0.
  GemmShape shape() const { return {C.rows, C.columns, alpha == 0 ? 0 : A.columns}; }

  /// Of gemm_backward: dA (m x k) sums over n.
  GemmShape dA_shape() const { return dA.data == nullptr ? GemmShape{} : GemmShape{dA.rows, dA.columns, dC.columns}; }

  /// The transposed dB (n x k) sums over m, so that dZ is the left operand of both products. The bias gradient is the
  /// sums of the rows of that left operand; without dB it is all that is left of the product.
  GemmShape dB_shape() const {
    if (dB.data == nullptr && dbias.data == nullptr) return {};
    return {dC.columns, dB.data == nullptr ? 0 : dB.rows, dC.rows};
  }

  /// The alpha of one of these products: an empty sum is zero, even if alpha is NaN or infinite. The two sum over
  /// different dimensions, so one may be empty alone.
  double alpha_of(const GemmShape& product) const { return product.k == 0 ? 0 : alpha; }

  /// Not defaulted: GCC would copy all members from an image of them, which takes longer than to store them.
  Call() {}
};

}  // namespace Tegula::Impl

#endif
