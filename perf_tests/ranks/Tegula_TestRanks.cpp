// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks without devices: messages, spreads with figures that are made up, tables and files of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "Tegula_Launcher.hpp"
#include "Tegula_RankChannel.hpp"
#include "Tegula_RankFile.hpp"
#include "Tegula_RankGroup.hpp"
#include "Tegula_RankSpread.hpp"
#include "Tegula_RankTable.hpp"
#include "tuning/Tegula_Json.hpp"
#include "tuning/Tegula_TuningFile.hpp"

namespace Tegula::Perf {
namespace {

// ------------------------------------------------------------------------------------------------------------ messages

/// Bytes that a channel reads, and nothing after them.
class ReadChannel {
 public:
  explicit ReadChannel(const std::string& bytes) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    EXPECT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    write_end_ = ends[1];
    channel_.emplace(ends[0], -1);
  }
  ~ReadChannel() { end(); }
  RankChannel& operator*() { return *channel_; }
  void end() {
    if (write_end_ >= 0) close(write_end_);
    write_end_ = -1;
  }

 private:
  int write_end_ = -1;
  std::optional<RankChannel> channel_;
};

TEST(RankChannel, what_is_sent_is_received) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  RankChannel channel(ends[0], ends[1]);
  channel.send("row", "two\nlines");
  channel.send("ready");
  const auto row = channel.receive(), ready = channel.receive();
  EXPECT_EQ(row->kind, "row");
  EXPECT_EQ(row->payload, "two\nlines");
  EXPECT_EQ(ready->kind, "ready");
  EXPECT_EQ(ready->payload, "");
  EXPECT_THROW(channel.receive(0.01), IsSilent);
}

TEST(RankChannel, an_end_is_none_of_the_messages) {
  ReadChannel half("row 10\nhalf");
  EXPECT_THROW((*half).receive(0.01), IsSilent);
  half.end();
  EXPECT_FALSE((*half).receive());
}

TEST(RankChannel, other_bytes_are_refused) {
  for (const char* bytes : {"row\n", "row x\n", "row 1 2\n"}) {
    ReadChannel other(bytes);
    EXPECT_THROW((*other).receive(), std::runtime_error) << bytes;
  }
  ReadChannel endless(std::string(100, 'x'));
  EXPECT_THROW((*endless).receive(), std::runtime_error);
}

// ------------------------------------------------------------------------------------------------------------- spreads

/// Of a rank that takes so many seconds, with quartiles so far apart.
RankResult taking(double seconds, double spread = 0.001) {
  return {"", {{"tegula", {{seconds * (1 - spread), seconds, seconds * (1 + spread)}, 1 / seconds}}}, {}};
}

RankResult failed() { return {"it is wrong", {}, {}}; }

std::vector<int> slow_ranks(const std::vector<RankResult>& ranks, double percent = 5) {
  std::vector<int> found;
  const auto spread = spread_of(ranks, "tegula", percent);
  for (const SlowRank& slow : spread->slow) found.push_back(slow.rank);
  return found;
}

RankRow row_of(const std::vector<RankResult>& alone, const std::vector<RankResult>& together,
               const std::string& load = "") {
  RankRow row;
  row.row.shape                 = "cube";
  row.row.type                  = "f32";
  row.row.load                  = load;
  row.by_phase[Phase::alone]    = alone;
  row.by_phase[Phase::together] = together;
  return row;
}

TEST(RankSpread, has_least_median_and_most) {
  const auto spread = spread_of({taking(0.5), taking(0.25), failed(), taking(1)}, "tegula", 5);
  EXPECT_EQ(spread->count, 3u);
  EXPECT_DOUBLE_EQ(spread->least, 1);
  EXPECT_DOUBLE_EQ(spread->median, 2);
  EXPECT_DOUBLE_EQ(spread->most, 4);
  EXPECT_EQ(spread->least_rank, 3);
  EXPECT_EQ(spread->most_rank, 1);
  EXPECT_FALSE(spread_of({failed()}, "tegula", 5));
  EXPECT_FALSE(spread_of({taking(1)}, "cublas", 5));
}

TEST(RankSpread, slow_is_beyond_the_limit_and_beyond_the_noise) {
  EXPECT_EQ(slow_ranks({taking(1), taking(1.01), taking(1.1), taking(0.99)}), std::vector<int>{2});
  EXPECT_EQ(slow_ranks({taking(1), taking(1.01), taking(1.04), taking(0.99)}), std::vector<int>{});
  EXPECT_EQ(slow_ranks({taking(1), taking(1.01), taking(1.04), taking(0.99)}, 3), std::vector<int>{2});
  EXPECT_EQ(slow_ranks({taking(1), taking(1.01), taking(1.1, 0.2), taking(0.99)}), std::vector<int>{});
  EXPECT_EQ(slow_ranks({taking(1, 0.2), taking(1.01, 0.2), taking(1.1), taking(0.99)}), std::vector<int>{});
}

