// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RankWorker.hpp"

#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <memory>
#include <utility>

#include "Tegula_PerfArguments.hpp"
#include "Tegula_PerfHeading.hpp"
#include "Tegula_PerfMeasurement.hpp"
#include "Tegula_PerfResultFile.hpp"

namespace Tegula::Perf {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

int own_rank = -1;

/// The supervisor has closed the channel, or is no more: nobody wants to know the rest.
class IsAlone : public std::exception {};

std::string next_payload(RankChannel& channel, const std::string& kind) {
  const auto message = channel.receive();
  if (!message) throw IsAlone();
  if (message->kind != kind) throw std::runtime_error("got \"" + message->kind + "\", not \"" + kind + '"');
  return message->payload;
}

/// Within Kokkos.
class RankSession {
 public:
  RankSession(const ProgramText& program, const Options& options, CaseFactory factory, RankChannel& channel, int rank)
      : options_(options),
        factory_(factory),
        channel_(channel),
        rank_(rank),
        machine_(measure_machine(options)),
        heading_(make_heading(program, options, machine_)),
        file_(program, without_file(options), machine_, heading_.peers) {}

  void run() {
    channel_.send("hello", heading_.text);
    channel_.send("host", host_name());
    channel_.send("pci", pci_bus_id());
    channel_.send("context", file_.context().line());
    for (const CaseSpec& spec : cases_of(options_)) {
      current_.reset();  // only one case has its operands allocated at a time
      failure_.clear();
      attempt([&] { current_ = std::make_unique<Measurement>(spec, factory_, options_.clock); });
      for (const Load load : options_.loads) {
        channel_.send("ready");
        for (const Phase phase : options_.ranks.phases) measure(spec, load, phase);
      }
    }
    current_.reset();
    file_.complete();
    channel_.send("end", file_.context().line());
  }

 private:
  /// The file is the supervisor's.
  static Options without_file(Options options) {
    options.json.clear();
    return options;
  }

  /// A case that has failed stays failed.
  template <class Work>
  void attempt(const Work& work) {
    if (!failure_.empty()) return;
    try {
      work();
    } catch (const std::exception& error) {
      current_.reset();
      failure_ = error.what();
    }
  }

  void measure(const CaseSpec& spec, Load load, Phase phase) {
    Row row   = new_row(spec, load);
    row.rank  = rank_;
    row.phase = name_of(phase);
    next_payload(channel_, "go");
    attempt([&] {
      current_->clear();
      for (int repetition = 0; repetition < options_.repetitions; ++repetition) current_->time(load, options_.min_time);
      row.figures = current_->figures(machine_);
    });
    row.error = failure_;
    channel_.send("row", json(row));
  }

  Options options_;
  CaseFactory factory_;
  RankChannel& channel_;
  int rank_;
  Machine machine_;
  Heading heading_;
  ResultFile file_;
  std::unique_ptr<Measurement> current_;  // none after a failure
  std::string failure_;
};

void measure_all(const ProgramText& program, const Options& options, CaseFactory factory, RankChannel& channel,
                 int rank) {
  ArgumentVector arguments(program.name, options.kokkos_flags);
  Kokkos::initialize(arguments.count(), arguments.values());
  RankSession(program, options, factory, channel, rank).run();
  Kokkos::finalize();
}

}  // namespace

int worker_rank() { return own_rank; }

int run_worker(const ProgramText& program, const Options& options, CaseFactory factory, RankChannel channel) {
  try {
    const auto first = channel.receive();
    if (!first) return 0;
    if (first->kind == "count") {
      channel.send("count", std::to_string(visible_devices()));
    } else {
      own_rank = std::stoi(first->payload);
      measure_all(program, options, factory, channel, own_rank);
    }
    return 0;
  } catch (const IsAlone&) {
  } catch (const std::exception& error) {
    channel.send("failed", error.what());
  }
  std::_Exit(exit_wrong_result);  // Kokkos may still have views, and a device that does not answer
}

}  // namespace Tegula::Perf
