// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_OWN_TYPES_HPP
#define TEGULA_OWN_TYPES_HPP

#include "Tegula_OwnCode.hpp"
#include "host/Tegula_HostElements.hpp"
#include "portable/Tegula_OwnPortable.hpp"
#include "portable/Tegula_OwnProducts.hpp"
#include "portable/Tegula_PortableLaunch.hpp"
#include "reduce/Tegula_SumColumns.hpp"

/// To be included, besides Tegula.hpp, by a file whose calls have an element type of the user's own, or an activation
/// of the user's own on a GPU that is not NVIDIA's. It compiles there what the library cannot hold: for Serial,
/// OpenMP and Threads how elements become accumulators and back, for other spaces, and for sums that are neither float
/// nor double, the portable kernel.

namespace Tegula::Impl {

template <class ExecutionSpace, class Types>
void launch_own_portable(const void* exec, const Call& call, const Plan& plan, char* workspace) {
  with_own_products<Types>(call, plan, workspace, [&](const auto&... products) {
    launch_products<typename Types::Accumulator>(*static_cast<const ExecutionSpace*>(exec), plan, products...);
  });
  if constexpr (!std::is_same_v<typename Types::LayerBelow, NothingBelow>) {
    using T        = typename Types::Accumulator;
    const auto dZ  = own_result_of_dA<Types>(call);
    const auto sum = OwnSumsBelow<T, std::decay_t<decltype(dZ)>>{dZ};
    launch_sums_below<T, summed_at_once<is_host_space<ExecutionSpace>>>(*static_cast<const ExecutionSpace*>(exec), call,
                                                                        plan, workspace, sum);
  }
}

/// The portable kernel of an execution space for the types of a call.
template <class ExecutionSpace, class Types>
inline constexpr OwnPortable own_portable{portable_choices<is_host_space<ExecutionSpace>, typename Types::Accumulator>,
                                          sizeof(typename Types::Accumulator),
                                          &launch_own_portable<ExecutionSpace, Types>};

template <class ExecutionSpace, class Types>
struct OwnTypes {
  static void add_to(Call& call) {
    using Accumulator = typename Types::Accumulator;
    if constexpr (calls_functions_on_runs<ExecutionSpace, Accumulator>) {
      // With a capture, since nvcc warns of a conversion to a pointer that Storage does not follow from.
      Types::for_each_matrix(call, [&]<class Storage>(CallMatrix& matrix) {
        if constexpr (have_own_elements<Storage>) matrix.runs = &element_runs<Accumulator, Storage>;
      });
    } else {
      call.portable = &own_portable<ExecutionSpace, Types>;
    }
  }
};

}  // namespace Tegula::Impl

#endif
