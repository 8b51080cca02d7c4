// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_COMPILED_ACTIVATION_HPP
#define TEGULA_COMPILED_ACTIVATION_HPP

/// Activations of a user's that CMake's tegula_add_activation compiles into Tegula's own kernels. Nothing here needs
/// Kokkos.

namespace Tegula::Impl {

/// The kernels that an activation is compiled into.
struct CompiledActivation;

/// Whether an activation is declared to be compiled into kernels.
template <class Activation>
inline constexpr bool is_declared_compiled = false;

/// The kernels of such an activation. Every call with it refers to this function, so that nothing links without what
/// tegula_add_activation compiles.
template <class Activation>
const CompiledActivation* compiled_by_tegula_add_activation();

/// The kernels that an activation is compiled into; null if it is not declared.
template <class Activation>
const CompiledActivation* compiled_activation() {
  if constexpr (is_declared_compiled<Activation>) {
    return compiled_by_tegula_add_activation<Activation>();
  } else {
    return nullptr;
  }
}

}  // namespace Tegula::Impl

/// TEGULA_DECLARE_ACTIVATION(Namespace::Swish); outside of all namespaces, behind the functor in its own header,
/// declares that CMake's tegula_add_activation compiles it into the kernels of gemm. It is a macro, since it
/// specialises templates. The attribute is for shared libraries: the kernels in one are found, however hidden the
/// functor is.
#define TEGULA_DECLARE_ACTIVATION(...)                                           \
  template <>                                                                    \
  inline constexpr bool Tegula::Impl::is_declared_compiled<__VA_ARGS__> = true;  \
  template <>                                                                    \
  __attribute__((visibility("default"))) const Tegula::Impl::CompiledActivation* \
  Tegula::Impl::compiled_by_tegula_add_activation<__VA_ARGS__>()

#endif
