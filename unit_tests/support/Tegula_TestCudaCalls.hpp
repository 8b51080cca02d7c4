// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_CUDA_CALLS_HPP
#define TEGULA_TEST_CUDA_CALLS_HPP

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "Tegula_TestFamilies.hpp"
#include "Tegula_TestStridedMatrix.hpp"

/// Calls on a GPU of NVIDIA, by any family that there is, compiled once for all tests.

namespace Tegula::Test {

enum class CudaElement { bhalf, f32, f64 };

/// How the matrices of a layer must lie.
enum class CudaLines {
  any,
  runs,         ///< all alike, with contiguous rows or columns
  aligned,      ///< all alike, in runs of 16 bytes
  without_gaps  ///< all alike, in rows without gaps or in contiguous columns
};

/// A family with elements that it takes, and which calls it takes. A layer of a network is a call of gemm and one of
/// gemm_backward; the planner chooses for the one that the family leaves to others.
struct CudaWay {
  const char* name;  ///< of tests; of a family, unless it takes elements of several types
  const char* family;
  CudaElement element;
  bool takes_gemm = true, takes_backward = true;
  Compute compute     = Compute::native;
  std::int64_t most_n = 0, most_k = 0;  ///< 0: any
  std::int64_t long_rows = 1;           ///< so many times as many rows as a shape has are wanted
  CudaLines lines        = CudaLines::any;
  bool splits            = true;  ///< obeys split_k

