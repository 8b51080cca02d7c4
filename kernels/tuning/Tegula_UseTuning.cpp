// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_UseTuning.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>

#include "Tegula_HostInstructions.hpp"
#include "Tegula_PlanCache.hpp"
#include "Tegula_RecordCalls.hpp"
#include "Tegula_Tuning.hpp"

namespace Tegula {
namespace Impl {
namespace {

void warn(const std::string& what) { std::cerr << "Tegula: warning: " + what + '\n' << std::flush; }

std::string microseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g us", 1e6 * seconds);
  return text;
}

/// What a device's entries have for a call.
struct Tuned {
  TunedWay way;
  std::string text;
};

struct DeviceTable {
  TuningDevice device;
  ProblemTable<Tuned> calls;
  std::string text_of_none;  // for calls without an entry
};

bool is_of(const TuningDevice& device, const PlanningDevice& planning) {
  return device.threads == planning.threads && device.multiprocessors == planning.multiprocessors &&
         device.memory_gib == planning.memory_gib && device.space == planning.space &&
         device.instructions == planning.instructions && device.name == planning.name;
}

/// A file that was asked for.
class Tuning {
 public:
  Tuning(const std::string& by, const std::string& file) : file_(file) {
    try {
      for (const TuningEntry& entry : tuning_entries(text_of_file(file), file)) add(entry);
      if (tables_.empty())
        refuse(by, others_.empty() ? "it has no entries"
                                   : "its entries are of Tegula " + others_ + ", this is " + library_version());
    } catch (const std::invalid_argument& error) {
      refuse(by, error.what());
    }
  }

  TuningAdvice advice(const PackedProblem& problem, const PlanningDevice& device) const {
    if (!refusal_.empty()) return {nullptr, refusal_.c_str()};
    const DeviceTable* const table = table_of(device);
    if (table == nullptr) return {nullptr, foreign(device)};
    const Tuned* const found = table->calls.find(problem);
    if (found == nullptr) return {nullptr, table->text_of_none.c_str()};
    return {&found->way, found->text.c_str()};
  }

 private:
  void add(const TuningEntry& entry) {
    if (entry.version != library_version()) {
      others_ = entry.version;
      return;
    }
    auto table =
        std::find_if(tables_.begin(), tables_.end(), [&](const DeviceTable& t) { return t.device == entry.device; });
    if (table == tables_.end()) {
      tables_.push_back({entry.device, {}, file_ + " has no entry for this call: as predicted"});
      table = std::prev(tables_.end());
    }
    const std::string text = "entry of " + file_ + ": " + microseconds(entry.seconds) +
                             " measured, the planner's own " + microseconds(entry.model_seconds);
    table->calls[entry.problem] = {entry.way, text};
  }

  /// Null if there is none. A thread remembers the last one: it most often plans for one device.
  const DeviceTable* table_of(const PlanningDevice& device) const {
    struct Last {
      const Tuning* tuning;
      PlanningDevice device;
      const DeviceTable* table;
    };
    thread_local Last last{};
    if (last.tuning == this && last.device == device) return last.table;
    const auto table =
        std::find_if(tables_.begin(), tables_.end(), [&](const DeviceTable& t) { return is_of(t.device, device); });
    last = {this, device, table == tables_.end() ? nullptr : &*table};
    return last.table;
  }

  void refuse(const std::string& by, const std::string& why) {
    refusal_ = file_ + " is not used: " + why;
    warn(by + ": " + why + "; calls are planned without it");
  }

  /// A program that runs on a GPU has calls on its host, too, of which its file says nothing.
  const char* foreign(const PlanningDevice& device) const {
    const bool is_expected = device.is_host() && std::any_of(tables_.begin(), tables_.end(),
                                                             [](const DeviceTable& t) { return !t.device.is_host(); });
    const char* const why =
        kept_text(file_ + " has no entry for this device, " + text(tuning_device(device)) + ": as predicted");
    if (!is_expected && !has_warned_.exchange(true))
      warn(file_ + ": it has no entry for this device, " + text(tuning_device(device)) + ", but for " +
           text(tables_.front().device) + "; calls are planned without it");
    return why;
  }

