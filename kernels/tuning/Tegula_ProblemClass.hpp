// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PROBLEM_CLASS_HPP
#define TEGULA_PROBLEM_CLASS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

/// The layer below a call of gemm_backward.
struct ClassBelow {
  MatrixClass saved{}, dbias{};
  int activation      = 0;
  Update update_dbias = Update::overwrite;

  friend bool operator==(const ClassBelow&, const ClassBelow&) = default;
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
  std::optional<ClassBelow> below{};

  friend bool operator==(const ProblemClass&, const ProblemClass&) = default;
};

/// A class in five words, by which it is looked up: others for any other class.
using PackedProblem = std::array<std::uint64_t, 5>;
PackedProblem packed(const ProblemClass& problem);

/// The same of a call, without forming its class.
std::optional<PackedProblem> packed(const Call& call, bool reads_alignments);

/// A table of classes with open addressing: to find one takes some nanoseconds, whatever their number. What is found
/// stays where it is until another class is added.
template <class Value>
class ProblemTable {
 public:
  Value& operator[](const ProblemClass& problem) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(packed(problem))];
    if (!slot.is_taken) {
      slot = {packed(problem), Value{}, true};
      ++count_;
    }
    return slot.value;
  }

  /// Null if it is not there.
  const Value* find(const PackedProblem& problem) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place_of(problem)];
    return slot.is_taken ? &slot.value : nullptr;
  }

 private:
  struct Slot {
    PackedProblem key{};
    Value value{};
    bool is_taken = false;
  };

  /// Of the key, or the empty one where it would be.
  std::size_t place_of(const PackedProblem& key) const {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: multiples of it spread
    std::uint64_t hash          = 0;
    for (const std::uint64_t word : key) {
      hash = (hash ^ word) * odd;
      hash ^= hash >> 32;
    }
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place].is_taken && slots_[place].key != key) place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void grow() {
    std::vector<Slot> before(std::max<std::size_t>(16, 2 * slots_.size()));
    before.swap(slots_);
    for (Slot& slot : before)
      if (slot.is_taken) slots_[place_of(slot.key)] = std::move(slot);
  }

  std::vector<Slot> slots_;  // a power of two
  std::size_t count_ = 0;
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