  /// A shape made one that the family takes.
  GemmShape fit(const GemmShape& shape) const;
};

/// The same way with elements of double, of which fewer columns may fit.
constexpr CudaWay in_double(CudaWay way, const char* name, std::int64_t most_n) {
  way.name    = name;
  way.element = CudaElement::f64;
  way.most_n  = most_n;
  return way;
}

inline constexpr CudaWay gemv_way{.name           = "gemv",
                                  .family         = "gemv",
                                  .element        = CudaElement::f32,
                                  .takes_backward = false,
                                  .most_n         = 16,
                                  .long_rows      = 16};
inline constexpr CudaWay stream_way{.name           = "stream",
                                    .family         = "stream",
                                    .element        = CudaElement::f32,
                                    .takes_backward = false,
                                    .most_n         = 32,
                                    .most_k         = 32,
                                    .long_rows      = 8,
                                    .lines          = CudaLines::without_gaps,
                                    .splits         = false};
/// The same way with 16 bits, and wider matrices.
constexpr CudaWay in_bhalf(CudaWay way, const char* name, std::int64_t most_n, std::int64_t most_k) {
  way.name    = name;
  way.element = CudaElement::bhalf;
  way.most_n  = most_n;
  way.most_k  = most_k;
  return way;
}

inline constexpr CudaWay tall_way{.name       = "tall",
                                  .family     = "tall",
                                  .element    = CudaElement::f32,
                                  .takes_gemm = false,
                                  .most_n     = 32,
                                  .most_k     = 32,
                                  .long_rows  = 8,
                                  .lines      = CudaLines::aligned,
                                  .splits     = false};
/// All gradients of sums of up to 32 products.
constexpr CudaWay shallow_way(const char* name, CudaElement element) {
  return {.name       = name,
          .family     = "shallow",
          .element    = element,
          .takes_gemm = false,
          .most_k     = 32,
          .lines      = element == CudaElement::bhalf ? CudaLines::runs : CudaLines::any,
          .splits     = false};
}

inline constexpr CudaWay panel_way{.name           = "panel",
                                   .family         = "panel",
                                   .element        = CudaElement::f64,
                                   .takes_backward = false,
                                   .most_k         = 128,
                                   .lines          = CudaLines::aligned,
                                   .splits         = false};

/// Sums of up to `most_k` products.
constexpr CudaWay outer_way(const char* name, CudaElement element, std::int64_t most_k) {
  return {
      .name = name, .family = "outer", .element = element, .takes_backward = false, .most_k = most_k, .splits = false};
}

inline constexpr CudaWay outer_mma_way{.name           = "outer_mma",
                                       .family         = "outer_mma",
                                       .element        = CudaElement::bhalf,
                                       .takes_backward = false,
                                       .most_k         = 64,
                                       .lines          = CudaLines::runs,
                                       .splits         = false};

inline constexpr CudaWay narrow_way{.name           = "narrow",
                                    .family         = "narrow",
                                    .element        = CudaElement::bhalf,
                                    .takes_backward = false,
                                    .most_n         = 32,
                                    .lines          = CudaLines::runs,
                                    .splits         = false};

/// All gradients, with few rows or columns.
inline constexpr CudaWay narrow_gradients_way{.name       = "narrow_gradients",
                                              .family     = "narrow",
                                              .element    = CudaElement::bhalf,
                                              .takes_gemm = false,
                                              .most_n     = 32,
                                              .lines      = CudaLines::runs,
                                              .splits     = false};

inline constexpr auto cuda_ways = std::to_array<CudaWay>({
    {.name = "portable", .family = "portable", .element = CudaElement::bhalf},
    {.name = "portable_f32", .family = "portable", .element = CudaElement::f32},
    {.name = "portable_f64", .family = "portable", .element = CudaElement::f64},
    {.name = "direct", .family = "direct", .element = CudaElement::bhalf, .splits = false},
    {.name = "direct_f32", .family = "direct", .element = CudaElement::f32, .splits = false},
    {.name = "direct_f64", .family = "direct", .element = CudaElement::f64, .splits = false},
    outer_way("outer", CudaElement::bhalf, 32),
    outer_way("outer_f32", CudaElement::f32, 32),
    outer_way("outer_f64", CudaElement::f64, 16),
    outer_mma_way,
    {.name = "mma", .family = "mma", .element = CudaElement::bhalf},
    {.name = "wgmma", .family = "wgmma", .element = CudaElement::bhalf},
    {.name = "mma_f64", .family = "mma", .element = CudaElement::f64},
    {.name = "mma_tf32", .family = "mma", .element = CudaElement::f32, .compute = Compute::tf32},
    {.name = "simt", .family = "simt", .element = CudaElement::f32},
    {.name = "fp32_split", .family = "fp32_split", .element = CudaElement::f32, .compute = Compute::fp32_split},
    {.name = "tf32", .family = "tf32", .element = CudaElement::f32, .compute = Compute::tf32},
    {.name = "tf32x3", .family = "tf32x3", .element = CudaElement::f32, .compute = Compute::fp32_split},
    narrow_way,
    in_double(narrow_way, "narrow_f64", 32),
    narrow_gradients_way,
    gemv_way,
    in_double(gemv_way, "gemv_f64", 8),
    stream_way,
    in_double(stream_way, "stream_f64", 32),
    in_bhalf(stream_way, "stream_bf16", 32, 128),
    panel_way,
    tall_way,
    in_double(tall_way, "tall_f64", 32),
    shallow_way("shallow", CudaElement::bhalf),
    shallow_way("shallow_f32", CudaElement::f32),
    shallow_way("shallow_f64", CudaElement::f64),
});

/// Their names, for tests with parameters.
inline constexpr auto cuda_way_names = [] {
  std::array<const char*, cuda_ways.size()> names{};
  for (std::size_t w = 0; w < names.size(); ++w) names[w] = cuda_ways[w].name;
  return names;
}();

const CudaWay& way_named(const std::string& name);

template <class T>
using CudaMatrix = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::CudaSpace>;
template <class T>
using CudaVector    = Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::CudaSpace>;
using CudaWorkspace = Workspace<Kokkos::Cuda>;

/// What C = relu(A B + bias) reads and writes.
template <class T>
struct CudaForward {
  CudaMatrix<T> A, B;
  CudaVector<T> bias;
  CudaMatrix<T> C;
};

/// What its gradients read and write. C is saved.
template <class T>
struct CudaBackward {
  CudaMatrix<T> dC, A, B, C, dA, dB;
  CudaVector<T> dbias;
};

/// Plan and run it by the family of a way, for T one of bhalf_t, float and double, without a workspace.
template <class T>
void run(const CudaForward<T>& call, const CudaWay& way, int split_k = 0);
template <class T>
void run(const CudaBackward<T>& call, const CudaWay& way);
template <class T>
Plan plan_of(const CudaForward<T>& call, const CudaWay& way, int split_k = 0);
template <class T>
Plan plan_of(const CudaBackward<T>& call, const CudaWay& way);

/// A layer of a network, whose results are compared bit by bit.
class CudaLayer {
 public:
  virtual ~CudaLayer() = default;