TEST(RankSpread, of_two_cards_the_slower_one_is_slow) {
  EXPECT_EQ(slow_ranks({taking(1.06), taking(1)}), std::vector<int>{0});
  EXPECT_EQ(slow_ranks({taking(1), taking(1), taking(1.1), taking(1.2)}), (std::vector<int>{2, 3}));
  EXPECT_EQ(slow_ranks({taking(1)}), std::vector<int>{});
}

TEST(RankSpread, what_is_kept_when_all_run_at_once_is_of_ranks_that_have_both) {
  const auto kept =
      kept_speeds(row_of({taking(1), taking(1), failed()}, {taking(1.25), failed(), taking(1)}), "tegula");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_DOUBLE_EQ(kept.at(0), 0.8);
}

TEST(Card, is_slow_if_most_rows_of_a_phase_and_load_are) {
  const std::vector<RankResult> same{taking(1), taking(1), taking(1)}, last{taking(1), taking(1), taking(1.2)};
  const auto is_slow = [](const std::vector<RankRow>& rows) { return cards_of(rows, 3, 5)[2].is_slow(); };
  EXPECT_FALSE(is_slow({row_of(same, same)}));
  EXPECT_FALSE(is_slow({row_of(same, last), row_of(same, same)}));
  EXPECT_TRUE(is_slow({row_of(same, last), row_of(same, same), row_of(same, last)}));
  EXPECT_TRUE(is_slow({row_of(same, same, "rested"), row_of(same, last, "sustained")}));
  EXPECT_FALSE(cards_of({row_of(last, last)}, 3, 5)[0].is_slow());
}

