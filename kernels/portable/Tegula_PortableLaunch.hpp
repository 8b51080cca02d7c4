// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_LAUNCH_HPP
#define TEGULA_PORTABLE_LAUNCH_HPP

#include <concepts>

#include "Tegula_Instances.hpp"
#include "Tegula_KernelLabel.hpp"
#include "Tegula_LaunchTeams.hpp"
#include "Tegula_PortableKernel.hpp"
#include "Tegula_StepObserver.hpp"
#include "Tegula_WithConfig.hpp"
#include "product/Tegula_AnyProducts.hpp"
#include "reduce/Tegula_SplitKReduce.hpp"

/// From planned products to kernels on the execution space.

namespace Tegula::Impl {

/// Whether every operand of a product can be read by packs.
template <class Product>
bool packs_are_whole(const Product& product) {
  constexpr int pack = pack_size<typename Product::accumulator>;
  return packs_are_whole<pack>(product.left, product.shape.k) && packs_are_whole<pack>(product.right, product.shape.k);
}

/// Whether a kernel is compiled for reading by packs, and again for reading element by element, which is faster. Where
/// element types are data, one kernel does both.
template <class Product>
inline constexpr bool has_two_kernels = true;
template <class T>
inline constexpr bool has_two_kernels<AnyGemmProduct<T>> = false;
template <class T>
inline constexpr bool has_two_kernels<AnyGradientProduct<T>> = false;

/// Queues the kernel of all products, then the reduction of those with split-k.
template <class Tile, class Accumulator, std::convertible_to<bool> ByPacks, class ExecutionSpace, class... Products>
void queue_products(const ExecutionSpace& exec, const Plan& plan, ByPacks by_packs, const Products&... products) {
  using Kernel            = PortableKernel<ExecutionSpace, Tile, Accumulator, ByPacks, Products...>;
  const KernelLabel label = sizeof...(Products) == 1 ? KernelLabel(plan, plan.products[0]) : KernelLabel(plan);
  const Kernel kernel{ProductList<Products...>(products...), by_packs, plan.scratch_level};
  const typename Kernel::policy policy(exec, static_cast<int>(plan.teams()), Tile::threads);
  launch_observed(label,
                  [&] { launch_teams(label.if_heard(), policy, plan.scratch_bytes, kernel, plan.scratch_level); });
  auto planned = plan.products.begin();
  (launch_split_k_reduce<Accumulator>(exec, KernelLabel(plan, *planned++), products), ...);
}

/// The same with the kernel that reads as the operands lie. A team of one thread has one way to read.
template <class Tile, class Accumulator, class ExecutionSpace, class... Products>
void queue_products_as_they_lie(const ExecutionSpace& exec, const Plan& plan, const Products&... products) {
  if constexpr (Tile::threads == 1) {
    queue_products<Tile, Accumulator>(exec, plan, Known<false>(), products...);
  } else {
    const bool by_packs = (... && packs_are_whole(products));
    if constexpr (!(... && has_two_kernels<Products>)) {
      queue_products<Tile, Accumulator>(exec, plan, by_packs, products...);
    } else if (by_packs) {
      queue_products<Tile, Accumulator>(exec, plan, Known<true>(), products...);
    } else {
      queue_products<Tile, Accumulator>(exec, plan, Known<false>(), products...);
    }
  }
}

/// The tiles of an execution space that products have kernels of. On CUDA the gradients that the library compiles have
/// the smallest only: where products are so large that another tile is better, so is a pass that forms dZ first.
template <class ExecutionSpace, class T, class... Products>
struct TilesOf {
  using type = typename PortableTiles<is_host_space<ExecutionSpace>, T>::type;
};
template <class ExecutionSpace, class T, class Gradient, class Operand>
requires has_cuda_families<ExecutionSpace>
struct TilesOf<ExecutionSpace, T, Product<T, Gradient, Operand, AnyGradientResult<T>>,
               Product<T, Gradient, Operand, AnyGradientResult<T>>> {
  using type = TileList<typename PortableTiles<false, T>::smallest>;
};

/// Queues the products with the plan's tile.
template <class T, class ExecutionSpace, class... Products>
void launch_products(const ExecutionSpace& exec, const Plan& plan, const Products&... products) {
  if (plan.teams() == 0) return;  // only sums of the layer below are left
  with_config(typename TilesOf<ExecutionSpace, T, Products...>::type(), plan, plan.tile(),
              [&]<class Tile>() { queue_products_as_they_lie<Tile, T>(exec, plan, products...); });
}

/// The activations that gradients have kernels of their own for. On CUDA others cost a pass at most.
template <class ExecutionSpace>
using FormedBy = std::conditional_t<has_cuda_families<ExecutionSpace>, OutputActivations, BuiltInActivations>;

// What the library holds: kernels that find out element types and activations as they go, and on devices, whose calls
// have no faster family or are too small for one, kernels for operands of one type, too. Everything else is compiled
// where it is used.
#define TEGULA_PORTABLE_GEMM(PREFIX, SPACE, T, STORAGE) \
  PREFIX template void launch_products<T>(const SPACE&, const Plan&, const UniformGemmProduct<T, STORAGE>&);
#define TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, ACTIVATION)                         \
  PREFIX template void launch_products<T>(const SPACE&, const Plan&,                             \
                                          const UniformGradientProduct<T, STORAGE, ACTIVATION>&, \
                                          const UniformGradientProduct<T, STORAGE, ACTIVATION>&);
#define TEGULA_PORTABLE_BY_OUTPUT(PREFIX, SPACE, T, STORAGE)      \
  TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, Identity)  \
  TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, Relu)      \
  TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, LeakyRelu) \
  TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, Tanh)      \
  TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, Sigmoid)
