// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <locale>
#include <sstream>
#include <stdexcept>

#include "Tegula_RecordFile.hpp"

namespace Tegula::Impl {

/// Recursive descent, a function for each rule of the grammar.
class JsonReader {
 public:
  JsonReader(const std::string& text, const std::string& file, int first_line)
      : text_(text), line_(first_line), file_(std::make_shared<const std::string>(file)) {}

  Json read() {
    Json value = read_value(0);
    skip_blanks();
    if (at_ != text_.size()) fail("nothing is expected behind the value, and there is \"" + rest() + '"');
    return value;
  }

 private:
  static constexpr int deepest = 32;  // of values in values: the stack is not the file's to fill

  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument(*file_ + ':' + std::to_string(line_) + ": " + what);
  }

  /// What comes next, for errors.
  std::string rest() const {
    const std::size_t end = std::min(text_.find('\n', at_), at_ + 20);
    return text_.substr(at_, end - at_);
  }

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
    }
  }

  bool take(char wanted) {
    skip_blanks();
    if (next() != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted, const char* where) {
    if (take(wanted)) return;
    const std::string found = at_ < text_.size() ? '"' + rest() + '"' : "the end of the file";
    fail(std::string("'") + wanted + "' is expected " + where + ", not " + found);
  }

  bool take_word(const char* word) {
    const std::string wanted(word);
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }

  Json new_value(Json::Kind kind) const {
    Json value;
    value.kind_ = kind;
    value.line_ = line_;
    value.file_ = file_;
    return value;
  }

  Json new_truth(bool truth) const {
    Json value    = new_value(Json::Kind::truth);
    value.number_ = truth ? 1 : 0;
    return value;
  }

  Json read_value(int depth) {
    if (depth > deepest) fail("values lie deeper than " + std::to_string(deepest) + " in each other");
    skip_blanks();
    switch (next()) {
      case '{':
        return read_object(depth);
      case '[':
        return read_array(depth);
      case '"': {
        Json value  = new_value(Json::Kind::text);
        value.text_ = read_text();
        return value;
      }
      default:
        break;
    }
    if (take_word("true")) return new_truth(true);
    if (take_word("false")) return new_truth(false);
    if (take_word("null")) return new_value(Json::Kind::null);
    return read_number();
  }

  Json read_object(int depth) {
    Json object = new_value(Json::Kind::object);
    expect('{', "before an object");
    if (take('}')) return object;
    do {
      skip_blanks();
      if (next() != '"') expect('"', "before a key");
      std::string key = read_text();
      if (std::find(object.keys_.begin(), object.keys_.end(), key) != object.keys_.end())
        fail('"' + key + "\" is there twice");
      expect(':', "behind a key");
      object.keys_.push_back(std::move(key));
      object.items_.push_back(read_value(depth + 1));
    } while (take(','));
    expect('}', "behind an object");
    return object;
  }

  Json read_array(int depth) {
    Json array = new_value(Json::Kind::array);
    expect('[', "before an array");
    if (take(']')) return array;
    do {
      array.items_.push_back(read_value(depth + 1));
    } while (take(','));
    expect(']', "behind an array");
    return array;
  }

  Json read_number() {
    const std::size_t end    = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string digits = text_.substr(at_, end - at_);
    Json value               = new_value(Json::Kind::number);
    std::istringstream in(digits);
    in.imbue(std::locale::classic());
    // What C++ reads and JSON has not.
    const bool is_json = !digits.empty() && digits[0] != '+' && digits[0] != '.' && digits.back() != '.';
    if (!is_json || !(in >> value.number_) || !in.eof()) fail('"' + rest() + "\" is no value");
    at_ = end;
    return value;
  }

  std::string read_text() {
    ++at_;  // the quote
    std::string text;
    while (true) {
      if (at_ >= text_.size() || text_[at_] == '\n') fail("the text \"" + text + "\" has no end");
      const char c = text_[at_++];
      if (c == '"') return text;
      if (static_cast<unsigned char>(c) < 0x20) fail("a text has a control character");
      text += c == '\\' ? read_escape() : std::string(1, c);
    }
  }

  std::string read_escape() {
    constexpr const char *letters = "\"\\/bfnrt", *meant = "\"\\/\b\f\n\r\t";
    const char c = next();
    ++at_;
    if (c == 'u') return read_code();
    for (const char* letter = letters; *letter != '\0'; ++letter)
      if (*letter == c) return std::string(1, meant[letter - letters]);
    fail(std::string("\\") + c + " is no escape");
  }

  /// Of control characters only, which is what is written so here.
  std::string read_code() {
    unsigned code = 0;
    for (int digit = 0; digit < 4; ++digit, ++at_) {
      const char c    = next();
      const int value = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (value < 0) fail("\\u needs four hexadecimal digits");
      code = 16 * code + static_cast<unsigned>(value);
    }
    if (code >= 0x80) fail("characters beyond ASCII are to be there as they are, not as \\u");
    return std::string(1, static_cast<char>(code));
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int line_;
  std::shared_ptr<const std::string> file_;
};

Json Json::parse(const std::string& text, const std::string& file, int first_line) {
  return JsonReader(text, file, first_line).read();
}

const Json* Json::find(const std::string& key) const {
  const auto found = std::find(keys_.begin(), keys_.end(), key);
  return found == keys_.end() ? nullptr : &items_[static_cast<std::size_t>(found - keys_.begin())];
}

const Json& Json::at(const std::string& key) const {
  if (kind_ != Kind::object) fail_as_none("what has \"" + key + '"', "an object");
  const Json* const found = find(key);
  if (found == nullptr) fail('"' + key + "\" is missing");
  return *found;
}

const std::string& Json::text(const std::string& what) const {
  if (kind_ != Kind::text) fail_as_none(what, "a text");
  return text_;
}

double Json::number(const std::string& what, double least, double most) const {
  if (kind_ != Kind::number) fail_as_none(what, "a number");
  if (!(number_ >= least && number_ <= most))
    fail(what + " is " + record_text(number_) + ", not from " + record_text(least) + " to " + record_text(most));
  return number_;
}

std::int64_t Json::integer(const std::string& what, std::int64_t least, std::int64_t most) const {
  const double value = number(what, static_cast<double>(least), static_cast<double>(most));
  if (value != std::floor(value)) fail_as_none(what, "an integer");
  return static_cast<std::int64_t>(value);
}

bool Json::truth(const std::string& what) const {
  if (kind_ != Kind::truth) fail_as_none(what, "true or false");
  return number_ != 0;
}

const std::vector<Json>& Json::items(const std::string& what) const {
  if (kind_ != Kind::array) fail_as_none(what, "an array");
  return items_;
}

void Json::check_keys(const std::vector<std::string>& known) const {
  if (kind_ != Kind::object) fail_as_none("the value", "an object");
  for (std::size_t i = 0; i < keys_.size(); ++i)
    if (std::find(known.begin(), known.end(), keys_[i]) == known.end())
      items_[i].fail("there is no key \"" + keys_[i] + '"');
}

void Json::fail(const std::string& what) const {
  throw std::invalid_argument(*file_ + ':' + std::to_string(line_) + ": " + what);
}

void Json::fail_as_none(const std::string& what, const std::string& kind) const {
  fail(what + " is " + shown() + ", not " + kind);
}

std::string Json::shown() const {
  switch (kind_) {
    case Kind::null:
      return "null";
    case Kind::truth:
      return number_ != 0 ? "true" : "false";
    case Kind::number:
      return record_text(number_);
    case Kind::text:
      return '"' + text_ + '"';
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "";
}

std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    if (static_cast<unsigned char>(letter) >= 0x20) {
      quoted += letter;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(letter));
    quoted += escape;
  }
  return quoted + '"';
}

}  // namespace Tegula::Impl
