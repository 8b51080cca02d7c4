// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_ARGUMENTS_HPP
#define TEGULA_PERF_ARGUMENTS_HPP

#include <string>
#include <vector>

namespace Tegula::Perf {

/// Arguments in the form that main gets them.
class ArgumentVector {
 public:
  ArgumentVector(const char* program, const std::vector<std::string>& flags) : texts_{program} {
    texts_.insert(texts_.end(), flags.begin(), flags.end());
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
    count_ = static_cast<int>(texts_.size());
  }
  int& count() { return count_; }
  char** values() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
  int count_;
};

}  // namespace Tegula::Perf

#endif
