// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RankRun.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include "Tegula_PerfResultFile.hpp"
#include "Tegula_RankFile.hpp"
#include "Tegula_RankGroup.hpp"
#include "Tegula_RankTable.hpp"

namespace Tegula::Perf {
namespace {

using Workers = std::vector<std::unique_ptr<RankProcess>>;

/// In place of the devices that a command line names "all".
std::vector<std::string> devices_of(const RankOptions& options, char** argv) {
  if (options.devices.front() != "all") return options.devices;
  RankProcess counting(argv, {});
  counting.send("count");
  const auto count = counting.expect("count", options.patience);
  if (!count) throw std::runtime_error("the devices cannot be counted: " + counting.failure());
  std::vector<std::string> devices;
  for (int device = 0; device < std::stoi(*count); ++device) devices.push_back(std::to_string(device));
  if (devices.empty()) throw std::runtime_error("there is no device");
  return devices;
}

/// Kokkos reads these variables; flags of the command line go before them.
Workers start_workers(const RankOptions& options, char** argv) {
  Workers workers;
  if (options.mpi) {
    workers.push_back(std::make_unique<RankProcess>(
        argv, std::map<std::string, std::string>{{"KOKKOS_MAP_DEVICE_ID_BY", "mpi_rank"}}));
    return workers;
  }
  for (const std::string& device : devices_of(options, argv))
    workers.push_back(
        std::make_unique<RankProcess>(argv, std::map<std::string, std::string>{{"KOKKOS_DEVICE_ID", device}}));
  return workers;
}

std::vector<Row> rows_of(const Options& options) {
  std::vector<Row> rows;
  for (const CaseSpec& spec : cases_of(options))
    for (const Load load : options.loads) rows.push_back(new_row(spec, load));
  return rows;
}

std::vector<std::string> sides_of(const Options& options) {
  std::vector<std::string> sides{"tegula"};
  sides.insert(sides.end(), options.peers.begin(), options.peers.end());
  return sides;
}

/// What a supervisor does, step by step with all others.
class RankRun {
 public:
  RankRun(const Options& options, RankGroup& group, Workers workers)
      : options_(options.ranks),
        group_(group),
        workers_(std::move(workers)),
        own_(group.own()),
        rows_(rows_of(options)),
        sides_(sides_of(options)),
        table_(std::cout, rows_, sides_, options_),
        file_(options.json, sides_, options_.slow_percent) {}

  /// Returns the exit code, of all.
  int run() {
    greet();
    for (std::size_t number = 0; number < rows_.size(); ++number) measure(number);
    part();
    if (group_.is_root()) conclude();
    return group_.agreed(exit_code_);
  }

 private:
  template <class Step>
  void for_each_own(const Step& step) {
    for (std::size_t own = 0; own < workers_.size(); ++own) step(own, *workers_[own]);
  }

  /// A text of each rank at the root, by what its worker says next; empty if it has failed.
  std::vector<std::string> said_by_all(const std::string& kind) {
    std::vector<std::string> texts;
    for_each_own([&](std::size_t, RankProcess& worker) {
      texts.push_back(worker.expect(kind, options_.patience).value_or(""));
    });
    return gather(texts);
  }

  std::vector<std::string> gather(const std::vector<std::string>& texts) {
    group_.meet();
    return group_.gather(texts);
  }

  void greet() {
    where_ = "before the first row";
    for_each_own([&](std::size_t own, RankProcess& worker) { worker.send("begin", std::to_string(own_[own])); });
    const auto headings = said_by_all("hello"), hosts = said_by_all("host"), addresses = said_by_all("pci"),
               contexts = said_by_all("context");
    for (std::size_t rank = 0; rank < headings.size(); ++rank)
      records_.push_back({{static_cast<int>(rank), hosts[rank], addresses[rank], ""}, contexts[rank]});
    note_failures();
    if (!group_.is_root()) return;
    const auto heading = std::find_if(headings.begin(), headings.end(), [](const auto& text) { return !text.empty(); });
    std::cout << (heading == headings.end() ? "" : *heading) << group_.size() << " ranks:";
    for (const RankRecord& record : records_)
      std::cout << (record.identity.rank > 0 ? ", " : " ") << text(record.identity);
    std::cout << "\n\n";
    table_.print_heading();
  }

  /// A failure is noted with the place where it was noticed, once.
  void note_failures() {
    std::vector<std::string> texts;
    for_each_own([&](std::size_t, RankProcess& worker) { texts.push_back(worker.failure()); });
    const auto failures = gather(texts);
    for (std::size_t rank = 0; rank < failures.size(); ++rank) {
      std::string& known = records_[rank].identity.failure;
      if (!known.empty() || failures[rank].empty()) continue;
      known = failures[rank] + ' ' + where_;
      std::cerr << text(records_[rank].identity) << ": " << known << '\n';
    }
  }

