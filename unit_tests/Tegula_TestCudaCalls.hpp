// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_CALLS_HPP
#define TEGULA_TEST_CUDA_CALLS_HPP

#include <array>
#include <string>

#include "Tegula_TestStridedMatrix.hpp"

/// Calls on a GPU of NVIDIA, by any family that there is: with bhalf_t throughout, which the library has compiled for
/// all of them, and compiled once for all tests.

namespace Tegula::Test {

inline constexpr std::array<const char*, 3> cuda_families{"portable", "mma", "wgmma"};

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

/// Without a workspace one is allocated, and the call fenced.
void queue(const Kokkos::Cuda& exec, const CudaForward& call, const PlanOptions& plan,
           const CudaWorkspace& workspace = {});
void queue(const Kokkos::Cuda& exec, const CudaBackward& call, const PlanOptions& plan,
           const CudaWorkspace& workspace = {});

Plan plan_of(const Kokkos::Cuda& exec, const CudaForward& call, const PlanOptions& plan);
Plan plan_of(const Kokkos::Cuda& exec, const CudaBackward& call, const PlanOptions& plan);

/// A layer of a network, whose results are compared bit by bit.
class CudaLayer {
 public:
  /// Addresses and lines are multiples of `alignment` elements, or of any kind if that is 1.
  CudaLayer(Random& random, const GemmShape& shape, const PlanOptions& plan, std::int64_t alignment);

  /// Queues the forward pass, and the backward pass behind it. Fences nothing, and allocates nothing.
  void queue(const Kokkos::Cuda& exec) const;

  /// New inputs where the old ones were. Results become poison (NaN), so that they must be written anew.
  void redraw(Random& random) const;
  void forget_results() const;

  CudaForward forward() const { return {A_.view(), B_.view(), bias_.row(), C_.view()}; }
  CudaBackward backward() const {
    return {dC_.view(), A_.view(), B_.view(), C_.view(), dA_.view(), dB_.view(), dbias_.row()};
  }
  const CudaWorkspace& workspace() const { return workspace_; }

  /// C, dA, dB and dbias as they are now, one behind the other.
  std::vector<double> results() const;

 private:
  using Matrix = StridedMatrix<Kokkos::CudaSpace, bhalf_t>;

  GemmShape shape_;
  PlanOptions plan_;
  Matrix A_, B_, bias_, dC_, C_, dA_, dB_, dbias_;
  CudaWorkspace workspace_;
};

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
