// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PlannedFor.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "Tegula_Call.hpp"
#include "Tegula_Check.hpp"

namespace Tegula::Impl {
namespace {

/// A matrix of a call, and what messages call it.
struct Role {
  const char* name;
  CallMatrix Call::*matrix;
};
constexpr Role gemm_roles[]     = {{"op(A)", &Call::A},
                                   {"op(B)", &Call::B},
                                   {"C", &Call::C},
                                   {"the bias", &Call::bias},
                                   {"the pre-activation", &Call::Z}};
constexpr Role backward_roles[] = {{"dC", &Call::dC},       {"op(A)", &Call::A},   {"op(B)", &Call::B},
                                   {"saved", &Call::saved}, {"op(dA)", &Call::dA}, {"op(dB)", &Call::dB},
                                   {"dbias", &Call::dbias}};
static_assert(std::size(backward_roles) <= PlannedFor::most_matrices);

std::span<const Role> roles_of(const Call& call) {
  if (call.is_backward) return backward_roles;
  return gemm_roles;
}

/// No kernel asks for more than runs of 16 bytes, or pairs of doubles.
std::uint8_t alignment_of(const void* data) {
  constexpr std::uintptr_t most = 16;
  const std::uintptr_t bits     = reinterpret_cast<std::uintptr_t>(data) | most;
  return static_cast<std::uint8_t>(bits & (~bits + 1));
}

PlannedMatrix planned_matrix(const CallMatrix& m, const PlannedPlace& place) {
  return {m.rows,       m.columns,
          m.row_stride, m.column_stride,
          m.runs,       static_cast<std::uint32_t>(m.element_bytes),
          m.element,    place.reads_alignments ? alignment_of(m.data) : std::uint8_t(1)};
}

/// Whether a matrix may take the place of one that was planned with. Most that are left out in one are in the other.
bool is_like(const CallMatrix& m, const PlannedMatrix& planned) {
  if (m.data == nullptr && planned.is_left_out()) return true;
  return m.rows == planned.rows && m.columns == planned.columns && m.row_stride == planned.row_stride &&
         m.column_stride == planned.column_stride && m.element == planned.element &&
         m.element_bytes == planned.element_bytes && m.runs == planned.runs &&
         (reinterpret_cast<std::uintptr_t>(m.data) & (planned.alignment - 1u)) == 0;
}

PlannedOptions planned_options(const PlanOptions& options) {
  PlannedOptions planned{{}, options.tile, options.group, options.split_k, options.whole_waves};
  options.family.copy(planned.family.data(), planned.family.size());
  return planned;
}

/// Whether planned == planned_options(options).
bool are_alike(const PlannedOptions& planned, const PlanOptions& options) {
  if (planned.tile != options.tile || planned.group != options.group || planned.split_k != options.split_k ||
      planned.whole_waves != options.whole_waves)
    return false;
  return options.family.empty() ? planned.family[0] == '\0' : planned == planned_options(options);
}

bool has_own_passes(const CallActivation& layer) {
  const ActivationPasses& p = layer.passes;
  return p.value != nullptr || p.slope != nullptr || p.finish != nullptr || p.form_dZ != nullptr;
}

int built_in(const CallActivation& layer) { return layer.is_built_in ? layer.activation.position : -1; }

PlannedActivation planned_activation(const CallActivation& layer) {
  return {layer.activation_name, layer.passes.kernels, built_in(layer), layer.has_constant_slope,
          has_own_passes(layer)};
}

/// Whether planned == planned_activation(layer).
bool are_alike(const PlannedActivation& planned, const CallActivation& layer) {
  return planned.name == layer.activation_name && planned.kernels == layer.passes.kernels &&
         planned.built_in == built_in(layer) && planned.has_constant_slope == layer.has_constant_slope &&
         planned.has_own_passes == has_own_passes(layer);
}

// None of this is to be mixed with the checks, which every call passes.
[[gnu::noinline]] std::optional<PlannedBelow> planned_below(const PlannedPlace& place, const Call& call) {
  if (!call.below) return std::nullopt;
  return PlannedBelow{planned_matrix(call.below->saved, place), planned_matrix(call.below->dbias, place),
                      planned_activation(*call.below), call.below->update_dbias};
}

std::array<Update, 3> updates_of(const Call& call) { return {call.update_dA, call.update_dB, call.update_dbias}; }

[[gnu::noinline]] bool is_planned_below(const PlannedFor& planned, const PlannedPlace& place, const Call& call) {
  return planned.below == planned_below(place, call);
}

std::string text(const char* name) { return name; }
std::string text(int number) { return std::to_string(number); }
const char* text(Op op) { return op == Op::none ? "none" : "transpose"; }
const char* text(Update update) { return update == Update::overwrite ? "overwrite" : "accumulate"; }
const char* text(Compute compute) {
  constexpr const char* names[] = {"native", "tf32", "fp32_split"};
  return names[static_cast<int>(compute)];
}

std::string text(const PlannedMatrix& m) {
  if (m.rows == 0 && m.columns == 0) return "left out, or empty";
  constexpr const char* names[] = {"f16", "bf16", "f32", "f64", "a type of your own"};
  std::string text              = names[static_cast<int>(m.element)];
  if (m.element == Element::other) text += " of " + std::to_string(m.element_bytes) + " bytes";
  text += ' ' + Impl::text(Extents{m.rows, m.columns}) + ", strides " + std::to_string(m.row_stride) + ' ' +
          std::to_string(m.column_stride);
  if (m.alignment > 1) text += ", aligned to " + std::to_string(m.alignment) + " bytes";
  return text;
}

std::string text(const PlannedOptions& options) {
  const std::string family(options.family.data(), strnlen(options.family.data(), options.family.size()));
  return "family \"" + family + "\", tile " + text(options.tile) + ", group " + std::to_string(options.group) +
         ", split_k " + std::to_string(options.split_k) + ", whole_waves " + std::to_string(options.whole_waves);
}

/// Reports what differs from what a plan was made for.
class Difference {
 public:
  explicit Difference(const ArgumentList& arguments) : arguments_(arguments) {}

