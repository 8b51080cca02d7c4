// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CASE_HPP
#define TEGULA_PERF_CASE_HPP

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Tegula_Options.hpp"
#include "Tegula_PerfShapes.hpp"

namespace Tegula::Perf {

enum class Layout { right, left };

/// What a device did before a row is timed.
enum class Load {
  none,      ///< whatever came before: on hosts
  rested,    ///< nothing for a while: clocks and temperature at their best
  sustained  ///< the same calls, without a break: clocks as far as the power limit lets them
};

/// As the command line, the table and the JSON file name it; empty for none.
inline std::string name_of(Load load) {
  return load == Load::rested ? "rested" : load == Load::sustained ? "sustained" : "";
}

/// A way to form products of float, as the command line and the JSON file name it.
struct NamedCompute {
  const char* name;
  Compute compute;
};
inline constexpr std::array computes{NamedCompute{"native", Compute::native}, NamedCompute{"tf32", Compute::tf32},
                                     NamedCompute{"fp32_split", Compute::fp32_split}};

inline const char* name_of(Compute compute) {
  for (const auto& [name, named] : computes)
    if (named == compute) return name;
  return "";
}

/// The factors of C = alpha A B + beta C.
struct Scaling {
  double alpha = 1, beta = 0;
};

/// What follows the product.
enum class EpilogueKind {
  none,     ///< nothing, on any side: C = alpha op_a(A) op_b(B) + beta C
  bias,     ///< bias and activation
  backward  ///< their gradients
};

/// As the command line and the JSON file name it.
inline std::string name_of(EpilogueKind epilogue) {
  return epilogue == EpilogueKind::none ? "none" : epilogue == EpilogueKind::bias ? "bias" : "backward";
}

/// One row of the table: what is computed, on which data.
struct CaseSpec {
  Shape shape;                    ///< C is m x n, summed over k
  std::string type;               ///< as the command line names it: "float"
  std::array<Layout, 3> layouts;  ///< of A, B, C
  Op op_a, op_b;
  EpilogueKind epilogue;
  std::string activation;
  Scaling scaling;
  Compute compute;
  std::string family;  ///< of Tegula's kernels; empty: the planner chooses
  TileShape tile;      ///< likewise
  std::uint64_t seed;
  std::vector<std::string> peers;
  std::string below  = {};     ///< activation of the layer below a backward pass; empty: there is none
  bool packed        = false;  ///< Tegula's B is packed before any call
  bool saved         = false;  ///< what the backward pass needs beside C is stored, too
  std::string result = {};     ///< type of C and the bias, or of dB and the gradients of biases; empty: the operands'

  /// A and B as they are stored: op_a(A) is m x k, op_b(B) k x n.
  std::int64_t a_rows() const { return op_a == Op::none ? shape.m : shape.k; }
  std::int64_t a_columns() const { return op_a == Op::none ? shape.k : shape.m; }
  std::int64_t b_rows() const { return op_b == Op::none ? shape.k : shape.n; }
  std::int64_t b_columns() const { return op_b == Op::none ? shape.n : shape.k; }

  /// What Tegula's planner is told. It refers to the name in this object.
  PlanOptions plan() const { return {.family = family, .tile = tile}; }

  /// Of one product.
  double flops() const {
    return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
  }
};

/// A call with one set of operands.
struct Call {
  std::function<void()> run;  ///< queued, not waited for. Empty if there is nothing to run
  std::string path;           ///< what runs, where Kokkos Tools do not see it; else empty
  std::string absent;         ///< why there is nothing to run
};

/// A side forms the results of a case, in matrices of its own: Tegula, or a peer.
struct Side {
  std::string name;                          ///< "tegula", or the peer's as the command line names it
  std::vector<std::function<void()>> calls;  ///< with each set of operands. None if this side does not take the case
  std::string path, absent;                  ///< of the calls
  std::string failure;                       ///< what went wrong while the calls were made ready; else empty
};

/// A side from its call with each of so many sets.
template <class CallOfSet>
Side side_of(const std::string& name, std::size_t sets, const CallOfSet& call_of_set) {
  Side side{name, {}, "", "", ""};
  try {
    for (std::size_t set = 0; set < sets; ++set) {
      const Call call = call_of_set(set);
      if (!call.run) return {name, {}, "", call.absent, ""};
      side.calls.push_back(call.run);
      side.path = call.path;
    }
  } catch (const std::exception& error) {
    return {name, {}, "", "", error.what()};
  }
  return side;
}

/// What a check of the results of a side found.
struct Verdict {
  double error;       ///< the worst |result - reference|, as a part of the sum of absolute products it was formed from
  std::string wrong;  ///< empty: nothing
};

/// From a check that returns the error, or throws what is wrong.
template <class Check>
Verdict verdict_of(const Check& check) {
  try {
    return {check(), ""};
  } catch (const std::exception& error) {
    return {0, error.what()};
  }
}

/// One call of Tegula, and what each peer needs for the same results from the same inputs.
class Case {
 public:
  virtual ~Case()                          = default;
  virtual const std::vector<Side>& sides() = 0;  ///< Tegula first, then the peers as they were asked for
  virtual double flops() const             = 0;  ///< of the matrix products
  virtual double compulsory_bytes() const  = 0;  ///< every operand moved once

  /// Kernels that Tegula's plan names.
  virtual std::vector<std::string> planned_labels() = 0;

  /// Puts what a side writes back to what it holds before a call, in every set: NaN, or the C that beta multiplies.
  virtual void reset(std::size_t side) = 0;

  /// Of each side, after all its calls have run once since the reset, from sampled rows.
  virtual std::vector<Verdict> check() = 0;
};

/// Allocates and fills the operands of a case.
using CaseFactory = std::unique_ptr<Case> (*)(const CaseSpec&);

}  // namespace Tegula::Perf

#endif
