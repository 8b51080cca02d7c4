// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_CALLBACKS_HPP
#define TEGULA_HOST_CALLBACKS_HPP

#include "Tegula_HostCall.hpp"
#include "Tegula_HostInstructions.hpp"

/// The functions on runs that a call needs: the library's for the activations and element types that it knows, those
/// that a call brings along for a user's.

namespace Tegula::Impl {

/// Those for the elements of a matrix that are not accumulators.
HostElements host_elements(const CallMatrix& matrix, Instructions instructions);

/// Those for the activation of gemm, and of gemm_backward; sums are of type `accumulator`.
HostValue host_value(const Call& call, Instructions instructions);
HostSlope host_slope(const CallActivation& layer, Element accumulator, Instructions instructions);

}  // namespace Tegula::Impl

#endif
