// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_KeptProduct.hpp"
#include "Tegula_PlanCache.hpp"

namespace Tegula::Impl {
namespace {

/// The products that a thread keeps: as with plans (Tegula_PlanCache.hpp), one takes the place of another.
struct KeptProducts {
  static constexpr int bits = 6;

  std::array<std::unique_ptr<KeptProduct>, 1u << bits> products;
  unsigned era = 0;

  static KeptProducts& of_this_thread() {
    thread_local KeptProducts kept;
    if (const unsigned now = PlanCache::era(); kept.era != now) {
      kept.products = {};
      kept.era      = now;
    }
    return kept;
  }
  std::unique_ptr<KeptProduct>& at(std::uint64_t hash) { return products[hash >> (64 - bits)]; }
};

}  // namespace

const KeptProduct* kept_product(std::uint64_t hash) { return KeptProducts::of_this_thread().at(hash).get(); }

void keep_product(std::uint64_t hash, std::unique_ptr<KeptProduct> product) {
  if (product != nullptr) KeptProducts::of_this_thread().at(hash) = std::move(product);
}

}  // namespace Tegula::Impl
