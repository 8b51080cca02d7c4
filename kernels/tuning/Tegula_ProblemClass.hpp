// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PROBLEM_CLASS_HPP
#define TEGULA_PROBLEM_CLASS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "Tegula_Call.hpp"
#include "Tegula_Json.hpp"

/// The calls that one measured way is for: what plans depend on (Tegula_PlannedFor.hpp), as data that a file can hold.
/// Of strides it keeps what kernels see: the direction that is contiguous, and on CUDA what addresses of lines are
/// multiples of. op() has been applied: a transposed row-major A is a column-major one. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// right: rows are contiguous, left: columns are; a vector is contiguous and stands for all rows, or is one row.
enum class MatrixLayout : std::uint8_t { left_out, right, left, vector, strided };

struct MatrixClass {
  Element element        = Element::f32;
  MatrixLayout layout    = MatrixLayout::left_out;
  std::uint8_t alignment = 1;  // of all lines, bytes, up to 16; 1 where planners do not ask

  bool is_left_out() const { return layout == MatrixLayout::left_out; }

  friend bool operator==(const MatrixClass&, const MatrixClass&) = default;
};

/// As far as plans depend on alpha and beta.
enum class Factor : std::uint8_t { zero, one, other };

struct ProblemClass {
  static constexpr std::size_t most_matrices = 7;

  bool is_backward = false;
  GemmShape shape{};                                  // of C or dC, and the inner dimension of C = A B
  std::array<MatrixClass, most_matrices> matrices{};  // as matrix_roles names them
  int activation  = 0;                                // in BuiltInActivations
  Compute compute = Compute::native;
  Factor alpha = Factor::one, beta = Factor::zero;
  std::array<Update, 3> updates{};  // of dA, dB, dbias

  friend bool operator==(const ProblemClass&, const ProblemClass&) = default;
};

struct ProblemClassHash {
  std::size_t operator()(const ProblemClass& problem) const;
};

/// A matrix of a call, and its key in files.
struct MatrixRole {
  const char* key;
  CallMatrix Call::*matrix;
};
std::span<const MatrixRole> matrix_roles(bool is_backward);

/// By position in BuiltInActivations.
std::span<const char* const> activation_names();

/// The class of a call; nothing if a type or the activation is a user's own, which no program but theirs can run.
std::optional<ProblemClass> problem_class(const Call& call, bool reads_alignments);

/// {"function": "gemm", "m": 1000, "n": 512, "k": 33, "A": "f32 right 16", ...}, on one line: the same for equal
/// classes.
std::string json(const ProblemClass& problem);

/// The class that is written so. Throws std::invalid_argument, as Json does.
ProblemClass problem_class(const Json& written);

/// "gemm 1000x512x33 f32, relu", for messages.
std::string short_text(const ProblemClass& problem);

}  // namespace Tegula::Impl

#endif
