// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostKernel.hpp"

#include <algorithm>

#include "Tegula_HostGradients.hpp"
#include "Tegula_HostTileProduct.hpp"

namespace Tegula::Impl {

template <class T>
void compute_host_tile(const HostCall<T>& call, std::int64_t team, const HostThread& thread) {
  if (call.plan->gradient_blocks.parts > 0) return HostGradients<T>(call, team, thread).compute();
  for (const HostProduct<T>& product : call.products) {
    if (team < product.teams()) {
      const TeamWork work          = product.work(team);
      const DirectResult<T> direct = direct_rows(product, work.split);
      return HostTileProduct<T>(thread, call.instructions, product, work, {product.left}, direct,
                                TileScratch<T>(thread.scratch, product.scratch))
          .compute();
    }
    team -= product.teams();
  }
}

template <class T>
void compute_whole_product(Instructions instructions, const HostProduct<T>& product, const TeamWork& work,
                           const DirectResult<T>& direct, char* scratch) {
  const auto no_barrier = [] {};
  const HostThread thread{0, 1, scratch, CallableRef(no_barrier)};
  HostTileProduct<T>(thread, instructions, product, work, {product.left}, direct,
                     TileScratch<T>(scratch, product.scratch))
      .compute();
}

template <class T>
std::int64_t host_slice_parts(const HostProduct<T>& product) {
  return ceil_div(product.slice_size(), longest_run);
}

template <class T>
void add_host_slices(const HostProduct<T>& product, std::int64_t part) {
  alignas(64) T sums[longest_run] = {};
  const std::int64_t begin = part * longest_run, end = std::min(begin + longest_run, product.slice_size());
  for (std::int64_t split = 0; split < product.split_k; ++split) {
    const T* const slice = product.slice(split);
    for (std::int64_t e = begin; e < end; ++e) sums[e - begin] += slice[e];
  }
  const std::int64_t n = product.shape.n, in_product = std::min(end, product.shape.m * n);
  std::int64_t e = begin;
  while (e < in_product) {
    const std::int64_t i = e / n, j = e % n;
    const int count = static_cast<int>(std::min(n - j, in_product - e));
    finish<Baseline>(product.result, SumTile<T>{i, j, Along::row, 1, count, sums + (e - begin), count});
    e += count;
  }
  if (e < end) store_row_sums(product.result, e - product.shape.m * n, end - e, sums + (e - begin));
}

template <class T>
int panel_groups(Instructions instructions, std::int64_t lines) {
  const VectorPanels panels(static_cast<int>(lines), register_tile<T>(instructions));
  return (panels.panels + panels_at_once - 1) / panels_at_once;
}

template <class T>
void pack_group(Instructions instructions, const HostOperand<T>& operand, std::int64_t lines, std::int64_t depth,
                int group, T* to) {
  const VectorPanels panels(static_cast<int>(lines), register_tile<T>(instructions));
  const int begin = group * panels_at_once, end = std::min(begin + panels_at_once, panels.panels);
  pack_panels(instructions, operand, 0, 0, depth, panels, begin, end, to + panels.first(begin) * depth);
}

template void compute_host_tile(const HostCall<float>&, std::int64_t, const HostThread&);
template void compute_host_tile(const HostCall<double>&, std::int64_t, const HostThread&);
template void compute_whole_product(Instructions, const HostProduct<float>&, const TeamWork&,
                                    const DirectResult<float>&, char*);
template void compute_whole_product(Instructions, const HostProduct<double>&, const TeamWork&,
                                    const DirectResult<double>&, char*);
template std::int64_t host_slice_parts(const HostProduct<float>&);
template std::int64_t host_slice_parts(const HostProduct<double>&);
template void add_host_slices(const HostProduct<float>&, std::int64_t);
template void add_host_slices(const HostProduct<double>&, std::int64_t);
template int panel_groups<float>(Instructions, std::int64_t);
template int panel_groups<double>(Instructions, std::int64_t);
template void pack_group(Instructions, const HostOperand<float>&, std::int64_t, std::int64_t, int, float*);
template void pack_group(Instructions, const HostOperand<double>&, std::int64_t, std::int64_t, int, double*);

}  // namespace Tegula::Impl
