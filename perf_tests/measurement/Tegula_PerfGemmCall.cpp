// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfGemmCall.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "Tegula_PerfCase.hpp"
#include "Tegula_PerfRandom.hpp"
#include "tuning/Tegula_ProblemClass.hpp"

namespace Tegula::Perf {
namespace {

constexpr std::array elements{Impl::Element::f16, Impl::Element::bf16, Impl::Element::f32, Impl::Element::f64};
constexpr std::array element_names{"f16", "bf16", "f32", "f64"};
constexpr std::array leading_names{"lda=", "ldb=", "ldc="};

std::array<std::int64_t, 3> least_leading(const GemmCall& call) {
  std::array<std::int64_t, 3> columns{};
  const auto extents = stored_extents(call);
  for (std::size_t matrix = 0; matrix < columns.size(); ++matrix) columns[matrix] = extents[matrix].columns;
  return columns;
}

bool is_too_large(const GemmCall& call, double most_flops) {
  constexpr double most_bytes = 0x1p31;
  const auto [m, n, k]        = call.shape;
  const auto bytes            = stored_bytes(call);
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) > most_flops ||
         static_cast<double>(bytes[0] + bytes[1] + bytes[2]) > most_bytes;
}

/// The least and the largest length of a side.
struct SideRange {
  double least, largest;
};

std::array<SideRange, 3> ranges_of(Sides sides, RandomNumbers& random) {
  constexpr SideRange any{1, 16384}, host{1, 4096}, large{512, 16384}, small{1, 128}, lengthy{16384, 4194304};
  constexpr SideRange few{1, 64}, wide{64, 16384};
  if (sides == Sides::any) return {any, any, any};
  if (sides == Sides::of_hosts) return {host, host, host};
  if (sides == Sides::large) return {large, large, large};
  if (sides == Sides::narrow) return random.below(2) == 0 ? std::array{few, wide, wide} : std::array{wide, few, wide};
  std::array ranges{small, small, small};
  ranges[static_cast<std::size_t>(random.below(3))] = lengthy;
  return ranges;
}

GemmShape draw_shape(RandomNumbers& random, Sides sides) {
  const auto ranges = ranges_of(sides, random);
  const int kind    = random.below(4);
  GemmShape shape;
  std::size_t number = 0;
  for (std::int64_t* side : {&shape.m, &shape.n, &shape.k}) {
    const SideRange& range = ranges[number++];
    const double drawn     = range.least * random.log_uniform(range.largest / range.least);
    const bool is_rounded  = random.below(2) == 0;  // drawn in each kind, so that kinds differ in nothing else
    const bool is_eighth   = kind == 0 || (kind > 1 && is_rounded);
    *side                  = is_eighth ? 8 * std::max<std::int64_t>(1, std::llround(drawn / 8)) : std::llround(drawn);
  }
  return shape;
}

/// A longer, odd leading dimension.
std::int64_t padded(RandomNumbers& random, std::int64_t columns) { return (columns + 1 + random.below(16)) | 1; }

GemmCall draw_call(RandomNumbers& random, GemmCall call, Sides sides) {
  do {
    call.shape   = draw_shape(random, sides);
    call.leading = least_leading(call);
  } while (is_too_large(call, sides == Sides::large ? 2e12 : sides == Sides::of_hosts ? 2e9 : 5e11));
  call.has_layer    = random.below(2) == 0;
  call.beta         = random.below(4) == 0 ? 1 : 0;
  const bool pads   = random.below(8) == 0;
  const auto matrix = static_cast<std::size_t>(random.below(3));
  if (pads) call.leading[matrix] = padded(random, call.leading[matrix]);
  return call;
}

/// Its position in BuiltInActivations, if it is there.
int position_of_activation(const std::string& name) {
  const auto names = Impl::activation_names();
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::int64_t number_of(const std::string& word, std::size_t from = 0) {
  std::int64_t value    = 0;
  const char* const end = word.data() + word.size();
  const auto [at, bad]  = std::from_chars(word.data() + from, end, value);
  if (bad != std::errc() || at != end || value < 1)
    throw std::invalid_argument('"' + word + "\": a positive integer is expected");
  return value;
}

Op op_of(char letter) {
  if (letter != 'N' && letter != 'T') throw std::invalid_argument(std::string(1, letter) + " is not N or T");
  return letter == 'N' ? Op::none : Op::transpose;
}

char letter_of(Op op) { return op == Op::none ? 'N' : 'T'; }

/// "f32", or "bf16>f32".
void set_types(GemmCall& call, const std::string& word) {
  const std::size_t arrow = word.find('>');
  call.type               = word.substr(0, arrow);
  const bool is_widened   = has_float_results(call.type);  // which throws at an unknown type
  if (arrow == std::string::npos) return;
  call.result = word.substr(arrow + 1);
  if (!is_widened || call.result != "f32")
    throw std::invalid_argument('"' + word + "\": only bf16 and f16 have other results than their own, f32");
}

/// A word behind the extents.
void apply(GemmCall& call, const std::string& word) {
  for (std::size_t matrix = 0; matrix < leading_names.size(); ++matrix) {
    if (word.rfind(leading_names[matrix], 0) == 0) {
      call.leading[matrix] = number_of(word, 4);
      if (call.leading[matrix] < least_leading(call)[matrix])
        throw std::invalid_argument('"' + word + "\" is shorter than a row");
      return;
    }
  }
  for (const auto& [name, compute] : computes) {
    if (word == std::string("compute=") + name) {
      call.compute = compute;
      return;
    }
  }
  if (word == "beta=1") {
    call.beta = 1;
  } else if (word == "bias") {
    call.has_layer = true;
  } else if (is_activation_of_layers(word)) {
    call.has_layer  = true;
    call.activation = word;
  } else if (word == "Z" && call.has_layer) {
    call.stores_Z = true;
  } else {
    throw std::invalid_argument('"' + word + "\" is not known");
  }
}

}  // namespace

std::array<Impl::Extents, 3> stored_extents(const GemmCall& call) {
  const auto [m, n, k] = call.shape;
  const auto as_stored = [](Op op, std::int64_t rows, std::int64_t columns) {
    return op == Op::none ? Impl::Extents{rows, columns} : Impl::Extents{columns, rows};
  };
  return {as_stored(call.op_a, m, k), as_stored(call.op_b, k, n), Impl::Extents{m, n}};
}

std::array<std::int64_t, 3> stored_bytes(const GemmCall& call) {
  std::array<std::int64_t, 3> bytes{};
  const auto extents = stored_extents(call);
  const std::array types{element_named(call.type), element_named(call.type), result_element(call)};
  for (std::size_t matrix = 0; matrix < bytes.size(); ++matrix)
    bytes[matrix] = extents[matrix].rows * call.leading[matrix] * element_bytes(types[matrix]);
  return bytes;
}

bool is_activation_of_layers(const std::string& name) {
  const int position = position_of_activation(name);
  return position > 0 && position < static_cast<int>(Impl::activation_names().size());  // Identity is 0
}

Impl::Element element_named(const std::string& type) {
  const auto at = std::find(element_names.begin(), element_names.end(), type) - element_names.begin();
  if (at == static_cast<std::ptrdiff_t>(elements.size()))
    throw std::invalid_argument('"' + type + "\" is none of the element types bf16, f16, f32 and f64");
  return elements[static_cast<std::size_t>(at)];
}

Impl::Element result_element(const GemmCall& call) {
  return element_named(call.result.empty() ? call.type : call.result);
}

bool has_float_results(const std::string& type) { return element_bytes(element_named(type)) == 2; }

std::string types_of(const GemmCall& call) { return call.result.empty() ? call.type : call.type + '>' + call.result; }

std::vector<GemmCall> draw_calls(const std::string& type, Compute compute, int count, std::uint64_t seed, Sides sides) {
  RandomNumbers random(seed);
  std::vector<GemmCall> calls;
  for (int number = 0; number < count; ++number) {
    GemmCall call;
    call.type    = type;
    call.compute = compute;
    call.op_a    = number % 4 < 2 ? Op::none : Op::transpose;
    call.op_b    = number % 2 < 1 ? Op::none : Op::transpose;
    calls.push_back(draw_call(random, call, sides));
  }
  return calls;
}

Impl::Call planned_call(const GemmCall& call) {
  constexpr std::uintptr_t first = std::uintptr_t(1) << 40, distance = std::uintptr_t(1) << 36;
  const auto bytes_of         = [](Impl::Element of) { return static_cast<std::size_t>(Impl::element_bytes(of)); };
  const Impl::Element element = element_named(call.type), result = result_element(call);
  const auto address = [](int place) { return reinterpret_cast<void*>(first + place * distance); };
  const auto extents = stored_extents(call);
  const auto matrix  = [&](int place, Impl::Element of, Op op) {
    const auto at = static_cast<std::size_t>(place);
    const Impl::CallMatrix stored{address(place),   of, bytes_of(of), extents[at].rows, extents[at].columns,
                                  call.leading[at], 1};
    return op == Op::none ? stored : stored.transposed();
  };
  const Impl::CallMatrix left_out{nullptr, result, bytes_of(result)};

  Impl::Call plain;
  plain.name        = "gemm";
  plain.accumulator = element == Impl::Element::f64 ? element : Impl::Element::f32;
  plain.input_name =
      element_names[static_cast<std::size_t>(std::find(elements.begin(), elements.end(), element) - elements.begin())];
  plain.A    = matrix(0, element, call.op_a);
  plain.B    = matrix(1, element, call.op_b);
  plain.C    = matrix(2, result, Op::none);
  plain.bias = left_out;
  plain.Z    = left_out;
  if (call.has_layer) plain.bias = {address(3), result, bytes_of(result), call.shape.m, call.shape.n, 0, 1};
  if (call.stores_Z) {
    plain.Z      = plain.C;
    plain.Z.data = address(4);
  }
  plain.activation.position = call.has_layer ? position_of_activation(call.activation) : 0;
  plain.has_constant_slope  = !call.has_layer;
  plain.activation_name     = Impl::activation_names()[static_cast<std::size_t>(plain.activation.position)];
  plain.beta                = call.beta;
  plain.op_a                = call.op_a;
  plain.op_b                = call.op_b;
  plain.compute             = call.compute;
  return plain;
}

std::string kind_of(const GemmCall& call) {
  return call.compute == Compute::native ? types_of(call) : types_of(call) + ' ' + name_of(call.compute);
}

std::string text(const GemmCall& call) {
  const auto [m, n, k] = call.shape;
  std::string line     = "gemm " + types_of(call) + ' ' + letter_of(call.op_a) + letter_of(call.op_b) + ' ' +
                     std::to_string(m) + ' ' + std::to_string(n) + ' ' + std::to_string(k);
  const auto least = least_leading(call);
  for (std::size_t matrix = 0; matrix < least.size(); ++matrix)
    if (call.leading[matrix] != least[matrix])
      line += std::string(" ") + leading_names[matrix] + std::to_string(call.leading[matrix]);
  if (call.beta != 0) line += " beta=1";
  if (call.has_layer) line += " bias " + call.activation + (call.stores_Z ? " Z" : "");
  if (call.compute != Compute::native) line += std::string(" compute=") + name_of(call.compute);
  return line;
}

GemmCall gemm_call_of(const std::vector<std::string>& words) {
  constexpr std::size_t first_option = 6;
  if (words.size() < first_option || words[0] != "gemm")
    throw std::invalid_argument("\"gemm\", element type, operations, m, n and k are expected");
  if (words[2].size() != 2) throw std::invalid_argument('"' + words[2] + "\" is none of NN, NT, TN and TT");
  GemmCall call;
  set_types(call, words[1]);
  call.op_a    = op_of(words[2][0]);
  call.op_b    = op_of(words[2][1]);
  call.shape   = {number_of(words[3]), number_of(words[4]), number_of(words[5])};
  call.leading = least_leading(call);
  for (std::size_t word = first_option; word < words.size(); ++word) apply(call, words[word]);
  return call;
}

}  // namespace Tegula::Perf
