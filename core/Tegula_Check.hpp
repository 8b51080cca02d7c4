// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CHECK_HPP
#define TEGULA_CHECK_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "Tegula_MatrixRef.hpp"
#include "Tegula_Overlap.hpp"

/// Argument checks. Every failure throws std::invalid_argument with a message that names the call, says what is wrong,
/// and lists every argument with its label, type, extents and strides. All of it runs before anything is written.
/// Nothing here needs Kokkos.

namespace Tegula::Impl {

enum class Access { input, output };

/// One View argument without its type. Labels are only asked for when a message is written.
struct Argument {
  const char* role;  // "A", "bias", ...
  Access access;
  const char* scalar;  // name of the element type
  int rank;
  bool reachable;       // from the execution space of the call
  StridedBytes memory;  // begins at 0 if there is no data
  const void* view;
  std::string (*label)(const void* view);
};

/// The argument list of one call.
class ArgumentList {
 public:
  explicit ArgumentList(const char* call) : call_(call) {}

  /// Adds a View; `none` adds nothing. A rank-1 View counts as one row. Tegula_CheckViews.hpp has its definition.
  template <class ExecutionSpace, class ViewType>
  void add(const char* role, Access access, const ViewType& view);

  /// Throws std::invalid_argument: "Tegula::<call>: <what>", then the arguments.
  [[noreturn]] void fail(const std::string& what) const;

  /// Each argument has data where it has elements, in memory that the execution space reaches. No output overlaps
  /// another argument, and no output has two elements at one address.
  void check_memory() const;

 private:
  static constexpr std::size_t max_arguments =
      10;  // gemm_backward: dC, A, B, saved, dA, dB, dbias, two of the layer below, workspace

  std::span<const Argument> arguments() const { return {arguments_.data(), count_}; }
  [[noreturn]] void fail_of(const Argument& argument, const char* what) const;
  void check_output(const Argument& output) const;
  void check_pair(const Argument& first, const Argument& second) const;

  const char* call_;
  std::size_t count_ = 0;
  std::array<Argument, max_arguments> arguments_;
};

/// "3x4"
std::string text(const Extents& extents);

/// op(A) op(B) must have the extents of the product.
[[noreturn]] void fail_of_product(const ArgumentList& arguments, const Extents& a, const Extents& b,
                                  const Extents& product, const char* product_role);
inline void check_product(const ArgumentList& arguments, const Extents& a, const Extents& b, const Extents& product,
                          const char* product_role) {
  if (a.columns != b.rows || a.rows != product.rows || b.columns != product.columns)
    fail_of_product(arguments, a, b, product, product_role);
}

/// The extents of an argument must be those of another. Nothing is asked of `none`.
template <class ViewType>
void check_extents(const ArgumentList& arguments, const char* role, const Extents& extents, const char* other_role,
                   const Extents& other) {
  if constexpr (!is_none<ViewType>) {
    if (extents != other) {
      arguments.fail(std::string(role) + " is " + text(extents) + ", " + other_role + " is " + text(other));
    }
  }
}

/// A row vector must have an entry for every column. Nothing is asked of `none`.
template <class ViewType>
void check_vector(const ArgumentList& arguments, const char* role, std::int64_t entries, std::int64_t columns) {
  if constexpr (!is_none<ViewType>) {
    if (entries != columns) {
      arguments.fail(std::string(role) + " has " + std::to_string(entries) + " entries for " + std::to_string(columns) +
                     " columns");
    }
  }
}

}  // namespace Tegula::Impl

#endif
