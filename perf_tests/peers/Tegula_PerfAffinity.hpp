// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_AFFINITY_HPP
#define TEGULA_PERF_AFFINITY_HPP

namespace Tegula::Perf {

/// While it lives, this thread may run wherever any thread of the process may. A library that starts threads of its own
/// hands them the processors of the thread that calls it, which is a single one where OMP_PROC_BIND has bound it: all
/// of its threads would share that.
class AllProcessors {
 public:
  AllProcessors();
  ~AllProcessors();
  AllProcessors(const AllProcessors&)            = delete;
  AllProcessors& operator=(const AllProcessors&) = delete;

 private:
  struct Mask;
  Mask* before_;  ///< null where nothing was changed
};

}  // namespace Tegula::Perf

#endif
