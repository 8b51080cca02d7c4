// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfAffinity.hpp"

#ifdef __linux__
#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace Tegula::Perf {

struct AllProcessors::Mask {
  cpu_set_t processors;
};

AllProcessors::AllProcessors() : before_(new Mask) {
  Mask all;
  bool known = sched_getaffinity(0, sizeof(cpu_set_t), &before_->processors) == 0;
  all        = *before_;
  std::error_code unreadable;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", unreadable)) {
    Mask other;
    if (sched_getaffinity(std::atoi(thread.path().filename().c_str()), sizeof(cpu_set_t), &other.processors) == 0)
      CPU_OR(&all.processors, &all.processors, &other.processors);
  }
  known = known && sched_setaffinity(0, sizeof(cpu_set_t), &all.processors) == 0;
  if (known) return;
  delete before_;
  before_ = nullptr;
}

AllProcessors::~AllProcessors() {
  if (before_ != nullptr) sched_setaffinity(0, sizeof(cpu_set_t), &before_->processors);
  delete before_;
}

}  // namespace Tegula::Perf

#else

namespace Tegula::Perf {

struct AllProcessors::Mask {};
AllProcessors::AllProcessors() : before_(nullptr) {}
AllProcessors::~AllProcessors() = default;

}  // namespace Tegula::Perf

#endif
