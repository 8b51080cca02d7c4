// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_CudaRecord.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <locale>
#include <map>
#include <sstream>
#include <stdexcept>
#include <variant>

namespace Tegula::Impl {
namespace {

constexpr const char *version_key = "tegula_machine", *version = "1";

struct TextKey {
  const char* name;
  std::string CudaRates::*text;
  const char* meaning;
};
constexpr std::array text_keys{TextKey{"name", &CudaRates::name, "of such a device"},
                               TextKey{"source", &CudaRates::source, "of the numbers"}};

struct NumberKey {
  const char* name;
  std::variant<int CudaRates::*, double CudaRates::*> number;
  double least, most;  // what is outside was written in another unit
  const char* meaning;
};
constexpr double most_units = 65536;
constexpr std::array number_keys{
    NumberKey{"capability", &CudaRates::capability, 80, 999, "90: compute capability 9.0"},
    NumberKey{"multiprocessors", &CudaRates::multiprocessors, 1, 4096, "of such a device"},
    NumberKey{"team_scratch_bytes", &CudaRates::team_scratch, 49152, 16777216, "shared memory of a block, at most"},
    NumberKey{"clock_hz", &CudaRates::clock, 1e8, 1e10, "cycles a second"},
    NumberKey{"wgmma_half", &CudaRates::wgmma_half, 0, most_units, "multiply-adds a cycle of a multiprocessor"},
    NumberKey{"wgmma_tf32", &CudaRates::wgmma_tf32, 0, most_units, "likewise; 0: there is no such instruction"},
    NumberKey{"mma_half", &CudaRates::mma_half, 1, most_units, "by mma.sync"},
    NumberKey{"mma_double", &CudaRates::mma_double, 1, most_units, ""},
    NumberKey{"fma_float", &CudaRates::fma_float, 1, most_units, ""},
    NumberKey{"fma_double", &CudaRates::fma_double, 1, most_units, ""},
    NumberKey{"memory_bytes_per_second", &CudaRates::memory, 1e9, 1e15, "reads and writes of a copy"},
    NumberKey{"cache_bytes_per_second", &CudaRates::cache, 1e9, 1e16, "reads of the second cache"},
    NumberKey{"kernel_seconds", &CudaRates::kernel, 1e-8, 1e-3, "of a kernel that does nothing, in a graph"}};

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks), last = text.find_last_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string written(double number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << number;
  return text.str();
}

/// What a line says of a key.
struct Entry {
  std::string value;
  int line;
};

/// The entries of a file, of which each is taken once.
class Entries {
 public:
  Entries(std::istream& lines, const std::string& file) : file_(file) {
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
  }

  Entry take(const std::string& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) throw std::invalid_argument(file_ + ": " + key + " is missing");
    const Entry entry = found->second;
    entries_.erase(found);
    return entry;
  }

  void check_all_taken() const {
    if (!entries_.empty()) fail(entries_.begin()->second.line, "there is no key \"" + entries_.begin()->first + '"');
  }

  [[noreturn]] void fail(int line, const std::string& what) const {
    throw std::invalid_argument(file_ + ':' + std::to_string(line) + ": " + what);
  }

 private:
  std::string file_;
  std::map<std::string, Entry> entries_;
};

double number_of(const Entries& entries, const NumberKey& key, const Entry& entry) {
  std::istringstream text(entry.value);
  text.imbue(std::locale::classic());
  double number        = 0;
  const bool is_number = (text >> number) && text.eof();
  const bool is_whole  = std::holds_alternative<double CudaRates::*>(key.number) || number == std::floor(number);
  if (!is_number || !is_whole || !(number >= key.least && number <= key.most))
    entries.fail(entry.line, std::string(key.name) + " is \"" + entry.value + "\", not a number from " +
                                 written(key.least) + " to " + written(key.most));
  return number;
}

void set(CudaRates& rates, const NumberKey& key, double number) {
  std::visit([&]<class Number>(Number CudaRates::*member) { rates.*member = static_cast<Number>(number); }, key.number);
}

/// A planner divides by the rates of all instructions that a device has.
void check_units(const CudaRates& rates, const std::string& file) {
  constexpr int hopper = 90;
  if (rates.capability == hopper && !(rates.wgmma_half > 0 && rates.wgmma_tf32 > 0))
    throw std::invalid_argument(file + ": wgmma_half is " + written(rates.wgmma_half) + " and wgmma_tf32 is " +
                                written(rates.wgmma_tf32) + ", but compute capability 9.0 has these instructions");
}

}  // namespace

std::string text(const CudaRates& rates) {
  std::string lines;
  const auto add = [&](const char* key, const std::string& value, const std::string& meaning) {
    lines += std::string(key) + " = " + value + (meaning.empty() ? "" : "  # " + meaning) + '\n';
  };
  add(version_key, version, "version of this format");
  for (const TextKey& key : text_keys) add(key.name, rates.*key.text, key.meaning);
  for (const NumberKey& key : number_keys)
    add(key.name, std::visit([&](auto member) { return written(rates.*member); }, key.number), key.meaning);
  return lines;
}

CudaRates read_cuda_record(std::istream& lines, const std::string& file) {
  Entries entries(lines, file);
  const Entry format = entries.take(version_key);
  if (format.value != version)
    entries.fail(format.line, std::string(version_key) + " is \"" + format.value + "\", not " + version);
  CudaRates rates{};
  for (const TextKey& key : text_keys) rates.*key.text = entries.take(key.name).value;
  for (const NumberKey& key : number_keys) set(rates, key, number_of(entries, key, entries.take(key.name)));
  entries.check_all_taken();
  check_units(rates, file);
  rates.source = file + ": " + rates.source;
  return rates;
}

CudaRates cuda_record(const std::string& name_or_file) {
  std::string names;
  for (const CudaRates& rates : all_cuda_rates()) {
    if (rates.name == name_or_file) return rates;
    names += (names.empty() ? "" : ", ") + rates.name;
  }
  std::ifstream lines(name_or_file);
  if (!lines) throw std::invalid_argument('"' + name_or_file + "\" is no file that can be read, and none of " + names);
  return read_cuda_record(lines, name_or_file);
}

}  // namespace Tegula::Impl
