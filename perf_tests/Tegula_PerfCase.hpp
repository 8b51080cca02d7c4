// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_CASE_HPP
#define TEGULA_PERF_CASE_HPP

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "Tegula_Options.hpp"
#include "Tegula_PerfShapes.hpp"

namespace Tegula::Perf {

enum class Layout { right, left };

/// One row of the table: what is computed, on which data.
struct CaseSpec {
  Shape shape;                    ///< C is m x n, summed over k
  std::string type;               ///< as the command line names it: "float"
  std::array<Layout, 3> layouts;  ///< of A, B, C
  Op op_a, op_b;
  std::string activation;
  std::uint64_t seed;
  bool with_peer;

  /// A and B as they are stored: op_a(A) is m x k, op_b(B) k x n.
  std::int64_t a_rows() const { return op_a == Op::none ? shape.m : shape.k; }
  std::int64_t a_columns() const { return op_a == Op::none ? shape.k : shape.m; }
  std::int64_t b_rows() const { return op_b == Op::none ? shape.k : shape.n; }
  std::int64_t b_columns() const { return op_b == Op::none ? shape.n : shape.k; }

  /// Of one product.
  double flops() const {
    return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
  }
};

/// Worst |result - reference| of the sampled elements, each as a part of the sum of absolute products it was formed
/// from.
struct Errors {
  double tegula = 0;
  double peer   = 0;
};

/// One call of Tegula and what its peer needs for the same results, on the same inputs. Calls are queued, not waited
/// for.
class Case {
 public:
  virtual ~Case()                         = default;
  virtual bool has_peer() const           = 0;  ///< whether the peer takes these element types
  virtual void run_tegula()               = 0;
  virtual void run_peer()                 = 0;
  virtual std::string planned_label()     = 0;  ///< the kernel that Tegula's plan names
  virtual double flops() const            = 0;  ///< of the matrix products
  virtual double compulsory_bytes() const = 0;  ///< every operand moved once
  virtual Errors check(bool with_peer)    = 0;  ///< of what has run; throws std::runtime_error if a result is wrong
};

/// Allocates and fills the operands of a case.
using CaseFactory = std::unique_ptr<Case> (*)(const CaseSpec&);

}  // namespace Tegula::Perf

#endif
