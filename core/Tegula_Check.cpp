// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Check.hpp"

#include <sstream>
#include <stdexcept>

namespace Tegula::Impl {
namespace {

void describe(std::ostream& out, const Argument& argument) {
  out << "\n  " << argument.role << " = \"" << argument.label(argument.view) << "\": " << argument.scalar << ' ';
  const auto& extent = argument.memory.extent;
  const auto& stride = argument.memory.stride;
  if (argument.rank == 1) {
    out << extent[1] << ", stride " << stride[1];
  } else {
    out << text(Extents{extent[0], extent[1]}) << ", strides " << stride[0] << ' ' << stride[1];
  }
}

}  // namespace

std::string text(const Extents& extents) {
  return std::to_string(extents.rows) + 'x' + std::to_string(extents.columns);
}

void fail_of_product(const ArgumentList& arguments, const Extents& a, const Extents& b, const Extents& product,
                     const char* product_role) {
  arguments.fail("op(A) is " + text(a) + ", op(B) is " + text(b) + ", " + product_role + " is " + text(product));
}

void ArgumentList::fail(const std::string& what) const {
  std::ostringstream message;
  message << "Tegula::" << call_ << ": " << what;
  for (const Argument& argument : arguments()) describe(message, argument);
  throw std::invalid_argument(message.str());
}

void ArgumentList::fail_of(const Argument& argument, const char* what) const {
  fail(argument.role + std::string(what));
}

void ArgumentList::check_output(const Argument& output) const {
  if (overlaps_itself(output.memory))
    fail("two elements of the output " + std::string(output.role) + " lie at one address");
}

void ArgumentList::check_pair(const Argument& first, const Argument& second) const {
  const bool is_written = first.access == Access::output || second.access == Access::output;
  if (is_written && may_overlap(first.memory, second.memory))
    fail(std::string(first.role) + " and " + second.role + " overlap");
}

void ArgumentList::check_memory() const {
  std::array<ByteRange, max_arguments> ranges;
  for (std::size_t i = 0; i < count_; ++i) {
    const Argument& argument = arguments_[i];
    if (!argument.reachable) fail_of(argument, " lies in memory that the execution space cannot reach");
    if (argument.memory.begin == 0 && !argument.memory.is_empty()) fail_of(argument, " has extents but no data");
    if (argument.access == Access::output && !has_separate_lines(argument.memory)) check_output(argument);
    ranges[i] = byte_range(argument.memory);
    for (std::size_t j = 0; j < i; ++j)
      if (ranges[j].meets(ranges[i])) check_pair(arguments_[j], argument);
  }
}

}  // namespace Tegula::Impl
