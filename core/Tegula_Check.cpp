// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Check.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace Tegula::Impl {
namespace {

bool is_empty(const Argument& argument) { return argument.extent[0] == 0 || argument.extent[1] == 0; }

// Half-open range of byte addresses between an argument's first and last element.
std::pair<std::uintptr_t, std::uintptr_t> address_range(const Argument& argument) {
  const auto begin = reinterpret_cast<std::uintptr_t>(argument.data);
  const std::int64_t last =
      (argument.extent[0] - 1) * argument.stride[0] + (argument.extent[1] - 1) * argument.stride[1];
  return {begin, begin + (static_cast<std::uintptr_t>(last) + 1) * argument.element_bytes};
}

bool ranges_meet(std::int64_t first_begin, std::int64_t first_size, std::int64_t second_begin,
                 std::int64_t second_size) {
  return first_begin < second_begin + second_size && second_begin < first_begin + first_size;
}

// The strides that two arguments have in common, if they do. Along an axis of extent 1 any stride will do.
std::optional<std::array<std::int64_t, 2>> common_strides(const Argument& first, const Argument& second) {
  std::array<std::int64_t, 2> strides;
  for (int axis = 0; axis < 2; ++axis) {
    const bool first_steps = first.extent[axis] > 1, second_steps = second.extent[axis] > 1;
    if (first_steps && second_steps && first.stride[axis] != second.stride[axis]) return std::nullopt;
    strides[axis] = first_steps ? first.stride[axis] : (second_steps ? second.stride[axis] : 1);
  }
  return strides;
}

// Two blocks of one array whose lines lie `pitch` elements apart along axis `across`, the second block `offset` >= 0
// elements after the first. The second block's lines may run on into the array's next line.
bool blocks_of_one_array_meet(const Argument& first, const Argument& second, std::int64_t offset, int across,
                              std::int64_t pitch) {
  const int along           = 1 - across;
  const std::int64_t line   = offset / pitch;
  const std::int64_t column = offset % pitch;
  const auto meet_at        = [&](std::int64_t line_offset, std::int64_t column_offset) {
    return ranges_meet(0, first.extent[across], line_offset, second.extent[across]) &&
           ranges_meet(0, first.extent[along], column_offset, second.extent[along]);
  };
  return meet_at(line, column) || meet_at(line + 1, column - pitch);
}

void describe(std::ostream& out, const Argument& argument) {
  out << "\n  " << argument.role << " = \"" << argument.label(argument.view) << "\": " << argument.scalar << ' ';
  if (argument.rank == 1) {
    out << argument.extent[1] << ", stride " << argument.stride[1];
  } else {
    out << text(Extents{argument.extent[0], argument.extent[1]}) << ", strides " << argument.stride[0] << ' '
        << argument.stride[1];
  }
}

}  // namespace

std::string text(const Extents& extents) {
  return std::to_string(extents.rows) + 'x' + std::to_string(extents.columns);
}

void check_product(const ArgumentList& arguments, const Extents& a, const Extents& b, const Extents& product,
                   const char* product_role) {
  if (a.columns != b.rows || a.rows != product.rows || b.columns != product.columns) {
    arguments.fail("op(A) is " + text(a) + ", op(B) is " + text(b) + ", " + product_role + " is " + text(product));
  }
}

bool may_overlap(const Argument& first, const Argument& second) {
  if (is_empty(first) || is_empty(second)) return false;
  const auto [first_begin, first_end]   = address_range(first);
  const auto [second_begin, second_end] = address_range(second);
  if (first_end <= second_begin || second_end <= first_begin) return false;
  if (second_begin < first_begin) return may_overlap(second, first);

  const auto bytes    = static_cast<std::int64_t>(first.element_bytes);
  const auto distance = static_cast<std::int64_t>(second_begin - first_begin);
  const auto strides  = common_strides(first, second);
  if (first.element_bytes != second.element_bytes || distance % bytes != 0 || !strides) return true;
  const int along          = (*strides)[0] == 1 ? 0 : 1;
  const int across         = 1 - along;
  const std::int64_t pitch = (*strides)[across];
  if ((*strides)[along] != 1 || std::max(first.extent[along], second.extent[along]) > pitch) return true;
  return blocks_of_one_array_meet(first, second, distance / bytes, across, pitch);
}

bool may_overlap_itself(const Argument& argument) {
  if (is_empty(argument)) return false;
  const int fast = argument.stride[0] < argument.stride[1] ? 0 : 1;
  const int slow = 1 - fast;
  if (argument.extent[fast] > 1 && argument.stride[fast] == 0) return true;
  return argument.extent[slow] > 1 && argument.stride[slow] <= (argument.extent[fast] - 1) * argument.stride[fast];
}

void ArgumentList::fail(const std::string& what) const {
  std::ostringstream message;
  message << "Tegula::" << call_ << ": " << what;
  for (const Argument& argument : arguments()) describe(message, argument);
  throw std::invalid_argument(message.str());
}

void ArgumentList::check_memory() const {
  for (const Argument& argument : arguments()) {
    const auto fail_of = [&](const char* what) { fail(argument.role + std::string(what)); };
    if (!argument.reachable) fail_of(" lies in memory that the execution space cannot reach");
    if (argument.data == nullptr && !is_empty(argument)) fail_of(" has extents but no data");
    if (argument.access == Access::output && may_overlap_itself(argument)) {
      fail("two elements of the output " + std::string(argument.role) + " lie at one address");
    }
  }
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t j = i + 1; j < count_; ++j) {
      const bool written = arguments_[i].access == Access::output || arguments_[j].access == Access::output;
      if (written && may_overlap(arguments_[i], arguments_[j])) {
        fail(std::string(arguments_[i].role) + " and " + arguments_[j].role + " overlap");
      }
    }
  }
}

}  // namespace Tegula::Impl
