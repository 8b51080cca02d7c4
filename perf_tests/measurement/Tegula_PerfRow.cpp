// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfRow.hpp"

#include <algorithm>
#include <tuple>

#include "Tegula_PerfMachine.hpp"

namespace Tegula::Perf {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // type, load, peer

RowDistribution distribution_of(const std::vector<Row>& rows, const Key& key) {
  const auto& [type, load, peer] = key;
  RowDistribution found{type, load, peer, 0, 0, {}};
  std::vector<NamedRatio> ratios;
  for (const Row& row : rows) {
    if (row.type != type || row.load != load) continue;
    const SideFigures* const side = find_side(row.figures, peer);
    if (side != nullptr && side->ratio) {
      ratios.push_back({row.shape, side->ratio->median});
    } else {
      ++found.excluded;
    }
  }
  found.count = ratios.size();
  if (!ratios.empty()) found.of_ratios = distribution(ratios);
  return found;
}

}  // namespace

Row new_row(const CaseSpec& spec, Load load) {
  const Shape& shape = spec.shape;
  Row row;
  row.shape   = shape.name;
  row.extents = std::to_string(shape.m) + 'x' + std::to_string(shape.n) + 'x' + std::to_string(shape.k);
  row.type    = true_type(spec.type) + (spec.result.empty() ? "" : '>' + true_type(spec.result));
  for (const Layout layout : spec.layouts) row.layouts += layout == Layout::right ? 'R' : 'L';
  for (const Op op : {spec.op_a, spec.op_b}) row.ops += op == Op::none ? 'N' : 'T';
  row.load = name_of(load);
  row.spec = spec;
  return row;
}

std::vector<RowDistribution> distributions(const std::vector<Row>& rows) {
  std::vector<Key> keys;
  for (const Row& row : rows)
    for (const std::string& peer : row.spec.peers)
      if (const Key key{row.type, row.load, peer}; std::find(keys.begin(), keys.end(), key) == keys.end())
        keys.push_back(key);
  std::vector<RowDistribution> found;
  for (const Key& key : keys) found.push_back(distribution_of(rows, key));
  return found;
}

}  // namespace Tegula::Perf
