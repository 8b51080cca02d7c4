// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ProblemMemory.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace Tegula::Perf {
namespace {

using Impl::CallMatrix, Impl::Element, Impl::MatrixClass, Impl::MatrixLayout, Impl::ProblemClass;

constexpr double other_alpha = 1.25, other_beta = -0.5;

double value_of(Impl::Factor factor, double other) {
  return factor == Impl::Factor::zero ? 0 : factor == Impl::Factor::one ? 1 : other;
}

/// visit.operator()<T>() with the type of an element.
template <class Visit>
void with_type(Element element, const Visit& visit) {
  if (element == Element::f64) return visit.template operator()<double>();
  if (element == Element::f16) return visit.template operator()<half_t>();
  if (element == Element::bf16) return visit.template operator()<bhalf_t>();
  visit.template operator()<float>();
}

double unit_of(Element element) {
  double unit = 0;
  with_type(element, [&]<class T>() { unit = ScalarTraits<T>::unit_roundoff; });
  return unit;
}

/// All activations that Tegula brings, by position. They are made on the host, and copied with kernels.
template <class List>
struct AllActivations;
template <class... Activations>
struct AllActivations<Impl::ActivationList<Activations...>> : Activations... {
  double value(int position, double z) const {
    double value = z;
    int at       = 0;
    ((at++ == position ? void(value = static_cast<const Activations&>(*this)(z)) : void()), ...);
    return value;
  }

  KOKKOS_FUNCTION double slope(int position, double saved) const {
    double slope = 1;
    int at       = 0;
    ((at++ == position ? void(slope = static_cast<const Activations&>(*this).derivative(saved)) : void()), ...);
    return slope;
  }

  /// As kernels take it.
  const void* functor(int position) const {
    const void* functor = nullptr;
    int at              = 0;
    ((at++ == position ? void(functor = &static_cast<const Activations&>(*this)) : void()), ...);
    return functor;
  }
};
using BuiltIn = AllActivations<Impl::BuiltInActivations>;

const BuiltIn& built_in() {
  static const BuiltIn activations;
  return activations;
}

/// dZ = dC act'(saved).
struct SlopedElement {
  AnyElement dC, saved;
  int position;
  BuiltIn activations;

  KOKKOS_FUNCTION double operator()(std::int64_t i, std::int64_t j) const {
    const double gradient = dC(i, j);
    if (saved.data == nullptr) return gradient;
    return gradient * activations.slope(position, saved(i, j));
  }

  SlopedElement transposed() const { return {dC.transposed(), saved.transposed(), position, activations}; }
};

/// An element of dZ of the layer below: (alpha dZ B^T + what dA held) act'(saved).
struct ElementBelow {
  SlopedElement dZ;
  AnyElement B, before, saved;
  double alpha;
  std::int64_t n;  // 0: the sum is empty
  int position;
  BuiltIn activations;
  bool is_turned = false;

  KOKKOS_FUNCTION double operator()(std::int64_t row, std::int64_t column) const {
    const std::int64_t i = is_turned ? column : row, j = is_turned ? row : column;
    double sum = 0;
    for (std::int64_t e = 0; e < n; ++e) sum += dZ(i, e) * B(j, e);
    sum *= alpha;
    if (before.data != nullptr) sum += before(i, j);
    return saved.data == nullptr ? sum : sum * activations.slope(position, saved(i, j));
  }
};

AnyElement element_of(const CallMatrix& m) { return {m.data, m.element, m.row_stride, m.column_stride}; }

/// Of the layer below, beside those that matrix_roles names.
Impl::Extents saved_below_extents(const ProblemClass& problem) { return {problem.shape.m, problem.shape.k}; }
Impl::Extents dbias_below_extents(const ProblemClass& problem) { return {1, problem.shape.k}; }

/// Extents of the matrix with this key.
Impl::Extents extents_of(const ProblemClass& problem, std::size_t which) {
  const auto [m, n, k]  = problem.shape;
  const std::string key = Impl::matrix_roles(problem.is_backward)[which].key;
  if (key == "A" || key == "dA") return {m, k};
  if (key == "B" || key == "dB") return {k, n};
  if (key == "dbias") return {1, n};
  return {m, n};  // C, dC, saved, Z, and the bias, which stands for all rows
}

std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// A matrix that lies as its class says, at the beginning of memory; and how far that must be moved.
CallMatrix laid_out(const MatrixClass& as, const Impl::Extents& extents) {
  const auto bytes            = static_cast<std::size_t>(Impl::element_bytes(as.element));
  const std::int64_t multiple = std::max<std::int64_t>(1, as.alignment / static_cast<std::int64_t>(bytes));
  const auto [rows, columns]  = extents;
  CallMatrix matrix{nullptr, as.element, bytes, rows, columns, 0, 1};
  switch (as.layout) {
    case MatrixLayout::left:
      matrix.row_stride    = 1;
      matrix.column_stride = std::max<std::int64_t>(2, rounded_up(rows, multiple));
      break;
    case MatrixLayout::strided:
      matrix.column_stride = 2 * multiple;
      matrix.row_stride    = rounded_up(2 * multiple * columns + 1, multiple);
      break;
    case MatrixLayout::vector:
      break;
    default:
      matrix.row_stride = std::max<std::int64_t>(1, rounded_up(columns, multiple));
  }
  return matrix;
}

/// Bytes behind an allocation's beginning, whole lines of caches, others for every matrix and set.
std::size_t place_in_page(std::size_t which, std::size_t set) {
  constexpr std::size_t page = 4096, line = 64;
  return runs_on_host ? (11 * which + 17 * set) * line % page : 0;
}

/// From the first element to the end of the last.
std::size_t span_bytes(const CallMatrix& m) {
  const std::int64_t last = (m.rows - 1) * m.row_stride + (m.columns - 1) * m.column_stride;
  return static_cast<std::size_t>(last + 1) * m.element_bytes;
}

/// What all sets together take.
double bytes_of_turns() {
#ifdef KOKKOS_ENABLE_CUDA
  int cache = 0;
  cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, ExecutionSpace().cuda_device());
  return 2.0 * cache;
#else
  return 5e5;
#endif
}

