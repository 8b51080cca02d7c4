// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_GEMM_CALL_HPP
#define TEGULA_PERF_GEMM_CALL_HPP

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "Tegula_Call.hpp"

/// Calls of gemm as data: drawn at random, written, read, and planned without memory for their matrices.

namespace Tegula::Perf {

/// C = act(op_a(A) op_b(B) + beta C + bias), all row-major; Z, the argument of act, likewise. Operands are of one
/// element type; of 16 bits, they may have results in float.
struct GemmCall {
  std::string type = "f32";  ///< of elements of A and B: "bf16", "f16", "f32" or "f64"
  Compute compute  = Compute::native;
  Op op_a = Op::none, op_b = Op::none;
  GemmShape shape{};
  std::array<std::int64_t, 3> leading{};  ///< dimensions of A, B and C
  double beta            = 0;
  bool has_layer         = false;   ///< with a bias and an activation; else neither
  std::string activation = "relu";  ///< of a layer
  bool stores_Z          = false;   ///< of a layer: in the order of C
  std::string result     = "";      ///< of elements of C, Z and the bias, where it is not `type`: "f32"

  friend bool operator==(const GemmCall&, const GemmCall&) = default;
};

/// Rows and columns as they are stored.
std::array<Impl::Extents, 3> stored_extents(const GemmCall& call);

/// Whether Tegula has an activation of that name, with which layers differ from plain products.
bool is_activation_of_layers(const std::string& name);

/// What A, B and C take with the leading dimensions that they have.
std::array<std::int64_t, 3> stored_bytes(const GemmCall& call);

/// The element type of that name. Throws std::invalid_argument if there is none.
Impl::Element element_named(const std::string& type);

/// That of C.
Impl::Element result_element(const GemmCall& call);

/// Whether products of such operands, of a type named as above, may have results in float beside those of their own
/// type.
bool has_float_results(const std::string& type);

/// "f32", or "bf16>f32" if results are in float.
std::string types_of(const GemmCall& call);

/// Which sides are drawn: any from 1 to 16384; large ones from 512 on; a long one of 16384 to 4194304 and two of up to
/// 128; m or n up to 64, and the others from 64 on; or, for a processor, any from 1 to 4096.
enum class Sides { any, large, with_a_long_one, narrow, of_hosts };

/// So many calls, the same from the same seed on every machine and for every type. Logarithms of sides are uniform; all
/// three are multiples of 8 in a quarter of the calls, none is made one in another quarter, and each by chance in the
/// others. What would take more than 5e11 flops (2e12 if sides are large, 2e9 on hosts), or 2 GiB of operands and
/// results, is drawn again. NN, NT, TN and TT take turns. By chance half of the calls have a bias and Relu, a quarter
/// beta = 1, and an eighth an odd, padded leading dimension of one matrix.
std::vector<GemmCall> draw_calls(const std::string& type, Compute compute, int count, std::uint64_t seed,
                                 Sides sides = Sides::any);

/// The call as planners take it: matrices lie apart from each other, aligned as allocations are, at addresses where
/// nothing is.
Impl::Call planned_call(const GemmCall& call);

/// types_of(), and "f32 tf32" if products are not formed as usual.
std::string kind_of(const GemmCall& call);

/// "gemm f32 NT 1000 512 33 ldc=513 beta=1 bias relu Z compute=tf32": types_of(), extents m, n, k, and what is not as
/// usual.
std::string text(const GemmCall& call);

/// The call of such words. Throws std::invalid_argument: which word is wrong, and why.
GemmCall gemm_call_of(const std::vector<std::string>& words);

}  // namespace Tegula::Perf

#endif
