// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TuningFile.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "Tegula_RecordFile.hpp"
#include "Tegula_Version.hpp"

namespace Tegula::Impl {
namespace {

constexpr const char *format_key = "tegula_tuning", *entries_key = "entries";
constexpr int format = 1;

/// Seconds of a call.
constexpr double shortest = 1e-9, longest = 1e5;

}  // namespace

std::string text(const TuningDevice& device) {
  const std::string facts = device.is_host() ? device.instructions + ", " + std::to_string(device.threads) + " threads"
                                             : std::to_string(device.multiprocessors) + " multiprocessors, " +
                                                   std::to_string(device.memory_gib) + " GiB";
  return device.name + " (" + device.space + ", " + facts + ')';
}

std::string library_version() {
  return std::to_string(TEGULA_VERSION_MAJOR) + '.' + std::to_string(TEGULA_VERSION_MINOR) + '.' +
         std::to_string(TEGULA_VERSION_PATCH);
}

std::string json(const TuningDevice& device) {
  const std::string begin = "{\"name\": " + json_text(device.name) + ", \"space\": " + json_text(device.space);
  if (device.is_host())
    return begin + ", \"instructions\": " + json_text(device.instructions) +
           ", \"threads\": " + std::to_string(device.threads) + '}';
  return begin + ", \"multiprocessors\": " + std::to_string(device.multiprocessors) +
         ", \"memory_gib\": " + std::to_string(device.memory_gib) + '}';
}

TuningDevice tuning_device(const Json& written) {
  written.check_keys({"name", "space", "instructions", "threads", "multiprocessors", "memory_gib"});
  constexpr int most = 1 << 20;
  TuningDevice device;
  device.name  = written.at("name").text("name");
  device.space = written.at("space").text("space");
  if (written.find("multiprocessors") != nullptr) {
    device.multiprocessors = static_cast<int>(written.at("multiprocessors").integer("multiprocessors", 1, most));
    device.memory_gib      = static_cast<int>(written.at("memory_gib").integer("memory_gib", 0, most));
  } else {
    device.instructions = written.at("instructions").text("instructions");
    device.threads      = static_cast<int>(written.at("threads").integer("threads", 1, most));
  }
  return device;
}

std::string key_of(const TuningEntry& entry) {
  return "{\"device\": " + json(entry.device) + ", \"version\": " + json_text(entry.version) +
         ", \"call\": " + json(entry.problem);
}

std::string json(const TuningEntry& entry) {
  return key_of(entry) + ", \"commit\": " + json_text(entry.commit) + ", \"way\": " + json(entry.way) +
         ", \"seconds\": " + record_text(entry.seconds) + ", \"model_way\": " + json(entry.model_way) +
         ", \"model_seconds\": " + record_text(entry.model_seconds) +
         ", \"predicted\": " + record_text(entry.predicted) + ", \"ways\": " + std::to_string(entry.ways) +
         ", \"method\": " + json_text(entry.method) + '}';
}

TuningEntry tuning_entry(const Json& written) {
  written.check_keys({"device", "version", "commit", "call", "way", "seconds", "model_way", "model_seconds",
                      "predicted", "ways", "method"});
  const auto seconds = [&](const char* key) { return written.at(key).number(key, shortest, longest); };
  const auto words   = [&](const char* key) { return written.at(key).text(key); };
  TuningEntry entry;
  entry.device        = tuning_device(written.at("device"));
  entry.version       = words("version");
  entry.commit        = words("commit");
  entry.problem       = problem_class(written.at("call"));
  entry.way           = tuned_way(written.at("way"));
  entry.seconds       = seconds("seconds");
  entry.model_way     = tuned_way(written.at("model_way"));
  entry.model_seconds = seconds("model_seconds");
  entry.predicted     = written.at("predicted").number("predicted", 0, longest);
  entry.ways          = static_cast<int>(written.at("ways").integer("ways", 1, 1 << 20));
  entry.method        = words("method");
  return entry;
}

std::string tuning_text(const std::vector<TuningEntry>& entries) {
  std::string text = std::string("{\"") + format_key + "\": " + std::to_string(format) + ", \"" + entries_key + "\": [";
  for (std::size_t i = 0; i < entries.size(); ++i) text += (i == 0 ? "\n" : ",\n") + json(entries[i]);
  return text + "\n]}\n";
}

std::vector<TuningEntry> tuning_entries(const std::string& text, const std::string& file) {
  const Json whole = Json::parse(text, file);
  whole.check_keys({format_key, entries_key});
  whole.at(format_key).integer(format_key, format, format);
  std::vector<TuningEntry> entries;
  for (const Json& entry : whole.at(entries_key).items(entries_key)) entries.push_back(tuning_entry(entry));
  return entries;
}

std::string text_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  try {
    if (in) return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  } catch (const std::ios_base::failure&) {  // a folder
  }
  throw std::invalid_argument('"' + file + "\" cannot be read");
}

}  // namespace Tegula::Impl