/// Rows of a reference that were formed, finished on the host: every element becomes finish(s, j, of the sums).
template <class Finish>
void finish(Reference& reference, const Finish& finish) {
  for (int s = 0; s < samples; ++s)
    for (std::size_t j = 0; j < reference.value.extent(1); ++j)
      finish(s, j, reference.value(s, j), reference.scale(s, j), reference.square(s, j));
}

void scale(Reference& reference, double alpha) {
  finish(reference, [&](int, std::size_t, double& value, double& scale, double& square) {
    value *= alpha;
    scale *= std::abs(alpha);
    square *= alpha * alpha;
  });
}

/// Adds rows, times a factor.
void add(Reference& reference, const HostRows& rows, double factor) {
  finish(reference, [&](int s, std::size_t j, double& value, double& scale, double&) {
    value += factor * rows(s, j);
    scale += std::abs(factor * rows(s, j));
  });
}

HostRows rows_of(const Reference& reference, const CallMatrix& matrix) {
  return gather_rows(reference.rows, matrix.columns, std::vector<AnyElement>{element_of(matrix)});
}

}  // namespace

ProblemMemory::ProblemMemory(const ProblemClass& problem, int sets, bool is_checked) : problem_(problem) {
  for (int set = 0; set < sets; ++set) place_all(static_cast<std::size_t>(set));
  const auto made = Impl::problem_class(call(), !runs_on_host);
  if (!made || *made != problem)
    throw std::invalid_argument("no call is such as " + json(problem) + (made ? ", but as " + json(*made) : ""));
  if (is_checked) expect_results();
}

ProblemMemory::Placed ProblemMemory::place(const MatrixClass& as, const Impl::Extents& extents, std::size_t which,
                                           std::size_t set) const {
  CallMatrix matrix = laid_out(as, extents);
  if (as.is_left_out()) return {{}, matrix};
  // Allocations are aligned to more: this address is a multiple of just as many bytes.
  const std::size_t unaligned = as.alignment >= matrix.element_bytes && as.alignment < 16 ? as.alignment : 0;
  const std::size_t first     = unaligned + place_in_page(which, set);
  const Bytes memory(Kokkos::view_alloc(std::string("matrix"), Kokkos::WithoutInitializing),
                     first + span_bytes(matrix));
  with_type(as.element, [&]<class T>() {
    fill_random(VectorView<T>(reinterpret_cast<T*>(memory.data() + first), span_bytes(matrix) / sizeof(T)), which + 1);
  });
  matrix.data = memory.data() + first;
  return {memory, matrix};
}

