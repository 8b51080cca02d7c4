// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_CALLS_HPP
#define TEGULA_TEST_CUDA_CALLS_HPP

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "Tegula_TestStridedMatrix.hpp"

/// Calls on a GPU of NVIDIA, by any family that there is, compiled once for all tests.

namespace Tegula::Test {

/// Families as tests name them: one that takes elements of several types has a name for each. The others take bhalf_t
/// here, portable and mma as wgmma.
inline constexpr std::array<const char*, 7> cuda_families{"portable", "mma",        "wgmma", "mma_f64",
                                                          "simt",     "fp32_split", "tf32"};
inline constexpr std::array<const char*, 3> cuda_bhalf_families{"portable", "mma", "wgmma"};

/// Why a family cannot run here; empty if it can. Asks the library nothing: that would be its first use.
std::string why_not(const std::string& family);

using CudaMatrix    = Kokkos::View<bhalf_t**, Kokkos::LayoutStride, Kokkos::CudaSpace>;
using CudaVector    = Kokkos::View<bhalf_t*, Kokkos::LayoutStride, Kokkos::CudaSpace>;
using CudaWorkspace = Workspace<Kokkos::Cuda>;

/// What C = relu(A B + bias) reads and writes.
struct CudaForward {
  CudaMatrix A, B;
  CudaVector bias;
  CudaMatrix C;
};

/// What the gradients of it read and write. C is saved.
struct CudaBackward {
  CudaMatrix dC, A, B, C, dA, dB;
  CudaVector dbias;
};

/// A workspace is allocated, and the call fenced.
void run(const CudaForward& call, const PlanOptions& plan);
void run(const CudaBackward& call, const PlanOptions& plan);

Plan plan_of(const CudaForward& call, const PlanOptions& plan);

/// A layer of a network, whose results are compared bit by bit.
class CudaLayer {
 public:
  virtual ~CudaLayer() = default;

  /// Queues the forward pass, and the backward pass behind it. Fences nothing, and allocates nothing.
  virtual void queue(const Kokkos::Cuda& exec) const = 0;
  /// How that is planned.
  virtual std::array<Plan, 2> plans(const Kokkos::Cuda& exec) const = 0;

  /// New inputs where the old ones were. Results become poison (NaN), so that they must be written anew.
  virtual void redraw(Random& random) const = 0;
  virtual void forget_results() const       = 0;

  /// C, dA, dB and dbias as they are now, one behind the other.
  virtual std::vector<double> results() const = 0;

  const CudaWorkspace& workspace() const { return workspace_; }

 protected:
  explicit CudaLayer(const CudaWorkspace& workspace) : workspace_(workspace) {}

  CudaWorkspace workspace_;
};

/// A layer for a family of `cuda_families`; split_k = 0 leaves that to the planner. Addresses and lines are multiples
/// of `alignment` elements, or of any kind if that is 1.
std::shared_ptr<const CudaLayer> make_layer(Random& random, const GemmShape& shape, const std::string& family,
                                            int split_k, std::int64_t alignment);
using CudaLayers = std::vector<std::shared_ptr<const CudaLayer>>;

/// Whether nobody wrote any of them.
bool are_poison(const std::vector<double>& results);

/// Whether all were written, and are the same numbers bit by bit.
bool are_same_numbers(const std::vector<double>& first, const std::vector<double>& second);

/// A stream, and the execution space's instance on it.
class CudaStream {
 public:
  const Kokkos::Cuda& exec() const { return exec_; }

 private:
  // Outlives the instance.
  struct Stream {
    cudaStream_t stream = nullptr;
    Stream() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
    ~Stream() { cudaStreamDestroy(stream); }
    Stream(const Stream&)            = delete;
    Stream& operator=(const Stream&) = delete;
  };

  Stream stream_;
  Kokkos::Cuda exec_{stream_.stream};
};

}  // namespace Tegula::Test

#endif
