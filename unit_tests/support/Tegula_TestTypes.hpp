// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_TYPES_HPP
#define TEGULA_TEST_TYPES_HPP

#include <gtest/gtest.h>

#include <Tegula.hpp>
#include <string>
#include <type_traits>

/// The types that typed tests run over: every enabled execution space x layout x scalar.

namespace Tegula::Test {

template <class... Types>
struct TypeList {};

template <class... Lists>
struct Concatenate;
template <class... A>
struct Concatenate<TypeList<A...>> {
  using type = TypeList<A...>;
};
template <class... A, class... B, class... Lists>
struct Concatenate<TypeList<A...>, TypeList<B...>, Lists...> {
  using type = typename Concatenate<TypeList<A..., B...>, Lists...>::type;
};

template <bool condition, class Type>
using If = std::conditional_t<condition, TypeList<Type>, TypeList<>>;

using HostSpaces = typename Concatenate<
#ifdef KOKKOS_ENABLE_SERIAL
    TypeList<Kokkos::Serial>,
#endif
#ifdef KOKKOS_ENABLE_OPENMP
    TypeList<Kokkos::OpenMP>,
#endif
#ifdef KOKKOS_ENABLE_THREADS
    TypeList<Kokkos::Threads>,
#endif
    TypeList<>>::type;

using Spaces = typename Concatenate<HostSpaces,
#ifdef KOKKOS_ENABLE_CUDA
                                    TypeList<Kokkos::Cuda>,
#endif
#ifdef KOKKOS_ENABLE_HIP
                                    TypeList<Kokkos::HIP>,
#endif
                                    TypeList<>>::type;

#ifdef TEGULA_TEST_SCALAR  // of a source file that is compiled once for each
using Scalars = TypeList<TEGULA_TEST_SCALAR>;
#else
// Without a device the 16-bit types are float, and are tested as such.
using Scalars =
    typename Concatenate<TypeList<double, float>, If<TEGULA_HAS_HALF, half_t>, If<TEGULA_HAS_BHALF, bhalf_t>>::type;
#endif

using Layouts = TypeList<Kokkos::LayoutRight, Kokkos::LayoutLeft, Kokkos::LayoutStride>;

/// One element of the product of the lists.
template <class SpaceType, class LayoutType, class ScalarType>
struct Case {
  using Space  = SpaceType;
  using Layout = LayoutType;
  using Scalar = ScalarType;
};

template <class SpaceList, class LayoutList, class ScalarList>
struct Cases;
template <class... S, class... L, class ScalarList>
struct Cases<TypeList<S...>, TypeList<L...>, ScalarList> {
  template <class Space, class Layout, class List>
  struct Row;
  template <class Space, class Layout, class... T>
  struct Row<Space, Layout, TypeList<T...>> {
    using type = TypeList<Case<Space, Layout, T>...>;
  };
  template <class Space>
  using of_space = typename Concatenate<typename Row<Space, L, ScalarList>::type...>::type;
  using type     = typename Concatenate<of_space<S>...>::type;
};

template <class List>
struct GoogleTypes;
template <class... Types>
struct GoogleTypes<TypeList<Types...>> {
  using type = testing::Types<Types...>;
};

using AllCases = typename GoogleTypes<typename Cases<Spaces, Layouts, Scalars>::type>::type;
using SpaceScalarCases =
    typename GoogleTypes<typename Cases<Spaces, TypeList<Kokkos::LayoutRight>, Scalars>::type>::type;
using SpaceCases =
    typename GoogleTypes<typename Cases<Spaces, TypeList<Kokkos::LayoutRight>, TypeList<double>>::type>::type;

template <class Layout>
constexpr const char* layout_name() {
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>) return "Right";
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>) return "Left";
  return "Stride";
}

/// Names a test's instance "Serial_Right_f32", so that filters can pick a space.
struct CaseName {
  template <class Case>
  static std::string GetName(int) {
    std::string name = Case::Space::name();
    return name + '_' + layout_name<typename Case::Layout>() + '_' + ScalarTraits<typename Case::Scalar>::name;
  }
};

}  // namespace Tegula::Test

#endif
