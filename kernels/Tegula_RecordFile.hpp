// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_RECORD_FILE_HPP
#define TEGULA_RECORD_FILE_HPP

#include <array>
#include <istream>
#include <map>
#include <string>
#include <type_traits>
#include <variant>

/// Records of machines as files, which tegula_calibrate writes and planners read: lines "key = value"; # begins a
/// comment. One of them names the version of the format. Every key is there once, in any order.
///
///   tegula_machine = 1
///   name = NVIDIA H200
///   clock_hz = 1.98e+09  # cycles a second
///
/// Errors are std::invalid_argument, which names the file, the line and what is there.

namespace Tegula::Impl {

/// A number of a record. What is outside of its bounds was written in another unit.
template <class Record>
struct RecordNumber {
  const char* key;
  std::variant<int Record::*, double Record::*> number;
  double least, most;
  const char* meaning;
};

/// The entries of a file, of which each is taken once.
class RecordFile {
 public:
  /// Throws if a line is not "key = value", a key is there twice, or the version is another one.
  RecordFile(std::istream& lines, const std::string& file);

  bool has(const std::string& key) const { return entries_.count(key) > 0; }

  /// Throws if the key is missing, or has no value.
  std::string take(const std::string& key);

  /// Throws if the key is missing, or is not such a number.
  double take_number(const std::string& key, bool is_whole, double least, double most);

  template <class Record, std::size_t Count>
  void take_numbers(const std::array<RecordNumber<Record>, Count>& numbers, Record& record) {
    for (const RecordNumber<Record>& n : numbers)
      std::visit(
          [&]<class Number>(Number Record::*member) {
            record.*member = static_cast<Number>(take_number(n.key, std::is_integral_v<Number>, n.least, n.most));
          },
          n.number);
  }

  /// Throws if there is a key that nobody took.
  void check_all_taken() const;

 private:
  struct Entry {
    std::string value;
    int line;
  };

  Entry take_entry(const std::string& key);
  [[noreturn]] void fail(int line, const std::string& what) const;

  std::string file_;
  std::map<std::string, Entry> entries_;
};

/// "key = value  # meaning", a line.
std::string record_line(const std::string& key, const std::string& value, const std::string& meaning = "");

/// The first line of a file.
std::string record_version();

/// Six digits.
std::string record_text(double number);

template <class Record, std::size_t Count>
std::string record_lines(const std::array<RecordNumber<Record>, Count>& numbers, const Record& record) {
  std::string lines;
  for (const RecordNumber<Record>& n : numbers)
    lines +=
        record_line(n.key, std::visit([&](auto member) { return record_text(record.*member); }, n.number), n.meaning);
  return lines;
}

}  // namespace Tegula::Impl

#endif