  /// Queues the forward pass, and the backward pass behind it. Fences nothing, and allocates nothing.
  virtual void queue(const Kokkos::Cuda& exec) const = 0;
  /// The same, with memory that the calls take for their workspaces.
  virtual void run_without_workspace(const Kokkos::Cuda& exec) const = 0;
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

/// A layer of about that shape for a way, by name, in the memory of exec's device; split_k = 0 leaves that to the
/// planner. Addresses and lines are multiples of `alignment` elements, or of any kind if that is 1, as far as the
/// family takes them.
std::shared_ptr<const CudaLayer> make_layer(Random& random, const GemmShape& shape, const std::string& way, int split_k,
                                            std::int64_t alignment, const Kokkos::Cuda& exec = Kokkos::Cuda());
using CudaLayers = std::vector<std::shared_ptr<const CudaLayer>>;

/// The results of a layer that runs alone.
std::vector<double> results_alone(const CudaLayer& layer, const Kokkos::Cuda& exec);

/// Whether nobody wrote any of them.
bool are_poison(const std::vector<double>& results);

/// Whether all were written, and are the same numbers bit by bit.
bool are_same_numbers(const std::vector<double>& first, const std::vector<double>& second);

/// Whether calls without a workspace take memory in the order of their stream, on the current device. Asks CUDA, not
/// the library.
inline bool has_memory_pools() {
  int device = 0, has_pools = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device);
  return has_pools != 0;
}

/// A stream, and the execution space's instance on it.
class CudaStream {
 public:
  /// Of a device, or of the current one.
  explicit CudaStream(int device = -1) : stream_(device), exec_(stream_.stream) {}
  const Kokkos::Cuda& exec() const { return exec_; }

 private:
  // Outlives the instance.
  struct Stream {
    cudaStream_t stream = nullptr;
    explicit Stream(int device) {
      int current = 0;
      cudaGetDevice(&current);
      if (device >= 0) cudaSetDevice(device);
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      cudaSetDevice(current);
    }
    ~Stream() { cudaStreamDestroy(stream); }
    Stream(const Stream&)            = delete;
    Stream& operator=(const Stream&) = delete;
  };

  Stream stream_;
  Kokkos::Cuda exec_;
};

/// Whether layers that run at once, each on an instance of its own and many times over, have the results that they have
/// alone, bit by bit. run(layer, exec) queues a layer.
template <class Run>
testing::AssertionResult keep_their_bits_at_once(const CudaLayers& layers, const Run& run) {
  const std::vector<CudaStream> streams(layers.size());
  std::vector<std::vector<double>> alone;
  for (std::size_t l = 0; l < layers.size(); ++l) alone.push_back(results_alone(*layers[l], streams[l].exec()));
  for (int round = 0; round < 5; ++round) {
    for (const auto& layer : layers) layer->forget_results();
    for (int repeat = 0; repeat < 10; ++repeat)
      for (std::size_t l = 0; l < layers.size(); ++l) run(*layers[l], streams[l].exec());
    for (const CudaStream& stream : streams) stream.exec().fence();
    for (std::size_t l = 0; l < layers.size(); ++l)
      if (!are_same_numbers(layers[l]->results(), alone[l]))
        return testing::AssertionFailure() << "layer " << l << ", round " << round;
  }
  return testing::AssertionSuccess();
}

}  // namespace Tegula::Test

#endif