  void measure(std::size_t number) {
    RankRow measured{rows_[number], {}};
    const std::string name =
        measured.row.shape + ' ' + measured.row.type + (measured.row.load.empty() ? "" : ' ' + measured.row.load);
    if (group_.is_root()) std::cerr << '[' << number + 1 << '/' << rows_.size() << "] " << name << '\n';
    where_ = "in row " + name + ", before it was timed";
    for_each_own([&](std::size_t, RankProcess& worker) { worker.expect("ready", options_.patience); });
    note_failures();
    for (const Phase phase : options_.phases) {
      where_ = "in row " + name + ", " + name_of(phase);
      time(measured, phase);
    }
    if (!group_.is_root()) return;
    measured_.push_back(measured);
    table_.print(measured);
    write(false);
  }

  void time(RankRow& row, Phase phase) {
    std::vector<std::string> texts(workers_.size());
    if (phase == Phase::together) {
      group_.meet();
      time_own(texts, [](int) { return true; });
    } else {
      for (int turn = 0; turn < group_.turns(); ++turn) {
        group_.meet();
        time_own(texts, [&](int rank) { return group_.turn_of(rank) == turn; });
      }
    }
    auto of_ranks = gather(texts);
    note_failures();
    if (group_.is_root()) take(row, phase, of_ranks);
  }

  /// Has the workers of some ranks measure, all at the same time.
  template <class IsMeant>
  void time_own(std::vector<std::string>& texts, const IsMeant& is_meant) {
    for_each_own([&](std::size_t own, RankProcess& worker) {
      if (is_meant(own_[own])) worker.send("go");
    });
    for_each_own([&](std::size_t own, RankProcess& worker) {
      if (is_meant(own_[own])) texts[own] = worker.expect("row", options_.patience).value_or("");
    });
  }

  /// The rows that ranks sent; those that failed have one that says so.
  void take(RankRow& row, Phase phase, std::vector<std::string>& texts) {
    std::vector<RankResult>& results = row.by_phase[phase];
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
      if (texts[rank].empty()) {
        Row failed   = row.row;
        failed.rank  = static_cast<int>(rank);
        failed.phase = name_of(phase);
        failed.error = "the rank has failed: " + records_[rank].identity.failure;
        texts[rank]  = json(failed);
      }
      results.push_back(result_or_error(texts[rank]));
    }
    file_.add(row, phase, texts);
  }

  /// Figures that are none, such as a speed without an end, are an error of the row.
  RankResult result_or_error(const std::string& text) const {
    try {
      return result_of(text, sides_);
    } catch (const std::exception& error) {
      return {error.what(), {}, {}};
    }
  }

  void part() {
    where_              = "after the last row";
    const auto contexts = said_by_all("end");
    for_each_own([&](std::size_t, RankProcess& worker) { worker.end(options_.patience); });
    for (std::size_t rank = 0; rank < contexts.size(); ++rank)
      if (!contexts[rank].empty()) records_[rank].context = contexts[rank];
    note_failures();
  }

  std::vector<RankIdentity> identities() const {
    std::vector<RankIdentity> all;
    for (const RankRecord& record : records_) all.push_back(record.identity);
    return all;
  }

  std::vector<Card> cards() const { return cards_of(measured_, group_.size(), options_.slow_percent); }

  void write(bool is_complete) {
    const std::string problem = file_.write(records_, is_complete ? cards() : std::vector<Card>{}, is_complete);
    if (!problem.empty() && exit_code_ == 0) std::cerr << "error: " << problem << '\n';
    if (!problem.empty()) exit_code_ = exit_wrong_result;
  }

  void conclude() {
    write(true);
    const auto all           = cards();
    const std::string errors = describe_errors(measured_, identities());
    std::cout << '\n' << describe_cards(all, identities()) << errors << std::flush;
    const bool has_failed = std::any_of(records_.begin(), records_.end(),
                                        [](const RankRecord& record) { return !record.identity.failure.empty(); });
    if (has_failed || !errors.empty()) exit_code_ = exit_wrong_result;
    const bool is_slow = std::any_of(all.begin(), all.end(), [](const Card& card) { return card.is_slow(); });
    if (exit_code_ == 0 && is_slow && options_.fails_if_slow) exit_code_ = exit_slow_card;
  }

  RankOptions options_;
  RankGroup& group_;
  Workers workers_;
  std::vector<int> own_;
  std::vector<Row> rows_;
  std::vector<std::string> sides_;
  std::string where_;  // what is done now, for failures

  // At the root.
  RankTable table_;
  RankFile file_;
  std::vector<RankRecord> records_;
  std::vector<RankRow> measured_;
  int exit_code_ = 0;
};

}  // namespace

int run_ranks(const ProgramText& program, const Options& options, char** argv) {
  try {
    if (options.ranks.mpi) check_that_there_is_mpi();
    Workers workers  = start_workers(options.ranks, argv);  // before MPI, whose libraries need not survive a fork
    const auto group = options.ranks.mpi ? mpi_group() : local_group(static_cast<int>(workers.size()));
    return RankRun(options, *group, std::move(workers)).run();
  } catch (const std::invalid_argument& error) {
    std::cerr << program.name << ": " << error.what() << '\n';
    return exit_usage;
  } catch (const std::exception& error) {
    std::cerr << program.name << ": " << error.what() << '\n';
    return exit_wrong_result;
  }
}

}  // namespace Tegula::Perf
