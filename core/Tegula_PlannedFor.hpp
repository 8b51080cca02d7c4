// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PLANNED_FOR_HPP
#define TEGULA_PLANNED_FOR_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "Tegula_AnyMatrix.hpp"
#include "Tegula_Options.hpp"

/// The call that a plan was made for, as far as plans depend on it: a plan may run every call that is like it. Nothing
/// here needs Kokkos.

namespace Tegula {

namespace Impl {

struct Call;
struct CallActivation;
struct CompiledActivation;
struct ElementRuns;
struct OwnPortable;
class ArgumentList;

/// Where kernels run.
struct PlannedPlace {
  const char* space     = "";
  int device            = 0;
  int threads           = 0;      // of a host; 0: a device's are its own
  bool reads_alignments = false;  // kernels are chosen by how addresses are aligned

  friend bool operator==(const PlannedPlace&, const PlannedPlace&) = default;
};

/// A matrix of a call, op() applied, or one that was left out.
struct PlannedMatrix {
  std::int64_t rows = 0, columns = 0, row_stride = 0, column_stride = 0;
  const ElementRuns* runs     = nullptr;  // which type of a user's elements are of
  std::uint32_t element_bytes = 0;
  Element element             = Element::f32;
  std::uint8_t alignment      = 1;  // what its address is a multiple of, as far as kernels ask

  bool is_left_out() const { return (rows | columns) == 0; }

  friend bool operator==(const PlannedMatrix&, const PlannedMatrix&) = default;
};

/// What PlanOptions say, without memory of its own. A name that is longer than all families' is cut.
struct PlannedOptions {
  std::array<char, 15> family{};
  TileShape tile{};
  int group = 0, split_k = 0, whole_waves = 0;

  friend bool operator==(const PlannedOptions&, const PlannedOptions&) = default;
};

/// An activation of a call. Names are compared by their addresses, as those of PlannedFor are.
struct PlannedActivation {
  const char* name                  = "";
  const CompiledActivation* kernels = nullptr;  // which kernels a user's activation was compiled into
  int built_in                      = -1;       // the position among those that Tegula brings, or -1
  bool has_constant_slope           = true;
  bool has_own_passes               = false;  // a user's is applied by what is compiled with the call

  friend bool operator==(const PlannedActivation&, const PlannedActivation&) = default;
};

/// The layer below a call of gemm_backward.
struct PlannedBelow {
  PlannedMatrix saved{}, dbias{};
  PlannedActivation activation{};
  Update update_dbias = Update::overwrite;

  friend bool operator==(const PlannedBelow&, const PlannedBelow&) = default;
};

/// Names are compared by their addresses: what is equal is alike, what is alike may be told apart.
struct PlannedFor {
  static constexpr std::size_t most_matrices = 7;  // of gemm_backward

  const char* call  = "";  // "gemm"
  const char* input = "";  // "f32"
  PlannedActivation activation{};
  PlannedPlace place{};
  std::array<PlannedMatrix, most_matrices> matrices{};  // those of gemm, or of gemm_backward
  std::optional<PlannedBelow> below{};
  PlannedOptions options{};
  const OwnPortable* portable = nullptr;  // which types of a user's a kernel was compiled for
  Op op_a = Op::none, op_b = Op::none;
  Compute compute     = Compute::native;
  Element accumulator = Element::f32;
  std::array<Update, 3> updates{};  // of dA, dB, dbias
  bool is_alpha_zero = false, is_beta_zero = false;
  bool is_alpha_one = false, is_beta_one = false;  // for speed only: any plan computes with any factors
  int panel_columns = 0;                           // of B, if it was packed beforehand

  friend bool operator==(const PlannedFor&, const PlannedFor&) = default;
};

PlannedFor planned_for(const PlannedPlace& place, const Call& call, const PlanOptions& options);

/// Whether planned == planned_for(place, call, options), in less time than it takes to form that.
bool is_planned_for(const PlannedFor& planned, const PlannedPlace& place, const Call& call, const PlanOptions& options);

/// Throws std::invalid_argument, which names the call and what differs, unless a plan for one call may run another one.
/// Options may be those that it was planned with, or none.
void check_planned(const PlannedFor& planned, const PlannedPlace& place, const Call& call, const PlanOptions& options,
                   const ArgumentList& arguments);

}  // namespace Impl
}  // namespace Tegula

#endif
