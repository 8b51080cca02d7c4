// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CUDA_STEP_CLOCK_HPP
#define TEGULA_CUDA_STEP_CLOCK_HPP

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "Tegula_CudaDevice.hpp"
#include "Tegula_StepClock.hpp"

namespace Tegula::Impl {

#ifdef KOKKOS_ENABLE_CUDA

/// Keeps a stream waiting while this lives, and waits for the stream then. What is queued in between runs without
/// gaps, as long as it would take the host to launch it. A host that itself waits for the stream, as tools of Kokkos'
/// make it do, is let go after a while.
class StreamGate {
 public:
  explicit StreamGate(cudaStream_t stream) : stream_(stream) {
    check_cuda(cudaLaunchHostFunc(stream, &wait, this), "cudaLaunchHostFunc");
  }
  ~StreamGate() {
    is_open_ = true;
    cudaStreamSynchronize(stream_);  // who reads the events will find an error
  }
  StreamGate(const StreamGate&)            = delete;
  StreamGate& operator=(const StreamGate&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  static void wait(void* gate) {
    constexpr std::chrono::milliseconds longest(10);
    for (const auto begun = Clock::now(); Clock::now() - begun < longest;) {
      if (static_cast<StreamGate*>(gate)->is_open_) return;
      std::this_thread::yield();
    }
  }

  cudaStream_t stream_;
  std::atomic<bool> is_open_ = false;
};

/// Times steps by events on the instance's stream.
template <>
class StepClock<Kokkos::Cuda> final : public StepObserver {
 public:
  explicit StepClock(const Kokkos::Cuda& exec) : exec_(exec) {}
  ~StepClock() {
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  StepClock(const StepClock&)            = delete;
  StepClock& operator=(const StepClock&) = delete;

  void begin(const std::string& label) override {
    labels_.push_back(label);
    record(2 * labels_.size() - 2);
  }
  void end() override { record(2 * labels_.size() - 1); }

  template <class Run>
  std::vector<TimedStep> time(const Run& run) {
    labels_.clear();
    {
      const StreamGate gate(exec_.cuda_stream());
      run();
    }
    std::vector<TimedStep> steps;
    for (const std::string& label : labels_) steps.push_back({label, seconds_of(steps.size())});
    return steps;
  }

 private:
  void record(std::size_t number) {
    make_current(exec_);
    if (events_.size() <= number) {
      cudaEvent_t event = nullptr;
      check_cuda(cudaEventCreate(&event), "cudaEventCreate");
      events_.push_back(event);
    }
    check_cuda(cudaEventRecord(events_[number], exec_.cuda_stream()), "cudaEventRecord");
  }

  double seconds_of(std::size_t step) const {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, events_[2 * step], events_[2 * step + 1]), "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }

  Kokkos::Cuda exec_;
  std::vector<std::string> labels_;
  std::vector<cudaEvent_t> events_;  // two for each label
};

inline bool is_captured(const Kokkos::Cuda& exec) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t error        = cudaStreamIsCapturing(exec.cuda_stream(), &status);
  if (error == cudaErrorStreamCaptureImplicit) {  // CUDA's default stream, while another one is captured
    cudaGetLastError();
    return true;
  }
  check_cuda(error, "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

#endif

}  // namespace Tegula::Impl

#endif