  // None of this is to be mixed with the checks, which every call passes.
  [[noreturn, gnu::noinline]] void fail(const std::string& what, const std::string& planned,
                                        const std::string& given) const {
    arguments_.fail("the plan was made for another call: " + what + " was " + planned + ", and is " + given);
  }
  template <class Value>
  [[noreturn, gnu::noinline]] void fail_of(const char* what, Value planned, Value given) const {
    fail(what, text(planned), text(given));
  }
  [[noreturn, gnu::noinline]] void fail_of_factor(const char* what, bool was_zero, double given) const {
    fail(what, was_zero ? "0" : "not 0", std::to_string(given));
  }
  [[noreturn, gnu::noinline]] void fail_of_matrix(const char* role, const PlannedMatrix& planned,
                                                  const CallMatrix& given, const PlannedPlace& place) const {
    fail(role, text(planned), text(planned_matrix(given, place)));
  }

  void check(const char* what, const char* planned, const char* given) const {
    if (planned != given && std::strcmp(planned, given) != 0) fail_of(what, planned, given);
  }
  void check(const char* what, int planned, int given) const {
    if (planned != given) fail_of(what, planned, given);
  }
  template <class Choice>
  requires std::is_enum_v<Choice>
  void check(const char* what, Choice planned, Choice given) const {
    if (planned != given) fail_of(what, planned, given);
  }
  /// Only whether a factor is zero counts.
  void check_zero(const char* what, bool was_zero, double given) const {
    if (was_zero != (given == 0)) fail_of_factor(what, was_zero, given);
  }

