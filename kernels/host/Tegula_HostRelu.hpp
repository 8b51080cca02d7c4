// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_RELU_HPP
#define TEGULA_HOST_RELU_HPP

#include "Tegula_HostNumbers.hpp"

/// The activation that microkernels apply to sums before they leave their registers, with the bits of its own function.

namespace Tegula::Impl {

template <class T, class InstructionSet>
inline void clamp(host_vector_t<T, InstructionSet>& sums) {
#if defined(__GNUC__)
  sums = Relu()(HostNumbers<T, InstructionSet>(sums)).v;
#else
  sums = Relu()(sums);
#endif
}

}  // namespace Tegula::Impl

#endif
