// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_ACTIVATIONS_HPP
#define TEGULA_HOST_ACTIVATIONS_HPP

#include "Tegula_Call.hpp"
#include "Tegula_HostInstructions.hpp"

/// The activations that Tegula brings on runs of accumulators, float or double: as Tegula_ActivationRuns.hpp computes
/// any, but on whole vectors. Nothing here needs Kokkos.

namespace Tegula::Impl {

/// The functions of an activation, by its position in BuiltInActivations. Identity has no slope, and no value is asked
/// for.
ValueOfRun built_in_value(Instructions instructions, int position, bool is_double);
SlopeOfRun built_in_slope(Instructions instructions, int position, bool is_double);

}  // namespace Tegula::Impl

#endif
