// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_ProductsBeside.hpp"

#include <algorithm>
#include <cmath>

#include "Tegula_CudaFamily.hpp"
#include "Tegula_TileModel.hpp"

namespace Tegula::Impl {
namespace {

/// How much of the device's room for teams those of a product take: 1 is all of it.
double filled(const ProductPlan& product, const CudaMachine& machine) {
  constexpr int threads        = 2048;  // of a multiprocessor; fewer on some devices, which no kernel runs beside on
  const std::size_t by_scratch = machine.scratch_max / std::max<std::size_t>(product.scratch_bytes, 1),
                    by_threads = static_cast<std::size_t>(threads / std::max(1, product.threads));
  const auto at_once           = std::max<std::size_t>(1, std::min(by_scratch, by_threads));
  return number(product.teams()) / (static_cast<double>(at_once) * machine.multiprocessors);
}

/// How much it uses of the device: of its room, of the bandwidth of memory, or of its units, whichever is most. A short
/// kernel waits for memory most of its time, and yet of two only a part of that is hidden. Fitted to 94 pairs of
/// products in float, double and 16 bits on an H100, of layers drawn at random: what both take then differs by 8 % of
/// what they took one behind the other.
double used(const ProductPlan& product, const CudaMachine& machine) {
  constexpr double shortest = 0.55, of_memory = 1.5;
  const CudaRates& rates = *machine.rates;
  const GemmShape& shape = product.shape;
  const double units     = product.left_bytes > 4   ? rates.mma_double
                           : product.left_bytes > 2 ? rates.fma_float
                                                    : rates.mma_half;
  const double bytes     = number(shape.m) * number(shape.k) * static_cast<double>(product.left_bytes) +
                       number(shape.k) * number(shape.n) * static_cast<double>(product.right_bytes) +
                       number(shape.m) * number(shape.n) * static_cast<double>(product.result_bytes);
  const double needed = std::max(of_memory * bytes / rates.memory, arithmetic_seconds(machine, shape, units));
  return std::min(1.0, std::max(shortest + filled(product, machine), needed / product.seconds));
}

/// What the last round of a product's teams leaves free, of which the next product gets about half.
double left_free(const ProductPlan& product, const CudaMachine& machine) {
  constexpr double usable = 0.5;
  const double rounds = filled(product, machine), whole = std::ceil(rounds);
  return usable * (whole - rounds) / whole * product.seconds;
}

}  // namespace

bool can_run_beside(const std::array<ProductPlan, 2>& products, const CudaMachine& machine) {
  const auto& [first, second] = products;
  if (first.teams() == 0 || second.teams() == 0 || !machine.has_entry || machine.major < 9) return false;
  const PassPlan& passes = second.passes;
  return passes.left_bytes + passes.right_bytes + second.left_copy_bytes + second.right_copy_bytes == 0 &&
         family_of(first, true).can_run_beside && family_of(second, true).can_run_beside;
}

double seconds_beside(const std::array<ProductPlan, 2>& products, const CudaMachine& machine) {
  const auto& [first, second] = products;
  if (std::min(filled(first, machine), filled(second, machine)) >= 1) return left_free(first, machine);
  constexpr double later = 2.3;  // kernels, until the second one begins; measured likewise
  const double work      = used(first, machine) * first.seconds + used(second, machine) * second.seconds;
  const double both      = std::max({first.seconds, later * machine.rates->kernel + second.seconds, work});
  return std::max(0.0, first.seconds + second.seconds - both);
}

}  // namespace Tegula::Impl
