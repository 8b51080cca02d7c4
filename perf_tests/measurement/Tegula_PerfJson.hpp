// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_JSON_HPP
#define TEGULA_PERF_JSON_HPP

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// JSON in the making: text of values, and of objects and arrays of them.

namespace Tegula::Perf {

std::string json(const std::string& text);
std::string json(double number);  ///< as many digits as bring the number back; null if it is not finite
std::string json(bool truth);
inline std::string json(const char* text) { return json(std::string(text)); }
template <class Number>
requires std::is_integral_v<Number> std::string json(Number number) { return std::to_string(number); }
inline std::string json(const std::optional<double>& number) { return number ? json(*number) : "null"; }

/// Members in the order in which they were added, one to a line from a given depth of indentation on.
class JsonObject {
 public:
  template <class Value>
  JsonObject& add(const std::string& key, const Value& value) {
    return add_raw(key, json(value));
  }
  /// The value is JSON already.
  JsonObject& add_raw(const std::string& key, const std::string& value);
  std::string text(int indentation = 0) const;  ///< over several lines
  std::string line() const;                     ///< on one

 private:
  std::vector<std::string> members_;
};

/// An array of values that are JSON already, one to a line.
std::string json_array(const std::vector<std::string>& values, int indentation);

}  // namespace Tegula::Perf

#endif
