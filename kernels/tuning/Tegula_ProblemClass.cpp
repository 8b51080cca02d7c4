// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ProblemClass.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <vector>

namespace Tegula::Impl {
namespace {

constexpr MatrixRole gemm_roles[] = {
    {"A", &Call::A}, {"B", &Call::B}, {"C", &Call::C}, {"bias", &Call::bias}, {"Z", &Call::Z}};
constexpr MatrixRole backward_roles[] = {{"dC", &Call::dC},       {"A", &Call::A},   {"B", &Call::B},
                                         {"saved", &Call::saved}, {"dA", &Call::dA}, {"dB", &Call::dB},
                                         {"dbias", &Call::dbias}};
static_assert(std::size(backward_roles) <= ProblemClass::most_matrices);

constexpr const char* const activations[] = {"identity", "relu", "leaky_relu", "tanh",
                                             "sigmoid",  "silu", "gelu_tanh",  "gelu_erf"};
static_assert(BuiltInActivations::position<GeluErf>() + 1 == std::size(activations));

constexpr const char* element_names[] = {"f16", "bf16", "f32", "f64"};
constexpr const char* layout_names[]  = {"left_out", "right", "left", "vector", "strided"};
constexpr const char* compute_names[] = {"native", "tf32", "fp32_split"};
constexpr const char* factor_names[]  = {"zero", "one", "other"};
constexpr const char* update_names[]  = {"overwrite", "accumulate"};
constexpr const char* update_keys[]   = {"update_dA", "update_dB", "update_dbias"};
constexpr const char *below_key = "below", *saved_below_key = "saved_below", *dbias_below_key = "dbias_below",
                     *update_below_key = "update_dbias_below";
constexpr const char* function_names[] = {"gemm", "gemm_backward"};

/// The position of a name in a table; errors tell all of them.
template <std::size_t Count>
std::size_t named(const Json& value, const std::string& what, const std::string& name,
                  const char* const (&names)[Count]) {
  std::string known;
  for (std::size_t i = 0; i < Count; ++i) {
    if (name == names[i]) return i;
    known += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  value.fail(what + " is \"" + name + "\", none of " + known);
}

/// One that need not be there; `first` is what it is then.
template <class Choice, std::size_t Count>
Choice chosen(const Json& written, const char* key, const char* const (&names)[Count], Choice first) {
  const Json* const value = written.find(key);
  if (value == nullptr) return first;
  return static_cast<Choice>(named(*value, key, value->text(key), names));
}

/// No kernel asks for more than 16 bytes.
std::uint8_t alignment_of(std::uintptr_t bits) {
  bits |= 16;
  return static_cast<std::uint8_t>(bits & (~bits + 1));
}

MatrixLayout layout_of(const CallMatrix& m) {
  if (m.row_stride == 0 && m.column_stride == 1) return MatrixLayout::vector;
  if (m.column_stride == 1) return MatrixLayout::right;
  return m.row_stride == 1 ? MatrixLayout::left : MatrixLayout::strided;
}

MatrixClass matrix_class(const CallMatrix& m, bool reads_alignments) {
  if (m.data == nullptr) return {};
  MatrixClass matrix{m.element, layout_of(m), 1};
  if (!reads_alignments) return matrix;
  std::int64_t lines = matrix.layout == MatrixLayout::left ? m.column_stride : m.row_stride;
  if (matrix.layout == MatrixLayout::strided) lines |= m.column_stride;
  matrix.alignment =
      alignment_of(reinterpret_cast<std::uintptr_t>(m.data) | static_cast<std::uintptr_t>(lines) * m.element_bytes);
  return matrix;
}

Factor factor_of(double value) { return value == 0 ? Factor::zero : value == 1 ? Factor::one : Factor::other; }

std::string text(const MatrixClass& matrix) {
  std::string text = element_names[static_cast<std::size_t>(matrix.element)];
  text += ' ';
  text += layout_names[static_cast<std::size_t>(matrix.layout)];
  if (matrix.alignment > 1) text += ' ' + std::to_string(matrix.alignment);
  return text;
}

/// "f32 right 16"
MatrixClass matrix_class(const Json& written, const std::string& key) {
  std::istringstream words(written.text(key));
  std::string element, layout, alignment, more;
  words >> element >> layout >> alignment >> more;
  MatrixClass matrix;
  matrix.element = static_cast<Element>(named(written, key, element, element_names));
  matrix.layout  = static_cast<MatrixLayout>(named(written, key, layout, layout_names));
  if (alignment.empty()) return matrix;
  for (const int bytes : {2, 4, 8, 16}) {
    if (alignment != std::to_string(bytes) || !more.empty()) continue;
    matrix.alignment = static_cast<std::uint8_t>(bytes);
    return matrix;
  }
  written.fail(key + " is \"" + written.text(key) + "\", whose alignment is none of 2, 4, 8, 16");
}

template <class Value>
std::uint64_t word(Value value) {
  return static_cast<std::uint64_t>(value);
}

constexpr int bits_of_matrix = 9;

std::uint64_t bits(const MatrixClass& m) {
  return m.is_left_out() ? 0 : word(m.element) << 7 | word(m.layout) << 4 | word(m.alignment >> 1);
}

std::uint64_t bits(const std::optional<ClassBelow>& below) {
  if (!below) return 0;
  return 1 | word(below->update_dbias) << 1 | word(below->activation) << 2 | bits(below->saved) << 10 |
         bits(below->dbias) << (10 + bits_of_matrix);
}

/// All but extents and matrices.
std::uint64_t bits_of_rest(const ProblemClass& problem) {
  return word(problem.is_backward) | word(problem.activation) << 8 | word(problem.compute) << 16 |
         word(problem.alpha) << 20 | word(problem.beta) << 24 | word(problem.updates[0]) << 28 |
         word(problem.updates[1]) << 29 | word(problem.updates[2]) << 30 | bits(problem.below) << 32;
}

/// Whether a file can hold the class of a call: all types and activations are Tegula's.
bool has_class(const Call& call) {
  return call.is_built_in && !call.has_own_elements && (!call.below || call.below->is_built_in);
}

ProblemClass rest_of(const Call& call, bool reads_alignments) {
  ProblemClass problem;
  problem.is_backward = call.is_backward;
  problem.activation  = call.activation.position;
  problem.compute     = call.compute;
  problem.alpha       = factor_of(call.alpha);
  problem.beta        = factor_of(call.beta);
  if (call.is_backward) problem.updates = {call.update_dA, call.update_dB, call.update_dbias};
  if (call.below)
    problem.below =
        ClassBelow{matrix_class(call.below->saved, reads_alignments), matrix_class(call.below->dbias, reads_alignments),
                   call.below->activation.position, call.below->update_dbias};
  return problem;
}

/// The layer below, if an object has one.
std::optional<ClassBelow> class_below(const Json& written) {
  const auto matrix = [&](const char* key) {
    const Json* const value = written.find(key);
    return value == nullptr ? MatrixClass{} : matrix_class(*value, key);
  };
  const ClassBelow below{matrix(saved_below_key), matrix(dbias_below_key), chosen(written, below_key, activations, 0),
                         chosen(written, update_below_key, update_names, Update::overwrite)};
  if (written.find(below_key) != nullptr) return below;
  if (below != ClassBelow{}) written.fail(std::string("\"") + below_key + "\" is missing");
  return std::nullopt;
}

/// Objects have these keys, and no other.
const std::vector<std::string>& known_keys(bool is_backward) {
  static const auto keys = [] {
    std::array<std::vector<std::string>, 2> keys;
    for (const bool backward : {false, true}) {
      keys[backward] = {"function", "m", "n", "k", "activation", "compute", "alpha", "beta"};
      for (const MatrixRole& role : matrix_roles(backward)) keys[backward].emplace_back(role.key);
      if (!backward) continue;
      keys[backward].insert(keys[backward].end(), std::begin(update_keys), std::end(update_keys));
      keys[backward].insert(keys[backward].end(), {below_key, saved_below_key, dbias_below_key, update_below_key});
    }
    return keys;
  }();
  return keys[is_backward];
}

void check_matrices(const ProblemClass& problem, const Json& written) {
  constexpr std::size_t needed = 3;  // those that a call cannot leave out come first
  const auto roles             = matrix_roles(problem.is_backward);
  for (std::size_t i = 0; i < needed; ++i)
    if (problem.matrices[i].is_left_out()) written.fail(std::string("\"") + roles[i].key + "\" is missing");
}

}  // namespace

PackedProblem packed(const ProblemClass& problem) {
  std::uint64_t matrices = 0;
  for (const MatrixClass& matrix : problem.matrices) matrices = matrices << bits_of_matrix | bits(matrix);
  return {word(problem.shape.m), word(problem.shape.n), word(problem.shape.k), matrices, bits_of_rest(problem)};
}

std::optional<PackedProblem> packed(const Call& call, bool reads_alignments) {
  if (!has_class(call)) return std::nullopt;
  std::uint64_t matrices = 0;
  for (const MatrixRole& role : matrix_roles(call.is_backward))
    matrices = matrices << bits_of_matrix | bits(matrix_class(call.*role.matrix, reads_alignments));
  if (!call.is_backward) matrices <<= (ProblemClass::most_matrices - std::size(gemm_roles)) * bits_of_matrix;
  const CallMatrix& results = call.is_backward ? call.dC : call.C;
  return PackedProblem{word(results.rows), word(results.columns), word(call.A.columns), matrices,
                       bits_of_rest(rest_of(call, reads_alignments))};
}

std::span<const MatrixRole> matrix_roles(bool is_backward) {
  if (is_backward) return backward_roles;
  return gemm_roles;
}

std::span<const char* const> activation_names() { return activations; }

std::optional<ProblemClass> problem_class(const Call& call, bool reads_alignments) {
  if (!has_class(call)) return std::nullopt;
  ProblemClass problem      = rest_of(call, reads_alignments);
  const CallMatrix& results = call.is_backward ? call.dC : call.C;
  problem.shape             = {results.rows, results.columns, call.A.columns};
  auto matrix               = problem.matrices.begin();
  for (const MatrixRole& role : matrix_roles(call.is_backward)) {
    const CallMatrix& m = call.*role.matrix;
    *matrix++           = matrix_class(m, reads_alignments);
  }
  return problem;
}

std::string json(const ProblemClass& problem) {
  std::string written    = std::string("{\"function\": \"") + function_names[problem.is_backward] + '"';
  const auto add_integer = [&](const char* key, std::int64_t value) {
    written += std::string(", \"") + key + "\": " + std::to_string(value);
  };
  const auto add = [&](const char* key, const std::string& value) {
    written += std::string(", \"") + key + "\": \"" + value + '"';
  };
  add_integer("m", problem.shape.m);
  add_integer("n", problem.shape.n);
  add_integer("k", problem.shape.k);
  auto matrix = problem.matrices.begin();
  for (const MatrixRole& role : matrix_roles(problem.is_backward)) {
    if (!matrix->is_left_out()) add(role.key, text(*matrix));
    ++matrix;
  }
  add("activation", activations[problem.activation]);
  if (problem.compute != Compute::native) add("compute", compute_names[static_cast<int>(problem.compute)]);
  if (problem.alpha != Factor::one) add("alpha", factor_names[static_cast<int>(problem.alpha)]);
  if (problem.beta != Factor::zero) add("beta", factor_names[static_cast<int>(problem.beta)]);
  for (std::size_t u = 0; u < problem.updates.size(); ++u)
    if (problem.updates[u] != Update::overwrite) add(update_keys[u], update_names[1]);
  if (!problem.below) return written + '}';
  add(below_key, activations[problem.below->activation]);
  if (!problem.below->saved.is_left_out()) add(saved_below_key, text(problem.below->saved));
  if (!problem.below->dbias.is_left_out()) add(dbias_below_key, text(problem.below->dbias));
  if (problem.below->update_dbias != Update::overwrite) add(update_below_key, update_names[1]);
  return written + '}';
}

ProblemClass problem_class(const Json& written) {
  constexpr std::int64_t longest = std::int64_t(1) << 50;
  ProblemClass problem;
  const Json& function = written.at("function");
  problem.is_backward  = named(function, "function", function.text("function"), function_names) == 1;
  written.check_keys(known_keys(problem.is_backward));
  const auto extent = [&](const char* key) { return written.at(key).integer(key, 0, longest); };
  problem.shape     = {extent("m"), extent("n"), extent("k")};
  auto matrix       = problem.matrices.begin();
  for (const MatrixRole& role : matrix_roles(problem.is_backward)) {
    const Json* const value = written.find(role.key);
    if (value != nullptr) *matrix = matrix_class(*value, role.key);
    ++matrix;
  }
  check_matrices(problem, written);
  problem.activation = chosen(written, "activation", activations, 0);
  problem.compute    = chosen(written, "compute", compute_names, Compute::native);
  problem.alpha      = chosen(written, "alpha", factor_names, Factor::one);
  problem.beta       = chosen(written, "beta", factor_names, Factor::zero);
  for (std::size_t u = 0; u < problem.updates.size(); ++u)
    problem.updates[u] = chosen(written, update_keys[u], update_names, Update::overwrite);
  problem.below = class_below(written);
  return problem;
}

std::string short_text(const ProblemClass& problem) {
  const auto [m, n, k] = problem.shape;
  return std::string(function_names[problem.is_backward]) + ' ' + std::to_string(m) + 'x' + std::to_string(n) + 'x' +
         std::to_string(k) + ' ' + element_names[static_cast<std::size_t>(problem.matrices[0].element)] + ' ' +
         activations[problem.activation] +
         (problem.below ? std::string(", below it ") + activations[problem.below->activation] : std::string());
}

}  // namespace Tegula::Impl
