// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Check.hpp"

#include <sstream>
#include <stdexcept>

#include "Tegula_Overlap.hpp"

namespace Tegula::Impl {
namespace {

StridedBytes bytes_of(const Argument& a) {
  return {static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(a.data)),
          static_cast<std::int64_t>(a.element_bytes),
          {a.extent[0], a.extent[1]},
          {a.stride[0], a.stride[1]}};
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

void ArgumentList::fail(const std::string& what) const {
  std::ostringstream message;
  message << "Tegula::" << call_ << ": " << what;
  for (const Argument& argument : arguments()) describe(message, argument);
  throw std::invalid_argument(message.str());
}

void ArgumentList::check_memory() const {
  std::array<ByteRange, max_arguments> ranges;
  auto range = ranges.begin();
  for (const Argument& argument : arguments()) {
    const StridedBytes bytes = bytes_of(argument);
    const auto fail_of       = [&](const char* what) { fail(argument.role + std::string(what)); };
    if (!argument.reachable) fail_of(" lies in memory that the execution space cannot reach");
    if (argument.data == nullptr && !bytes.is_empty()) fail_of(" has extents but no data");
    if (argument.access == Access::output && overlaps_itself(bytes)) {
      fail("two elements of the output " + std::string(argument.role) + " lie at one address");
    }
    *range++ = byte_range(bytes);
  }
  for (std::size_t i = 0; i < count_; ++i) {
    for (std::size_t j = i + 1; j < count_; ++j) {
      const bool written = arguments_[i].access == Access::output || arguments_[j].access == Access::output;
      if (written && ranges[i].meets(ranges[j]) && may_overlap(bytes_of(arguments_[i]), bytes_of(arguments_[j]))) {
        fail(std::string(arguments_[i].role) + " and " + arguments_[j].role + " overlap");
      }
    }
  }
}

}  // namespace Tegula::Impl
