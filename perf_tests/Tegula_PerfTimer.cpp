// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfTimer.hpp"

#include <stdexcept>

#ifdef KOKKOS_ENABLE_CUDA
#include "Tegula_PerfCuda.hpp"
#endif

namespace Tegula::Perf {
namespace {

class WallTimer : public Timer {
 public:
  std::vector<double> seconds(int calls, const std::function<void()>& call) override {
    return {seconds_of(ExecutionSpace(), calls, call) / calls};
  }
};

#ifdef KOKKOS_ENABLE_CUDA

class EventTimer : public Timer {
 public:
  ~EventTimer() override {
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  }

  // The call that is not timed gives the host a lead, and all that are timed the same call before them.
  std::vector<double> seconds(int calls, const std::function<void()>& call) override {
    const cudaStream_t stream = Kokkos::Cuda().cuda_stream();
    call();
    for (int number = 0; number <= calls; ++number) {
      check_cuda(cudaEventRecord(event(number), stream), "cudaEventRecord");
      if (number < calls) call();
    }
    check_cuda(cudaEventSynchronize(event(calls)), "cudaEventSynchronize");
    std::vector<double> times;
    for (int number = 0; number < calls; ++number) times.push_back(seconds_between(number, number + 1));
    return times;
  }

 private:
  cudaEvent_t event(std::size_t number) {
    while (events_.size() <= number) {
      cudaEvent_t fresh = nullptr;
      check_cuda(cudaEventCreate(&fresh), "cudaEventCreate");
      events_.push_back(fresh);
    }
    return events_[number];
  }

  double seconds_between(int first, int second) {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, event(first), event(second)), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

  std::vector<cudaEvent_t> events_;
};

std::unique_ptr<Timer> make_event_timer() { return std::make_unique<EventTimer>(); }

#else

std::unique_ptr<Timer> make_event_timer() {
  throw std::invalid_argument("--timer events needs a build whose execution space is Cuda");
}

#endif

}  // namespace

std::unique_ptr<Timer> make_timer(Clock clock) {
  if (clock == Clock::wall) return std::make_unique<WallTimer>();
  return make_event_timer();
}

}  // namespace Tegula::Perf