 private:
  const ArgumentList& arguments_;
};

void check_place(const Difference& difference, const PlannedPlace& planned, const PlannedPlace& given) {
  difference.check("the execution space", planned.space, given.space);
  difference.check("the number of its device", planned.device, given.device);
  difference.check("the number of its threads", planned.threads, given.threads);
}

void check_matrices(const Difference& difference, const PlannedFor& planned, const Call& call) {
  auto matrix = planned.matrices.begin();
  for (const Role& role : roles_of(call)) {
    const CallMatrix& given = call.*role.matrix;
    if (!is_like(given, *matrix)) difference.fail_of_matrix(role.name, *matrix, given, planned.place);
    ++matrix;
  }
}

void check_activation(const Difference& difference, const char* what, const PlannedActivation& planned,
                      const CallActivation& layer, bool is_portable_alike) {
  difference.check(what, planned.name, layer.activation_name);
  PlannedActivation given = planned_activation(layer);
  given.name              = planned.name;
  if (given != planned || !is_portable_alike)
    difference.fail("what is compiled of your own types", "another type's", "this call's");
}

void check_below(const Difference& difference, const PlannedFor& planned, const Call& call) {
  if (planned.below.has_value() != call.below.has_value())
    difference.fail_of("the layer below", planned.below ? "given" : "left out", call.below ? "given" : "left out");
  if (!call.below) return;
  const auto check = [&](const char* role, const PlannedMatrix& matrix, const CallMatrix& given) {
    if (!is_like(given, matrix)) difference.fail_of_matrix(role, matrix, given, planned.place);
  };
  check("saved of the layer below", planned.below->saved, call.below->saved);
  check("dbias of the layer below", planned.below->dbias, call.below->dbias);
  check_activation(difference, "the activation of the layer below", planned.below->activation, *call.below, true);
  difference.check("the update of dbias of the layer below", planned.below->update_dbias, call.below->update_dbias);
}

/// Options that were given.
[[gnu::noinline]] void check_options(const Difference& difference, const PlannedFor& planned,
                                     const PlanOptions& options) {
  const PlannedOptions given = planned_options(options);
  if (given != planned.options) difference.fail("options.plan", text(planned.options), text(given));
}

}  // namespace

PlannedFor planned_for(const PlannedPlace& place, const Call& call, const PlanOptions& options) {
  PlannedFor planned;
  planned.call       = call.name;
  planned.input      = call.input_name;
  planned.activation = planned_activation(call);
  planned.place      = place;
  auto matrix        = planned.matrices.begin();
  for (const Role& role : roles_of(call)) *matrix++ = planned_matrix(call.*role.matrix, place);
  planned.options       = planned_options(options);
  planned.portable      = call.portable;
  planned.op_a          = call.op_a;
  planned.op_b          = call.op_b;
  planned.compute       = call.compute;
  planned.accumulator   = call.accumulator;
  planned.updates       = updates_of(call);
  planned.is_alpha_zero = call.alpha == 0;
  planned.is_beta_zero  = call.beta == 0;
  planned.is_alpha_one  = call.alpha == 1;
  planned.is_beta_one   = call.beta == 1;
  planned.panel_columns = call.B_panels.columns;
  planned.below         = planned_below(place, call);
  return planned;
}

bool is_planned_for(const PlannedFor& planned, const PlannedPlace& place, const Call& call,
                    const PlanOptions& options) {
  auto matrix = planned.matrices.begin();
  for (const Role& role : roles_of(call)) {
    const CallMatrix& m    = call.*role.matrix;
    const PlannedMatrix& p = *matrix++;
    const bool is_alike    = ((m.rows ^ p.rows) | (m.columns ^ p.columns) | (m.row_stride ^ p.row_stride) |
                           (m.column_stride ^ p.column_stride)) == 0 &&
                          m.element == p.element && m.element_bytes == p.element_bytes && m.runs == p.runs;
    if (!is_alike || (place.reads_alignments && alignment_of(m.data) != p.alignment)) return false;
  }
  return planned.call == call.name && planned.input == call.input_name && are_alike(planned.activation, call) &&
         planned.place == place && planned.portable == call.portable && planned.op_a == call.op_a &&
         planned.op_b == call.op_b && planned.compute == call.compute && planned.accumulator == call.accumulator &&
         planned.updates == updates_of(call) && planned.is_alpha_zero == (call.alpha == 0) &&
         planned.is_beta_zero == (call.beta == 0) && planned.is_alpha_one == (call.alpha == 1) &&
         planned.is_beta_one == (call.beta == 1) && planned.panel_columns == call.B_panels.columns &&
         planned.below.has_value() == call.below.has_value() &&
         (!call.below || is_planned_below(planned, place, call)) && are_alike(planned.options, options);
}

void check_planned(const PlannedFor& planned, const PlannedPlace& place, const Call& call, const PlanOptions& options,
                   const ArgumentList& arguments) {
  if (*planned.place.space == '\0') arguments.fail("the plan was not made by make_plan");
  const Difference difference(arguments);
  difference.check("the function", planned.call, call.name);
  check_place(difference, planned.place, place);
  difference.check("op_a", planned.op_a, call.op_a);
  difference.check("op_b", planned.op_b, call.op_b);
  check_matrices(difference, planned, call);
  check_activation(difference, "the activation", planned.activation, call, planned.portable == call.portable);
  check_below(difference, planned, call);
  difference.check("compute", planned.compute, call.compute);
  difference.check("the columns of a panel of B, packed beforehand,", planned.panel_columns, call.B_panels.columns);
  difference.check_zero("alpha", planned.is_alpha_zero, call.alpha);
  difference.check_zero("beta", planned.is_beta_zero, call.beta);
  difference.check("the update of dA", planned.updates[0], call.update_dA);
  difference.check("the update of dB", planned.updates[1], call.update_dB);
  difference.check("the update of dbias", planned.updates[2], call.update_dbias);
  const bool is_asked = !options.family.empty() || (options.tile.m | options.tile.n | options.tile.k) != 0 ||
                        (options.group | options.split_k | options.whole_waves) != 0;
  if (is_asked) check_options(difference, planned, options);
}

}  // namespace Tegula::Impl
