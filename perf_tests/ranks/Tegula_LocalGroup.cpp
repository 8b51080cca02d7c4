// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <numeric>

#include "Tegula_RankGroup.hpp"

namespace Tegula::Perf {
namespace {

class LocalGroup : public RankGroup {
 public:
  explicit LocalGroup(int ranks) : ranks_(ranks) {}

  int size() const override { return ranks_; }
  std::vector<int> own() const override {
    std::vector<int> all(static_cast<std::size_t>(ranks_));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  bool is_root() const override { return true; }
  int turn_of(int rank) const override { return rank; }
  int turns() const override { return ranks_; }

  void meet() override {}
  std::vector<std::string> gather(const std::vector<std::string>& own_texts) override { return own_texts; }
  int agreed(int number) override { return number; }

 private:
  int ranks_;
};

}  // namespace

std::unique_ptr<RankGroup> local_group(int ranks) { return std::make_unique<LocalGroup>(ranks); }

}  // namespace Tegula::Perf