TEST(Card, has_means_over_its_rows) {
  const auto cards = cards_of(
      {row_of({taking(1), taking(2)}, {taking(2), taking(2)}), row_of({taking(1), taking(8)}, {taking(1), failed()}),
       row_of({failed(), failed()}, {failed(), failed()})},
      2, 5);
  EXPECT_EQ(cards[1].figures.front().rows, 2u);
  EXPECT_DOUBLE_EQ(cards[1].figures.front().factor, 4);
  EXPECT_DOUBLE_EQ(*cards[0].kept_speed, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(*cards[1].kept_speed, 1);
  EXPECT_FALSE(cards_of({row_of({failed()}, {failed()})}, 1, 5)[0].kept_speed);
}

// ----------------------------------------------------------------------------------------------------- words and files

TEST(RankTable, names_slow_cards_and_failures_by_rank_host_and_address) {
  const std::vector<RankIdentity> ranks{
      {0, "node1", "0000:1b:00.0", ""},
      {1, "node1", "0000:9b:00.0", ""},
      {2, "node2", "0000:1b:00.0", "killed by signal 9 (Killed) in row cube f32, alone"},
      {3, "node2", "0000:1b:00.0", ""},
      {4, "", "", "ended with exit code 7 before the first row"}};
  const std::vector<RankResult> results{taking(1), taking(1.2), failed(), taking(1), failed()};
  const std::vector<RankRow> rows{row_of(results, results)};
  const std::string words = describe_cards(cards_of(rows, 5, 5), ranks);
  for (const char* line :
       {"rank 1 (node1, 0000:9b:00.0): alone 1.200 (slow in 1 of 1 rows), together 1.200 (slow in 1 of "
        "1 rows), +0.0 % when all run at once  SLOW\n",
        "slow card: rank 1 (node1, 0000:9b:00.0)\n", "rank 4: no figures\n",
        "warning: rank 3 (node2, 0000:1b:00.0) has the same card as rank 2\n",
        "failed: rank 2 (node2, 0000:1b:00.0): killed by signal 9 (Killed) in row cube f32, alone\n",
        "failed: rank 4: ended with exit code 7 before the first row\n"})
    EXPECT_NE(words.find(line), std::string::npos) << line << "is not in\n" << words;
  EXPECT_EQ(words.find("slow card: rank 0"), std::string::npos);
}

TEST(RankTable, has_a_line_a_side) {
  std::ostringstream output;
  RankRow row                                 = row_of({taking(1e-3), taking(2e-3)}, {taking(2e-3), failed()});
  row.by_phase[Phase::alone][0].sides["peer"] = {{1, 1, 1}, 5};
  RankTable table(output, {row.row}, {"tegula", "peer"}, {});
  table.print_heading();
  table.print(row);
  const std::string printed = output.str();
  EXPECT_NE(printed.find("--------     alone  --------  --------  together  --------\n"), std::string::npos) << printed;
  EXPECT_NE(printed.find("   least    median      most     least    median      most    change\n"), std::string::npos)
      << printed;
  EXPECT_NE(printed.find("slow alone: rank 1 +100.0 %; ERROR together: rank 1\n"), std::string::npos) << printed;
  EXPECT_NE(printed.find("-50.0 %"), std::string::npos) << printed;
  EXPECT_NE(printed.find("peer"), std::string::npos) << printed;
}

TEST(RankFile, reads_what_workers_say) {
  const RankResult result =
      result_of(R"({"error": null, "sides": {"tegula": {"seconds": 2, "seconds_25": 1, "seconds_75": 3, "gflops": 4},)"
                R"( "a": {"absent": "no such type"}, "b": {"failed": "it breaks"}}})",
                {"tegula", "a", "b", "c"});
  ASSERT_EQ(result.sides.size(), 1u);
  EXPECT_EQ(result.sides.at("tegula").seconds.median, 2);
  EXPECT_EQ(result.sides.at("tegula").seconds.q75, 3);
  EXPECT_EQ(result.sides.at("tegula").gflops, 4);
  EXPECT_EQ(result.failed, std::vector<std::string>{"b: it breaks"});
  const RankResult wrong = result_of(R"({"error": "it is wrong"})", {"tegula"});
  EXPECT_EQ(wrong.error, "it is wrong");
  EXPECT_TRUE(wrong.sides.empty());
  EXPECT_THROW(result_of("{}", {"tegula"}), std::invalid_argument);
}

TEST(RankFile, is_whole_with_a_rank_that_has_nothing_to_say) {
  const std::string name = testing::TempDir() + "tegula_ranks_" + std::to_string(getpid()) + ".json";
  const std::vector<RankRow> rows{row_of({taking(1), failed()}, {taking(1), failed()})};
  RankFile file(name, {"tegula"}, 5);
  file.add(rows.front(), Phase::alone, {"{\"rank\": 0}", "{\"rank\": 1}"});
  const std::vector<RankRecord> ranks{{{0, "node", "0000:1b:00.0", ""}, "{\"program\": \"x\"}"},
                                      {{1, "", "", "gone"}, ""}};
  EXPECT_EQ(file.write(ranks, cards_of(rows, 2, 5), true), "");
  const Impl::Json read = Impl::Json::parse(Impl::text_of_file(name), name);
  EXPECT_TRUE(read.at("complete").truth("complete"));
  EXPECT_EQ(read.at("context").at("program").text("program"), "x");
  EXPECT_EQ(read.at("ranks").items("ranks")[1].at("failure").text("failure"), "gone");
  EXPECT_EQ(read.at("rows").items("rows").size(), 2u);
  EXPECT_EQ(read.at("spreads").items("spreads")[0].at("ranks").integer("ranks", 0, 9), 1);
  std::remove(name.c_str());
  EXPECT_EQ(RankFile("/nonexistent/ranks.json", {}, 5).write(ranks, {}, true), "cannot write /nonexistent/ranks.json");
}

// ------------------------------------------------------------------------------------------------------------
// launchers

/// Variables as a launcher sets them, for as long as the object lives; those of others are not there meanwhile.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& variables) {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID",
                             "SLURM_STEP_NUM_TASKS"}) {
      const char* const value = std::getenv(name);
      before_[name]           = value == nullptr ? std::nullopt : std::optional<std::string>(value);
      unsetenv(name);
    }
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto& [name, value] : before_)
      if (unsetenv(name.c_str()); value) setenv(name.c_str(), value->c_str(), 1);
  }

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

TEST(Launcher, says_which_rank_this_is) {
  EXPECT_FALSE((Environment({}), place_by_launcher()));
  for (const auto& variables :
       {std::map<std::string, std::string>{{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}},
        {{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}},
        {{"SLURM_PROCID", "2"}, {"SLURM_STEP_NUM_TASKS", "4"}}}) {
    const Environment environment(variables);
    EXPECT_EQ(place_by_launcher()->rank, 2);
    EXPECT_EQ(place_by_launcher()->ranks, 4);
  }
  const Environment environment({{"PMI_RANK", "x"}, {"PMI_SIZE", "4"}, {"SLURM_PROCID", "0"}});
  EXPECT_FALSE(place_by_launcher());
}

TEST(RankGroup, of_one_process_has_all_ranks) {
  const auto group = local_group(3);
  EXPECT_EQ(group->own(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(group->turns(), 3);
  EXPECT_TRUE(group->is_root());
  EXPECT_EQ(group->gather({"a", "b", "c"}), (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace Tegula::Perf