void ProblemMemory::place_below(Impl::Call& call, std::size_t set) {
  Impl::LayerBelow& below  = call.below.emplace();
  below.activation         = {problem_.below->activation, LeakyRelu().slope};
  below.activation_name    = Impl::activation_names()[static_cast<std::size_t>(problem_.below->activation)];
  below.has_constant_slope = problem_.below->activation == Impl::BuiltInActivations::position<Identity>();
  below.passes.functor     = built_in().functor(problem_.below->activation);
  below.update_dbias       = problem_.below->update_dbias;
  auto& memory             = memory_.back();
  const auto place_one     = [&](CallMatrix& to, const MatrixClass& as, const Impl::Extents& extents) {
    const auto [allocated, matrix] = place(as, extents, memory.size(), set);
    memory.push_back(allocated);
    to = matrix;
    if (matrix.data != nullptr) return;
    to               = {};
    to.element       = call.dA.element;
    to.element_bytes = call.dA.element_bytes;
  };
  place_one(below.saved, problem_.below->saved, saved_below_extents(problem_));
  place_one(below.dbias, problem_.below->dbias, dbias_below_extents(problem_));
}

void ProblemMemory::place_all(std::size_t set) {
  Impl::Call call;
  call.is_backward = problem_.is_backward;
  call.name        = problem_.is_backward ? "gemm_backward" : "gemm";
  call.accumulator = problem_.matrices[0].element == Element::f64 ? Element::f64 : Element::f32;
  with_type(problem_.matrices[0].element, [&]<class T>() { call.input_name = ScalarTraits<T>::name; });
  call.activation         = {problem_.activation, LeakyRelu().slope};
  call.activation_name    = Impl::activation_names()[static_cast<std::size_t>(problem_.activation)];
  call.has_constant_slope = problem_.activation == Impl::BuiltInActivations::position<Identity>();
  call.passes.functor     = built_in().functor(problem_.activation);
  call.compute            = problem_.compute;
  call.alpha              = value_of(problem_.alpha, other_alpha);
  call.beta               = value_of(problem_.beta, other_beta);
  call.update_dA          = problem_.updates[0];
  call.update_dB          = problem_.updates[1];
  call.update_dbias       = problem_.updates[2];
  auto& memory            = memory_.emplace_back();
  std::size_t which       = 0;
  for (const Impl::MatrixRole& role : Impl::matrix_roles(problem_.is_backward)) {
    const auto [allocated, matrix] = place(problem_.matrices[which], extents_of(problem_, which), which, set);
    memory.push_back(allocated);
    call.*role.matrix = matrix;
    ++which;
  }
  // Functions give a matrix that is left out the type of C or dC.
  const CallMatrix& type = call.is_backward ? call.dC : call.C;
  for (const Impl::MatrixRole& role : Impl::matrix_roles(problem_.is_backward)) {
    CallMatrix& matrix = call.*role.matrix;
    if (matrix.data != nullptr) continue;
    matrix               = {};
    matrix.element       = type.element;
    matrix.element_bytes = type.element_bytes;
  }
  if (problem_.below) place_below(call, set);
  calls_.push_back(call);
}

double ProblemMemory::storage_unit() const {
  double unit    = problem_.compute == Compute::tf32 && problem_.matrices[0].element == Element::f32 ? 0x1p-10 : 0;
  const auto add = [&](const MatrixClass& matrix) {
    if (!matrix.is_left_out()) unit = std::max(unit, unit_of(matrix.element));
  };
  for (const MatrixClass& matrix : problem_.matrices) add(matrix);
  if (problem_.below) add(problem_.below->saved), add(problem_.below->dbias);
  return unit;
}

void ProblemMemory::expect(const char* name, const CallMatrix& matrix, const Bytes& memory, bool is_added_to) {
  Result result{name, matrix, memory, {}, {0, 0, 0, 0}, {}};
  if (is_added_to) {
    result.before = Bytes("results before", memory.extent(0));
    Kokkos::deep_copy(result.before, memory);
  }
  results_.push_back(result);
}

void ProblemMemory::expect_results() {
  if (problem_.is_backward) {
    expect_of_backward();
  } else {
    expect_of_gemm();
  }
}

void ProblemMemory::expect_of_gemm() {
  const Impl::Call& c  = call();
  const auto [m, n, k] = problem_.shape;
  const Tolerance tolerance{k + 2, unit_of(c.accumulator), storage_unit(), storage_unit()};
  Reference sums = reference_product(sampled_rows(m, 1), n, c.alpha == 0 ? 0 : k, element_of(c.A), element_of(c.B));
  scale(sums, c.alpha);
  if (c.beta != 0) add(sums, rows_of(sums, c.C), c.beta);
  if (c.bias.data != nullptr) add(sums, rows_of(sums, c.bias), 1);
  if (c.Z.data != nullptr) {
    expect("Z", c.Z, memory_[0][4], false);
    results_.back().tolerance = tolerance;
    Reference& z = results_.back().expected = sums;
    z.value                                 = HostRows("Z", samples, n);
    Kokkos::deep_copy(z.value, sums.value);
  }
  finish(sums, [&](int, std::size_t, double& value, double&, double&) {
    value = built_in().value(problem_.activation, value);
  });
  expect("C", c.C, memory_[0][2], c.beta != 0);
  results_.back().tolerance = tolerance;
  results_.back().expected  = sums;
}

