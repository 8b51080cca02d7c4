// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_ACTIVATION_KERNELS_HPP
#define TEGULA_ACTIVATION_KERNELS_HPP

#include "Tegula_CallableRef.hpp"
#include "Tegula_CudaCall.hpp"
#include "Tegula_CudaSpace.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_Plan.hpp"

/// The kernels of gemm that tegula_add_activation compiles with a user's activation. The families whose kernels they
/// are launch them in place of those that choose among Tegula's activations.

namespace Tegula::Impl {

/// The families whose kernels are compiled with a user's activation. Others leave it to a pass.
enum class FusingFamily { mma, wgmma, simt };

/// Those of one element type of A and B. Null: there is no such kernel.
template <class Bits>
struct ActivationKernels {
  /// Queues the kernel of a product whose sums are not split. Calls before() when all that can fail is ready.
  using Launch = void (*)(const Kokkos::Cuda& exec, const ProductCall<Bits>& call, const Plan& plan,
                          const ProductPlan& product, const CallableRef& before);

  /// The same, of a product of which at least some are not. The slices of the others go to the workspace.
  using LaunchWithSlices = void (*)(const Kokkos::Cuda& exec, const ProductCall<Bits>& call, const Plan& plan,
                                    const ProductPlan& product, float* slices, const CallableRef& before);

  /// Queues the addition of the slices that a product left in its workspace.
  using AddSlices = void (*)(const Kokkos::Cuda& exec, const KernelLabel& label, const ProductCall<Bits>& call,
                             const ProductPlan& product, char* workspace);

  Launch mma = nullptr, simt = nullptr;
  LaunchWithSlices wgmma = nullptr;
  AddSlices add_slices   = nullptr;

  bool has(FusingFamily family) const {
    switch (family) {
      case FusingFamily::mma:
        return mma != nullptr;
      case FusingFamily::wgmma:
        return wgmma != nullptr;
      case FusingFamily::simt:
        return simt != nullptr;
    }
    return false;
  }
};

struct CompiledActivation {
  ActivationKernels<std::uint16_t> f16, bf16;
  ActivationKernels<float> f32;
  ActivationKernels<double> f64;

  /// Those for elements of a type that operands are passed on as.
  template <class Bits>
  const ActivationKernels<Bits>& of(Element input) const {
    if constexpr (std::is_same_v<Bits, double>) {
      return f64;
    } else if constexpr (std::is_same_v<Bits, float>) {
      return f32;
    } else {
      return input == Element::bf16 ? bf16 : f16;
    }
  }
};

/// The kernels that apply a product's activation in place of those of the library; null if there are none.
template <class Bits>
const ActivationKernels<Bits>* own_kernels(const ProductCall<Bits>& call) {
  return call.compiled.kernels == nullptr ? nullptr : &call.compiled.kernels->template of<Bits>(call.input);
}

/// The same for the kernel of a product: slices of sums know no activation.
template <class Bits>
const ActivationKernels<Bits>* own_kernels(const ProductCall<Bits>& call, const ProductPlan& product) {
  return product.split_k > 1 && product.whole_waves == 0 ? nullptr : own_kernels(call);
}

/// The kernels of a family with an activation, for F16, Bf16, float or double as Input. What
/// tegula_add_activation generates instantiates them.
template <class Input, class Activation>
struct MmaWith {
  static void launch(const Kokkos::Cuda& exec, const ProductCall<bits_t<Input>>& call, const Plan& plan,
                     const ProductPlan& product, const CallableRef& before);
  static void add_slices(const Kokkos::Cuda& exec, const KernelLabel& label, const ProductCall<bits_t<Input>>& call,
                         const ProductPlan& product, char* workspace);
};
template <class Activation>
struct SimtWith {
  static void launch(const Kokkos::Cuda& exec, const ProductCall<float>& call, const Plan& plan,
                     const ProductPlan& product, const CallableRef& before);
  static void add_slices(const Kokkos::Cuda& exec, const KernelLabel& label, const ProductCall<float>& call,
                         const ProductPlan& product, char* workspace);
};
template <class Input, class Activation>
struct WgmmaWith {
  static void launch(const Kokkos::Cuda& exec, const HalfCall& call, const Plan& plan, const ProductPlan& product,
                     float* slices, const CallableRef& before);
};

/// All kernels that there are for an element type in this build.
template <class Input, class Activation>
constexpr ActivationKernels<bits_t<Input>> kernels_with() {
  static_assert(
      std::is_trivially_copyable_v<Activation> && sizeof(Activation) <= 256,
      "tegula_add_activation: the functor is a parameter of kernels, so it must be trivially copyable and have "
      "256 bytes at most");
  using Family = std::conditional_t<std::is_same_v<Input, float>, SimtWith<Activation>, MmaWith<Input, Activation>>;
  ActivationKernels<bits_t<Input>> kernels;
  (std::is_same_v<Input, float> ? kernels.simt : kernels.mma) = Family::launch;
  kernels.add_slices                                          = Family::add_slices;
#if TEGULA_HAS_WGMMA
  if constexpr (sizeof(Input) == 2) kernels.wgmma = WgmmaWith<Input, Activation>::launch;
#endif
  return kernels;
}

}  // namespace Tegula::Impl

#endif
