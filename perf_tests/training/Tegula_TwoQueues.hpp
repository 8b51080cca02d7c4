// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TWO_QUEUES_HPP
#define TEGULA_TWO_QUEUES_HPP

#include <Kokkos_Core.hpp>
#if defined(KOKKOS_ENABLE_CUDA)
#include "Tegula_PerfCuda.hpp"
#endif

namespace Tegula::Training {

/// A main queue, and a side queue for work that may run beside it:
///
///   fork()  what follows on the side waits for what the main queue has so far
///   join()  what follows on the main queue waits for what the side has so far
///
/// Where an execution space has one queue, they are the same, and work on the side runs where it is queued.
template <class ExecutionSpace>
class TwoQueues {
 public:
  const ExecutionSpace& main() const { return exec_; }
  const ExecutionSpace& side() const { return exec_; }
  void fork() const {}
  void join() const {}

 private:
  ExecutionSpace exec_;
};

#if defined(KOKKOS_ENABLE_CUDA)

/// Two streams. The main one goes first wherever there is room for teams of either, and the side fills what is left. A
/// capture that begins on the main one has both, and fork and join are edges of its graph.
template <>
class TwoQueues<Kokkos::Cuda> {
 public:
  const Kokkos::Cuda& main() const { return main_; }
  const Kokkos::Cuda& side() const { return side_; }
  void fork() const { forked_.put_between(main_stream_, side_stream_); }
  void join() const { joined_.put_between(side_stream_, main_stream_); }

 private:
  struct Stream {
    explicit Stream(bool is_first) {
      int least = 0, greatest = 0;
      Perf::check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
      Perf::check_cuda(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, is_first ? greatest : least),
                       "cudaStreamCreateWithPriority");
    }
    Stream(const Stream&)            = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { cudaStreamDestroy(stream); }

    cudaStream_t stream = nullptr;
  };

  struct Event {
    Event() { Perf::check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags"); }
    Event(const Event&)            = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { cudaEventDestroy(event); }

    void put_between(const Stream& first, const Stream& second) const {
      Perf::check_cuda(cudaEventRecord(event, first.stream), "cudaEventRecord");
      Perf::check_cuda(cudaStreamWaitEvent(second.stream, event, 0), "cudaStreamWaitEvent");
    }

    cudaEvent_t event = nullptr;
  };

  Stream main_stream_{true}, side_stream_{false};  // destroyed behind the instances that use them
  Kokkos::Cuda main_{main_stream_.stream}, side_{side_stream_.stream};
  Event forked_, joined_;
};

#endif

}  // namespace Tegula::Training

#endif