  std::string file_;
  std::string refusal_;  // why nothing of it is used
  std::string others_;   // the version of entries that are not this library's
  std::deque<DeviceTable> tables_;
  mutable std::atomic<bool> has_warned_{false};
};

/// What was asked for lives until the program ends: plans point to its texts.
const Tuning* kept(const std::string& by, const std::string& file) {
  static std::mutex mutex;
  static auto& all = *new std::deque<std::unique_ptr<const Tuning>>();
  auto tuning      = std::make_unique<const Tuning>(by, file);
  const std::lock_guard lock(mutex);
  return all.emplace_back(std::move(tuning)).get();
}

std::atomic<const Tuning*> in_use{nullptr};
std::atomic<Recorder*> recorder{nullptr};

/// Serialises who decides what is in use; planning takes it once.
std::mutex deciding;
bool is_environment_read = false;

void note_whether_watched() { is_planning_watched.store(in_use != nullptr || recorder != nullptr); }

std::string environment(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

void read_environment() {
  if (is_environment_read) return;
  is_environment_read = true;
  if (const std::string file = environment("TEGULA_TUNING"); !file.empty())
    in_use = kept("TEGULA_TUNING is \"" + file + '"', file);
  if (const std::string file = environment("TEGULA_RECORD"); !file.empty()) recorder = kept_recorder(file);
  note_whether_watched();
}

/// What is asked for by a call overrides the environment.
template <class Decide>
void decide(const Decide& decided) {
  const std::lock_guard lock(deciding);
  read_environment();
  decided();
  note_whether_watched();
  PlanCache::forget_all();
}

/// The processor's name, as the system tells it.
const char* processor_name() {
  static const std::string& name = *new std::string([] {
    std::ifstream lines("/proc/cpuinfo");
    std::string part;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t colon = line.find(": ");
      if (colon == std::string::npos) continue;
      if (line.rfind("model name", 0) == 0) return line.substr(colon + 2);
      if (line.rfind("CPU implementer", 0) == 0) part = "CPU of implementer " + line.substr(colon + 2);
      if (line.rfind("CPU part", 0) == 0) return part + ", part " + line.substr(colon + 2);
    }
    return std::string("unknown processor");
  }());
  return name.c_str();
}

bool asks_for_something(const PlanOptions& options) {
  return !options.family.empty() || options.tile != TileShape{} || options.group != 0 || options.split_k != 0 ||
         options.whole_waves != 0;
}

/// Recording ends if it fails.
[[gnu::noinline]] void record(Recorder& to, const Call& call, const PlanningDevice& device) {
  if (to.note(*problem_class(call, !device.is_host()), device)) return;
  const std::lock_guard lock(deciding);
  recorder = nullptr;
  note_whether_watched();
}

}  // namespace

PlanningDevice planning_host(const char* space, int threads) {
  return {processor_name(), space, name(host_instructions()), threads};
}

TuningDevice tuning_device(const PlanningDevice& device) {
  return {device.name, device.space, device.instructions, device.threads, device.multiprocessors, device.memory_gib};
}

const char* kept_text(const std::string& text) {
  static std::mutex mutex;
  static auto& texts = *new std::set<std::string>();
  const std::lock_guard lock(mutex);
  return texts.insert(text).first->c_str();
}

TuningAdvice advice_on(const Call& call, const PlanOptions& options, const PlanningDevice& device) {
  const Tuning* tuning = in_use.load(std::memory_order_acquire);
  if (tuning == nullptr) {
    const std::lock_guard lock(deciding);
    read_environment();
    tuning = in_use;
  }
  if (asks_for_something(options))
    return {nullptr, tuning == nullptr ? "" : "none, since options.plan says what to take"};
  const auto problem = packed(call, !device.is_host());
  if (!problem) return {nullptr, tuning == nullptr ? "" : "none for types and activations of your own"};
  if (Recorder* const to = recorder.load(std::memory_order_acquire); to != nullptr) record(*to, call, device);
  return tuning == nullptr ? TuningAdvice{} : tuning->advice(*problem, device);
}

}  // namespace Impl

void use_tuning(const std::string& file) {
  const Impl::Tuning* const tuning = file.empty() ? nullptr : Impl::kept("Tegula::use_tuning(\"" + file + "\")", file);
  Impl::decide([&] { Impl::in_use = tuning; });
}

void record_calls(const std::string& file) {
  Impl::decide([&] { Impl::recorder = file.empty() ? nullptr : Impl::kept_recorder(file); });
}

}  // namespace Tegula
