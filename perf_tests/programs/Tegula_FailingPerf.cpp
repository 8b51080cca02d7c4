// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_failing_perf, a program for tests: each row is something that can go wrong, with the first of --peers or, in
// the row "tegula", with Tegula. The kernels do nothing.

#include <stdexcept>

#include "Tegula_PerfDevice.hpp"
#include "Tegula_PerfRun.hpp"

namespace Tegula::Perf {
namespace {

constexpr ProgramText text{"tegula_failing_perf", "Rows with mistakes in them", "flops = 2 m n k; bytes = 1", true};

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

void run_nothing(const char* label) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(0, 1), Nothing());
}

class FailingCase : public Case {
 public:
  explicit FailingCase(const CaseSpec& spec) : row_(spec.shape.name) {
    sides_.push_back(side_of("tegula", 1, [](std::size_t) {
      return Call{[] { run_nothing("Tegula::gemm[nothing]"); }, "", ""};
    }));
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
  std::vector<Side> sides_;
};

std::unique_ptr<Case> make_failing_case(const CaseSpec& spec) { return std::make_unique<FailingCase>(spec); }

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  using namespace Tegula::Perf;
  return run_program(text, make_failing_case, argc, argv);
}
