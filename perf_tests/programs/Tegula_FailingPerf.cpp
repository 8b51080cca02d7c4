// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_failing_perf, a program for tests: each row is something that can go wrong, with the first of --peers or, in
// the row "tegula", with Tegula. A row such as "aborts@1" goes wrong on rank 1 alone. The kernels do nothing.

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "Tegula_PerfDevice.hpp"
#include "Tegula_PerfRun.hpp"
#include "Tegula_RankWorker.hpp"

namespace Tegula::Perf {
namespace {

constexpr ProgramText text{"tegula_failing_perf", "Rows with mistakes in them", "flops = 2 m n k; bytes = 1", true};

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

void run_nothing(const char* label) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(0, 1), Nothing());
}

/// What the row has in store for this rank; empty on any other.
std::string fate_of(const std::string& row) {
  const std::size_t at = row.find('@');
  if (at == std::string::npos) return row;
  return row.substr(at + 1) == std::to_string(worker_rank()) ? row.substr(0, at) : "";
}

/// While a row is timed.
void meet_fate(const std::string& fate) {
  if (fate == "aborts") std::abort();
  if (fate == "is_killed") kill(getpid(), SIGKILL);
  if (fate == "throws") throw std::runtime_error("it breaks");
  if (fate == "hangs") std::this_thread::sleep_for(std::chrono::hours(1));
  if (fate == "is_slow") std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

class FailingCase : public Case {
 public:
  explicit FailingCase(const CaseSpec& spec) : row_(fate_of(spec.shape.name)), is_of_ranks_(worker_rank() >= 0) {
    if (row_ == "exits") std::_Exit(7);
    sides_.push_back(side_of("tegula", 1, [this](std::size_t) { return Call{[this] { run_tegula(); }, "", ""}; }));
    for (const std::string& peer : spec.peers)
      sides_.push_back(side_of(peer, 1, [&](std::size_t) { return peer == spec.peers.front() ? failing() : good(); }));
  }

  const std::vector<Side>& sides() override { return sides_; }
  std::vector<std::string> planned_labels() override { return {"Tegula::gemm[nothing]"}; }
  double flops() const override { return 2; }
  double compulsory_bytes() const override { return 1; }

  void reset(std::size_t) override {}

  std::vector<Verdict> check() override {
    std::vector<Verdict> verdicts(sides_.size(), {1, ""});
    if (row_ == "tegula") verdicts[0].wrong = "it is wrong";
    if (row_ == "wrong") verdicts[1].wrong = "it is wrong";
    return verdicts;
  }

 private:
  // Ranks take a millisecond, so that a row is timed after a few calls.
  void run_tegula() {
    constexpr int before_it_is_timed = 10;
    if (is_of_ranks_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (row_ == "is_slow" || ++calls_ > before_it_is_timed) meet_fate(row_);
    run_nothing("Tegula::gemm[nothing]");
  }

  static Call good() {
    return {[] { run_nothing("peer::nothing"); }, "nothing", ""};
  }

  Call failing() const {
    if (row_ == "not_ready") throw std::runtime_error("it cannot be made ready");
    const int calls = row_ == "first_call" ? 0 : row_ == "later_call" ? 1000 : -1;
    const auto run  = [calls, made = 0]() mutable {
      if (made++ == calls) throw std::runtime_error("it breaks");
      run_nothing("peer::nothing");
    };
    return {run, "nothing", ""};
  }

  std::string row_;
  bool is_of_ranks_;
  int calls_ = 0;
  std::vector<Side> sides_;
};

std::unique_ptr<Case> make_failing_case(const CaseSpec& spec) { return std::make_unique<FailingCase>(spec); }

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  return run_program(text, make_failing_case, argc, argv);
}
