// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PORTABLE_RATES_HPP
#define TEGULA_PORTABLE_RATES_HPP

#include <string_view>

namespace Tegula::Impl {

/// What is known of the speed of a GPU that is not NVIDIA's: a record for an architecture. Times are predicted by it,
/// and nothing else: which tile is taken does not depend on it. Rates are those of a unit, which PortableMachine counts
/// of the device at hand, so that a part of a card has a part of them. Nothing here needs Kokkos.
struct PortableRates {
  const char* name;
  const char* source;
  std::string_view device;       // what the names of such devices contain
  double clock;                  // cycles a second
  double fma_float, fma_double;  // multiply-adds a cycle
  double memory;                 // bytes a second
  double kernel;                 // seconds that a kernel takes that has nothing to do
};

/// The record for a device's name and that of its architecture; null if there is none.
const PortableRates* portable_rates(std::string_view device);

}  // namespace Tegula::Impl

#endif
