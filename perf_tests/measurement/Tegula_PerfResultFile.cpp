// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfResultFile.hpp"

#include <array>
#include <ctime>

#include "Tegula_PerfBuild.hpp"
#include "Tegula_PerfCommit.hpp"
#include "Tegula_PerfDevice.hpp"
#include "Tegula_PerfKokkosBlas.hpp"
#include "Tegula_PerfWrite.hpp"

namespace Tegula::Perf {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

std::string version_of_kokkoskernels() {
#if TEGULA_PERF_HAS_KOKKOSKERNELS
  return kokkoskernels_version();
#else
  return "none";
#endif
}

/// Empty on a host.
std::string moment() {
  JsonObject facts;
  const std::vector<DeviceFact> known = momentary_device_facts();
  for (const auto& [key, text] : known) facts.add(key, text);
  return known.empty() ? "" : facts.line();
}

std::string of_side(const SideFigures& side) {
  JsonObject object;
  if (!side.failure.empty()) return object.add("failed", side.failure).line();
  if (!side.absent.empty()) return object.add("absent", side.absent).line();
  object.add("path", side.path).add("error", side.error).add("samples", side.samples);
  object.add("seconds", side.seconds.median).add("seconds_25", side.seconds.q25).add("seconds_75", side.seconds.q75);
  object.add("gflops", side.gflops).add("gbs", side.gbs);
  if (side.ratio)
    object.add("ratio", side.ratio->median).add("ratio_25", side.ratio->q25).add("ratio_75", side.ratio->q75);
  return object.line();
}

std::string of_distribution(const RowDistribution& of_peer) {
  JsonObject object;
  object.add("type", of_peer.type).add("mode", of_peer.load).add("peer", of_peer.peer);
  object.add("count", of_peer.count).add("excluded", of_peer.excluded);
  if (of_peer.count == 0) return object.line();
  const Distribution& ratios = of_peer.of_ratios;
  object.add("geometric_mean", ratios.geometric_mean);
  object.add("percentile_10", ratios.percentile_10).add("percentile_50", ratios.percentile_50);
  return object.add("worst", ratios.worst.ratio).add("worst_shape", ratios.worst.shape).line();
}

std::string loads_text(const std::vector<Load>& loads) {
  std::string text;
  for (const Load load : loads) {
    if (!text.empty()) text += ',';
    text += name_of(load);
  }
  return text;
}

}  // namespace

std::string json(const Row& row) {
  const CaseSpec& spec = row.spec;
  JsonObject object;
  if (!row.phase.empty()) object.add("rank", row.rank).add("phase", row.phase);
  object.add("shape", row.shape).add("m", spec.shape.m).add("n", spec.shape.n).add("k", spec.shape.k);
  object.add("type", row.type).add("layouts", row.layouts).add("ops", row.ops);
  object.add("epilogue", name_of(spec.epilogue)).add("activation", spec.activation);
  if (!spec.below.empty()) object.add("below", spec.below);
  object.add("alpha", spec.scaling.alpha).add("beta", spec.scaling.beta);
  object.add("compute", name_of(spec.compute)).add("mode", row.load);
  if (spec.packed) object.add_raw("packed", "true");
  if (spec.saved) object.add_raw("saved", "true");
  if (!row.error.empty()) return object.add("error", row.error).text(2);
  object.add("flops", row.figures.flops).add("bytes", row.figures.bytes);
  object.add("roof_percent", row.figures.roof_percent).add("copy_percent", row.figures.copy_percent);
  object.add_raw("error", "null");
  JsonObject sides;
  for (const SideFigures& side : row.figures.sides) sides.add_raw(side.name, of_side(side));
  return object.add_raw("sides", sides.text(3)).text(2);
}

ResultFile::ResultFile(const ProgramText& program, const Options& options, const Machine& machine,
                       const std::map<std::string, std::string>& peers)
    : program_(program), options_(options), machine_(machine), peers_(peers), date_(utc_now()), start_(moment()) {}

void ResultFile::put(const std::string& benchmark_name, const Row& row) {
  if (benchmark_name == last_name_) {
    rows_.back() = row;
  } else {
    rows_.push_back(row);
  }
  last_name_ = benchmark_name;
  write(false);
}

void ResultFile::complete() {
  end_ = moment();
  write(true);
}

void ResultFile::write(bool complete) const {
  if (!options_.json.empty()) write_file(options_.json, text(complete));
}

std::string ResultFile::text(bool complete) const {
  std::vector<std::string> rows, found;
  for (const Row& row : rows_) rows.push_back(json(row));
  JsonObject object;
  object.add("complete", complete).add_raw("context", context().text(1)).add_raw("rows", json_array(rows, 1));
  if (options_.random_shapes > 0) {
    for (const RowDistribution& of_peer : distributions(rows_)) found.push_back(of_distribution(of_peer));
    object.add_raw("distributions", json_array(found, 1));
  }
  return object.text() + '\n';
}

JsonObject ResultFile::context() const {
  JsonObject object, peers, peaks;
  object.add("program", program_.name).add("date", date_);
  object.add("version", TEGULA_PERF_VERSION).add("commit", TEGULA_PERF_COMMIT);
  object.add("command_line", options_.command_line).add("build", TEGULA_PERF_BUILD);
  object.add("kokkos", kokkos_version()).add("kokkos_kernels", version_of_kokkoskernels());
  object.add("execution_space", ExecutionSpace::name()).add("concurrency", ExecutionSpace().concurrency());
  object.add("device", device_name());
  for (const auto& [key, text] : lasting_device_facts()) object.add(key, text);
  if (!start_.empty()) object.add_raw("start", start_);
  if (!end_.empty()) object.add_raw("end", end_);
  for (const auto& [name, what] : peers_) peers.add(name, what);
  object.add_raw("peers", peers.line());
  object.add("timer", clock_name(options_.clock)).add("modes", loads_text(options_.loads));
  object.add("min_time", options_.min_time).add("repetitions", options_.repetitions).add("seed", options_.seed);
  object.add("random_shapes", options_.random_shapes);
  object.add("family", options_.family);
  object.add("tile", options_.tile == TileShape{} ? "" : Tegula::text(options_.tile));
  object.add("bandwidth_gbs", machine_.bandwidth_gbs).add("bandwidth_measured", machine_.bandwidth_measured);
  for (const auto& [type, peak] : machine_.peak_gflops) peaks.add(true_type(type), peak);
  return object.add_raw("peak_gflops", peaks.line()).add("peak_measured", machine_.peak_measured);
}

}  // namespace Tegula::Perf
