// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RecordFile.hpp"

#include <cmath>
#include <locale>
#include <sstream>
#include <stdexcept>

namespace Tegula::Impl {
namespace {

constexpr const char *version_key = "tegula_machine", *version = "1";

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks), last = text.find_last_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

}  // namespace

RecordFile::RecordFile(std::istream& lines, const std::string& file) : file_(file) {
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line.substr(0, line.find('#')));
    ++number;
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) fail(number, '"' + line + "\" is not \"key = value\"");
    const std::string key = trimmed(line.substr(0, equals));
    if (!entries_.emplace(key, Entry{trimmed(line.substr(equals + 1)), number}).second)
      fail(number, key + " is there twice");
  }
  const Entry format = take_entry(version_key);
  if (format.value != version)
    fail(format.line, std::string(version_key) + " is \"" + format.value + "\", not " + version);
}

std::string RecordFile::take(const std::string& key) {
  const Entry entry = take_entry(key);
  if (entry.value.empty()) fail(entry.line, key + " is empty");
  return entry.value;
}

double RecordFile::take_number(const std::string& key, bool is_whole, double least, double most) {
  const Entry entry = take_entry(key);
  std::istringstream text(entry.value);
  text.imbue(std::locale::classic());
  double number        = 0;
  const bool is_number = (text >> number) && text.eof() && (!is_whole || number == std::floor(number));
  if (!is_number || !(number >= least && number <= most))
    fail(entry.line,
         key + " is \"" + entry.value + "\", not a number from " + record_text(least) + " to " + record_text(most));
  return number;
}

void RecordFile::check_all_taken() const {
  if (!entries_.empty()) fail(entries_.begin()->second.line, "there is no key \"" + entries_.begin()->first + '"');
}

RecordFile::Entry RecordFile::take_entry(const std::string& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) throw std::invalid_argument(file_ + ": " + key + " is missing");
  const Entry entry = found->second;
  entries_.erase(found);
  return entry;
}

void RecordFile::fail(int line, const std::string& what) const {
  throw std::invalid_argument(file_ + ':' + std::to_string(line) + ": " + what);
}

std::string record_line(const std::string& key, const std::string& value, const std::string& meaning) {
  return key + " = " + value + (meaning.empty() ? "" : "  # " + meaning) + '\n';
}

std::string record_version() { return record_line(version_key, version, "version of this format"); }

std::string record_text(double number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << number;
  return text.str();
}

}  // namespace Tegula::Impl
