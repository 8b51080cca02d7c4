// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_KeptProduct.hpp"

#include <utility>

#include "Tegula_PlanCache.hpp"

namespace Tegula::Impl {
namespace {

/// The products that a thread keeps: as with plans (Tegula_PlanCache.hpp), one takes the place of another.
struct KeptProducts {
  static constexpr int bits = 6;

  std::array<KeptPlace, 1u << bits> places;
  unsigned era = 0;

  static KeptProducts& of_this_thread() {
    thread_local KeptProducts kept;
    return kept;
  }
  void forget_old() {
    const unsigned now = PlanCache::era();
    if (era == now) return;
    places = {};
    era    = now;
  }
  KeptPlace& at(std::uint64_t hash) { return places[hash >> (64 - bits)]; }
};

}  // namespace

KeptPlace& kept_place(std::uint64_t hash) {
  KeptProducts& kept = KeptProducts::of_this_thread();
  kept.forget_old();
  return kept.at(hash);
}

// These two see the era in which the call looked for its product: it was planned behind that.
bool is_place_taken(std::uint64_t hash, const KeptWords& words) {
  KeptPlace& place = KeptProducts::of_this_thread().at(hash);
  if (place.product == nullptr) return false;
  return std::exchange(place.is_used, false) || place.product->words == words;
}

void keep_product(std::uint64_t hash, std::unique_ptr<KeptProduct> product) {
  if (product != nullptr) KeptProducts::of_this_thread().at(hash) = {std::move(product), false};
}

}  // namespace Tegula::Impl
