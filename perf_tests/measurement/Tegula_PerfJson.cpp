// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfJson.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "tuning/Tegula_Json.hpp"

namespace Tegula::Perf {
namespace {

std::string joined(const std::vector<std::string>& values, const std::string& between) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : between) + value;
  return text;
}

std::string in_lines(char open, const std::vector<std::string>& values, char close, int indentation) {
  if (values.empty()) return {open, close};
  const std::string line_end = '\n' + std::string(static_cast<std::size_t>(indentation), ' ');
  return open + line_end + ' ' + joined(values, ',' + line_end + ' ') + line_end + close;
}

}  // namespace

std::string json(const std::string& text) { return Impl::json_text(text); }

std::string json(double number) {
  if (!std::isfinite(number)) return "null";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

std::string json(bool truth) { return truth ? "true" : "false"; }

JsonObject& JsonObject::add_raw(const std::string& key, const std::string& value) {
  members_.push_back(json(key) + ": " + value);
  return *this;
}

std::string JsonObject::text(int indentation) const { return in_lines('{', members_, '}', indentation); }

std::string JsonObject::line() const { return '{' + joined(members_, ", ") + '}'; }

std::string json_array(const std::vector<std::string>& values, int indentation) {
  return in_lines('[', values, ']', indentation);
}

}  // namespace Tegula::Perf
