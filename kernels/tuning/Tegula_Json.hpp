// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_JSON_HPP
#define TEGULA_JSON_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Reading JSON (RFC 8259), and quoting for it. Tegula is built with Kokkos and a compiler alone, so that this is no
/// library's. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// A value of a file, which knows its line. All errors are std::invalid_argument: "file:line: what is wrong".
class Json {
 public:
  /// The one value that a text consists of. Its first line is that of the file, for errors.
  static Json parse(const std::string& text, const std::string& file, int first_line = 1);

  /// What a key of an object has, or null.
  const Json* find(const std::string& key) const;
  /// Fails if there is none.
  const Json& at(const std::string& key) const;

  /// `what` is what errors call the value. Each fails if it is of another kind.
  const std::string& text(const std::string& what) const;
  double number(const std::string& what, double least, double most) const;
  std::int64_t integer(const std::string& what, std::int64_t least, std::int64_t most) const;
  bool truth(const std::string& what) const;
  const std::vector<Json>& items(const std::string& what) const;

  /// Fails if an object has a key that is none of these: it may be misspelt.
  void check_keys(const std::vector<std::string>& known) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  friend class JsonReader;

  enum class Kind { null, truth, number, text, array, object };

  [[noreturn]] void fail_as_none(const std::string& what, const std::string& kind) const;
  std::string shown() const;

  Kind kind_     = Kind::null;
  int line_      = 0;
  double number_ = 0;  // or the truth
  std::string text_;
  std::vector<Json> items_;                            // of an array, or the values of an object
  std::vector<std::string> keys_;                      // of an object
  std::shared_ptr<const std::string> file_ = nullptr;  // shared by all values of a file
};

/// "text", quoted.
std::string json_text(const std::string& text);

}  // namespace Tegula::Impl

#endif
