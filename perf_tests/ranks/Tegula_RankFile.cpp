// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_RankFile.hpp"

#include <algorithm>

#include "Tegula_PerfJson.hpp"
#include "Tegula_PerfWrite.hpp"
#include "tuning/Tegula_Json.hpp"

namespace Tegula::Perf {
namespace {

const char* const of_a_worker = "a worker's message";

double number(const Impl::Json& object, const std::string& key) { return object.at(key).number(key, 0, 1e300); }

std::string of_slow(const SlowRank& slow) {
  return JsonObject().add("rank", slow.rank).add("factor", slow.factor).line();
}

std::string of_spread(const RankRow& row, Phase phase, const std::string& side, const RankSpread& spread) {
  const Shape& shape = row.row.spec.shape;
  JsonObject object;
  object.add("shape", shape.name).add("m", shape.m).add("n", shape.n).add("k", shape.k).add("type", row.row.type);
  object.add("mode", row.row.load).add("phase", name_of(phase)).add("side", side).add("ranks", spread.count);
  object.add("gflops_least", spread.least).add("rank_least", spread.least_rank);
  object.add("gflops_median", spread.median);
  object.add("gflops_most", spread.most).add("rank_most", spread.most_rank);
  std::vector<std::string> slow;
  for (const SlowRank& each : spread.slow) slow.push_back(of_slow(each));
  return object.add_raw("slow", json_array(slow, 3)).line();
}

std::string of_card(const Card& card) {
  JsonObject object, factors;
  for (const CardFigures& figures : card.figures) factors.add(text(figures.place), figures.factor);
  object.add_raw("time_over_median_card", factors.line()).add("kept_speed", card.kept_speed);
  return object.add("is_slow", card.is_slow()).line();
}

std::string of_rank(const RankRecord& record, const Card* card) {
  const auto& [rank, host, pci, failure] = record.identity;
  JsonObject object;
  object.add("rank", rank).add("host", host).add("pci", pci);
  object.add_raw("failure", failure.empty() ? "null" : json(failure));
  if (card != nullptr) object.add_raw("card", of_card(*card));
  return object.add_raw("context", record.context.empty() ? "null" : record.context).text(2);
}

}  // namespace

RankResult result_of(const std::string& row, const std::vector<std::string>& sides) {
  const Impl::Json read = Impl::Json::parse(row, of_a_worker);
  RankResult result;
  const Impl::Json* const found = read.find("sides");
  if (found == nullptr) {
    result.error = read.at("error").text("error");
    return result;
  }
  for (const std::string& name : sides) {
    const Impl::Json* const side = found->find(name);
    if (side == nullptr || side->find("absent") != nullptr) continue;
    if (side->find("failed") != nullptr) {
      result.failed.push_back(name + ": " + side->at("failed").text("failed"));
      continue;
    }
    const Quartiles seconds{number(*side, "seconds_25"), number(*side, "seconds"), number(*side, "seconds_75")};
    result.sides[name] = {seconds, number(*side, "gflops")};
  }
  return result;
}

void RankFile::add(const RankRow& row, Phase phase, const std::vector<std::string>& rows_of_ranks) {
  rows_.insert(rows_.end(), rows_of_ranks.begin(), rows_of_ranks.end());
  for (const std::string& side : sides_)
    if (const auto spread = spread_of(row.by_phase.at(phase), side, slow_percent_))
      spreads_.push_back(of_spread(row, phase, side, *spread));
}

std::string RankFile::write(const std::vector<RankRecord>& ranks, const std::vector<Card>& cards,
                            bool is_complete) const {
  if (file_.empty()) return "";
  std::string context = "{}";
  std::vector<std::string> of_ranks;
  for (const RankRecord& record : ranks) {
    if (context == "{}" && !record.context.empty()) context = record.context;
    const auto rank = static_cast<std::size_t>(record.identity.rank);
    of_ranks.push_back(of_rank(record, rank < cards.size() ? &cards[rank] : nullptr));
  }
  JsonObject object;
  object.add("complete", is_complete).add_raw("context", context).add_raw("ranks", json_array(of_ranks, 1));
  object.add_raw("rows", json_array(rows_, 1)).add_raw("spreads", json_array(spreads_, 1));
  try {
    write_file(file_, object.text() + '\n');
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace Tegula::Perf