#define TEGULA_PORTABLE_BY_PRE_ACTIVATION(PREFIX, SPACE, T, STORAGE) \
  TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, Silu)         \
  TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, GeluTanh)     \
  TEGULA_PORTABLE_GRADIENTS(PREFIX, SPACE, T, STORAGE, GeluErf)
#define TEGULA_PORTABLE_UNIFORM(PREFIX, T, STORAGE)                  \
  TEGULA_OTHER_SPACES(TEGULA_PORTABLE_GEMM, PREFIX, T, STORAGE)      \
  TEGULA_OTHER_SPACES(TEGULA_PORTABLE_BY_OUTPUT, PREFIX, T, STORAGE) \
  TEGULA_SPACES_WITHOUT_PASSES(TEGULA_PORTABLE_BY_PRE_ACTIVATION, PREFIX, T, STORAGE)
#define TEGULA_PORTABLE_ANY_GEMM(PREFIX, SPACE, T) \
  PREFIX template void launch_products<T>(const SPACE&, const Plan&, const AnyGemmProduct<T>&);
#define TEGULA_PORTABLE_ANY_GRADIENTS(PREFIX, SPACE, T)                                            \
  PREFIX template void launch_products<T>(const SPACE&, const Plan&, const AnyGradientProduct<T>&, \
                                          const AnyGradientProduct<T>&);
#define TEGULA_PORTABLE_ANY(PREFIX)                                 \
  TEGULA_OTHER_SPACES(TEGULA_PORTABLE_ANY_GEMM, PREFIX, float)      \
  TEGULA_OTHER_SPACES(TEGULA_PORTABLE_ANY_GRADIENTS, PREFIX, float) \
  TEGULA_ON_CUDA(TEGULA_PORTABLE_ANY_GRADIENTS, PREFIX, double)
#define TEGULA_PORTABLE_HOST(PREFIX, T)                   \
  TEGULA_HOST_SPACES(TEGULA_PORTABLE_ANY_GEMM, PREFIX, T) \
  TEGULA_HOST_SPACES(TEGULA_PORTABLE_ANY_GRADIENTS, PREFIX, T)
TEGULA_PORTABLE_UNIFORM(extern, double, double)
TEGULA_PORTABLE_UNIFORM(extern, float, float)
#if TEGULA_HAS_HALF
TEGULA_PORTABLE_UNIFORM(extern, float, half_t)
#endif
#if TEGULA_HAS_BHALF
TEGULA_PORTABLE_UNIFORM(extern, float, bhalf_t)
#endif
TEGULA_PORTABLE_ANY(extern)
TEGULA_PORTABLE_HOST(extern, double)
TEGULA_PORTABLE_HOST(extern, float)

}  // namespace Tegula::Impl

#endif
