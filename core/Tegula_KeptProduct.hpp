// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_KEPT_PRODUCT_HPP
#define TEGULA_KEPT_PRODUCT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

/// Small products of gemm on hosts, whose arithmetic takes less time than to check the call, to look for its plan and
/// to find the way to its kernel. All of that depends on the addresses of the call but little. So a call that was
/// checked, planned and run is kept, with what its kernel needs, and one that is like it but for addresses is run at
/// once. Nothing here needs Kokkos.

namespace Tegula {

struct Plan;

namespace Impl {

struct Call;

/// All that a call of gemm is checked and planned by, but for addresses: a word for each number.
using KeptWords = std::array<std::int64_t, 14>;

/// The addresses of a call. Null: left out.
struct KeptAddresses {
  const void *A, *B;
  void* C;
  const void* bias;
  void* Z;
  const void* functor;
};

/// A call that was checked, planned and run.
class KeptProduct {
 public:
  virtual ~KeptProduct() = default;

  /// Computes the same at other addresses.
  virtual void run(const KeptAddresses& addresses) const = 0;

  KeptWords words{};
  /// Bytes from the beginning of the first element of a matrix to the end of the last.
  std::uint64_t A_bytes = 0, B_bytes = 0, C_bytes = 0, bias_bytes = 0, Z_bytes = 0;
};

/// Products of more multiplications gain nothing.
inline constexpr std::int64_t most_kept_multiplications = 128 * 128 * 128;

/// Where a thread keeps a product, which is null if there is none.
struct KeptPlace {
  std::unique_ptr<KeptProduct> product;
  bool is_used = false;  // it was run since another one was to take its place
};

/// The place of a hash. What is there stays until keep_product() replaces it, or plans are forgotten.
KeptPlace& kept_place(std::uint64_t hash);

/// Whether a product with these words is kept there, or one that is used: then it is not to be replaced now. So calls
/// that share a place do not take turns in it, and none makes a product that is not kept.
bool is_place_taken(std::uint64_t hash, const KeptWords& words);

/// A call that was planned, to be kept; null if there is no memory, if more than its addresses may change what its
/// kernel does, or if it runs no kernel of one team with little scratch.
std::unique_ptr<KeptProduct> product_to_keep(const Call& call, const Plan& plan, const KeptWords& words);

/// Keeps a product at the place of a hash, unless it is null. Where plans were forgotten since the call looked there,
/// the product goes when the next one does.
void keep_product(std::uint64_t hash, std::unique_ptr<KeptProduct> product);

/// Whether no tool of Kokkos' listens, which is to be told of every kernel.
bool is_unheard();

}  // namespace Impl
}  // namespace Tegula

#endif