void ProblemMemory::expect_of_backward() {
  const Impl::Call& c  = call();
  const auto [m, n, k] = problem_.shape;
  const SlopedElement dZ{element_of(c.dC), c.has_constant_slope ? AnyElement{} : element_of(c.saved),
                         problem_.activation, built_in()};
  const auto expect_product = [&](const char* name, const CallMatrix& result, std::size_t place, Update update,
                                  double alpha, std::int64_t inner, const auto& x, const auto& y) {
    if (result.data == nullptr) return;
    expect(name, result, memory_[0][place], update == Update::accumulate);
    Result& expected   = results_.back();
    expected.tolerance = {inner + 2, unit_of(c.accumulator), storage_unit(), storage_unit()};
    expected.expected  = reference_product(sampled_rows(result.rows, 1), result.columns, alpha == 0 ? 0 : inner, x, y);
    scale(expected.expected, alpha);
    if (update == Update::accumulate) add(expected.expected, rows_of(expected.expected, result), 1);
  };
  expect_product("dA", c.dA, 4, c.update_dA, c.alpha, n, dZ, element_of(c.B.transposed()));
  if (c.below && c.dA.data != nullptr) {
    expect_of_below(results_.back());
    const CallMatrix dbias = c.below->dbias.transposed();
    const ElementBelow dZ_below{dZ,
                                element_of(c.B),
                                c.update_dA == Update::accumulate ? element_of(c.dA) : AnyElement{},
                                c.below->has_constant_slope ? AnyElement{} : element_of(c.below->saved),
                                c.alpha,
                                c.alpha == 0 ? 0 : n,
                                problem_.below->activation,
                                built_in(),
                                true};
    expect_product("dbias_below^T", dbias, 8, c.below->update_dbias, 1, m, dZ_below, Ones());
    // Its terms are sums, of which some may cancel.
    if (dbias.data != nullptr) results_.back().tolerance.terms += n * m;
  }
  expect_product("dB^T", c.dB.transposed(), 5, c.update_dB, c.alpha, m, dZ.transposed(), element_of(c.A));
  expect_product("dbias^T", c.dbias.transposed(), 6, c.update_dbias, 1, m, dZ.transposed(), Ones());
}

/// The rows of dA become those of dZ of the layer below.
void ProblemMemory::expect_of_below(Result& dA) {
  const Impl::LayerBelow& below = *call().below;
  if (below.has_constant_slope) return;
  const HostRows saved = rows_of(dA.expected, below.saved);
  finish(dA.expected, [&](int s, std::size_t j, double& value, double& scale, double& square) {
    const double slope = built_in().slope(problem_.below->activation, saved(s, j));
    value *= slope;
    scale *= std::abs(slope);
    square *= slope * slope;
  });
}

void ProblemMemory::forget_results() const {
  constexpr unsigned char nan = 0xff;  // in every byte of any type
  for (const Result& result : results_) {
    if (result.before.extent(0) > 0) {
      Kokkos::deep_copy(result.memory, result.before);
    } else {
      Kokkos::deep_copy(result.memory, nan);
    }
  }
}

void ProblemMemory::check_results() const {
  for (const Result& result : results_)
    check_rows(result.name, result.expected, result.tolerance, rows_of(result.expected, result.matrix));
}

int sets_of(const ProblemClass& problem, int most_sets) {
  double bytes   = 1;
  const auto add = [&](const MatrixClass& as, const Impl::Extents& extents) {
    if (!as.is_left_out()) bytes += static_cast<double>(span_bytes(laid_out(as, extents)));
  };
  for (std::size_t which = 0; which < Impl::matrix_roles(problem.is_backward).size(); ++which)
    add(problem.matrices[which], extents_of(problem, which));
  if (problem.below) {
    add(problem.below->saved, saved_below_extents(problem));
    add(problem.below->dbias, dbias_below_extents(problem));
  }
  return static_cast<int>(std::clamp(std::ceil(bytes_of_turns() / bytes), 1.0, static_cast<double>(most_sets)));
}

}  // namespace Tegula::Perf
