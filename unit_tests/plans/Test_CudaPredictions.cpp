// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "Tegula_TestCudaPlans.hpp"
#include "Tegula_TestRandom.hpp"
#include "cuda/Tegula_TileModel.hpp"

/// What holds for every proposal of every family for CUDA, whatever its model: calls are drawn, machines are data. No
/// number of a model is asserted here, so that models can be fitted anew. No GPU is needed.

namespace Tegula::Test {
namespace {

using namespace Tegula::Impl;

struct NamedMachine {
  const char* name;
  CudaMachine machine;
};

const std::vector<NamedMachine>& machines() {
  static const std::vector<NamedMachine> all{{"H200", h200},
                                             {"H200, 40 KiB", before_kokkos_5_2},
                                             {"A100", machine_of(80, 108, 155 * KiB)},
                                             {"A40", machine_of(86, 84, 91 * KiB)},
                                             {"L40S", machine_of(89, 142, 91 * KiB)},
                                             {"B200", machine_of(100, 148, 219 * KiB)}};
  return all;
}

class CudaPredictions : public testing::Test {
 protected:
  std::int64_t draw(std::int64_t most) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most));
  }

  // Log-uniform in 1 .. 16384, in multiples of `unit`.
  std::int64_t draw_extent(std::int64_t unit = 1) {
    const auto extent = static_cast<std::int64_t>(std::exp2(uniform(random_, 0, 14)));
    return (extent + unit - 1) / unit * unit;
  }
  Lies draw_lies() { return {draw(2) == 0, draw(3) == 0 ? 1 + draw(9) : 0, draw(4) == 0 ? 1 + draw(8) : 0}; }

  // Every fourth one is a long operand times a small one.
  GemmShape draw_shape(std::int64_t unit = 1) {
    if (draw(4) > 0) return {draw_extent(unit), draw_extent(unit), draw_extent(unit)};
    const GemmShape shape{50 * draw_extent(unit), unit * (1 + draw(32 / unit)), unit * (1 + draw(128 / unit))};
    return draw(2) == 0 ? shape : shape.transposed();
  }

  /// A call that needs no pass: C and Z of 16 bits may be float.
  Call draw_call() {
    const GemmShape shape = draw_shape();
    const Element element = pick(random_, std::array{Element::f16, Element::bf16, Element::f32, Element::f64});
    const Element result  = element < Element::f32 && draw(2) == 0 ? Element::f32 : element;
    Call call             = gemm_call(shape, element);
    call.A                = matrix_of(element, shape.m, shape.k, draw_lies());
    call.B                = matrix_of(element, shape.k, shape.n, draw_lies());
    call.C                = matrix_of(result, shape.m, shape.n, draw_lies());
    if (draw(2) == 0) call.bias = row_of(element, shape.n);
    if (draw(3) == 0) call.Z = matrix_of(result, shape.m, shape.n, draw_lies());
    call.activation.position = static_cast<int>(draw(1 + BuiltInActivations::position<GeluErf>()));
    call.beta                = draw(2) == 0 ? 0 : 0.5;
    call.compute             = pick(random_, std::array{Compute::native, Compute::tf32, Compute::fp32_split});
    return call;
  }

  static std::string text_of(const Call& call, const char* machine) {
    const auto lies = [](const CallMatrix& m) {
      return std::to_string(m.rows) + 'x' + std::to_string(m.columns) + " by " + std::to_string(m.row_stride) + ", " +
             std::to_string(m.column_stride) + " at " + std::to_string(reinterpret_cast<std::uintptr_t>(m.data) % 16) +
             "; ";
    };
    return std::string(machine) + ", " + std::to_string(element_bytes(call.A.element)) + " bytes: " + lies(call.A) +
           lies(call.B) + lies(call.C);
  }
  static std::string text_of(const FamilyProposal& p) {
    return std::string(p.family->name) + ' ' + text(p.proposal.tile) + " split " + std::to_string(p.proposal.parts[0]) +
           (p.proposal.copies ? " copied" : "");
  }

  /// Visits what all families propose for drawn calls on every machine.
  template <class Visit>
  void for_drawn_calls(int trials, const Visit& visit) {
    for (int trial = 0; trial < trials && !HasFailure(); ++trial) {
      const Call call = draw_call();
      for (const auto& [name, machine] : machines()) {
        const auto proposals = cuda_proposals(call, machine, {});
        ASSERT_FALSE(proposals.empty()) << text_of(call, name);
        visit(call, machine, proposals, text_of(call, name));
      }
    }
  }

  Random random_ = make_random();
};

TEST_F(CudaPredictions, AreTimes) {
  for_drawn_calls(300, [](const Call&, const CudaMachine& machine, const auto& proposals, const std::string& what) {
    for (const FamilyProposal& p : proposals) {
      EXPECT_TRUE(std::isfinite(p.proposal.seconds)) << text_of(p) << " on " << what;
      EXPECT_GE(p.proposal.seconds, machine.rates->kernel) << text_of(p) << " on " << what;
    }
  });
}

/// The rate that no kernel surpasses which computes such products.
double peak(const Call& call, const CudaMachine& machine) {
  const CudaRates& rates = *machine.rates;
  double multiply_adds   = rates.fma_float;
  if (call.A.element == Element::f64) multiply_adds = rates.mma_double;
  if (call.A.element < Element::f32) multiply_adds = std::max(rates.wgmma_half, rates.mma_half);
  if (call.A.element == Element::f32 && call.compute == Compute::tf32)
    multiply_adds = std::max({multiply_adds, rates.wgmma_tf32, rates.mma_half / 2});
  if (call.A.element == Element::f32 && call.compute == Compute::fp32_split)
    multiply_adds = std::max({multiply_adds, rates.wgmma_half / 3, rates.mma_half / 6});
  return multiply_adds * rates.clock * machine.multiprocessors;
}

TEST_F(CudaPredictions, AreNotBelowTheTimeOfMemory) {
  for_drawn_calls(300,
                  [](const Call& call, const CudaMachine& machine, const auto& proposals, const std::string& what) {
                    const double least = product_bytes(call) / machine.rates->memory;
                    for (const FamilyProposal& p : proposals)
                      EXPECT_GE(p.proposal.seconds, least) << text_of(p) << " on " << what;
                  });
}

TEST_F(CudaPredictions, AreNotBelowTheTimeOfArithmetic) {
  for_drawn_calls(
      300, [](const Call& call, const CudaMachine& machine, const auto& proposals, const std::string& what) {
        const GemmShape s     = call.shape();
        const double products = static_cast<double>(s.m) * static_cast<double>(s.n) * static_cast<double>(s.k);
        const double least    = products / peak(call, machine);
        for (const FamilyProposal& p : proposals) EXPECT_GE(p.proposal.seconds, least) << text_of(p) << " on " << what;
      });
}

/// The least time of each configuration: there may be ways with and without copies.
using Times = std::map<std::tuple<std::string, std::string, bool>, double>;
Times times_of(const Call& call, const CudaMachine& machine) {
  Times times;
  for (const FamilyProposal& p : cuda_proposals(call, machine, {.split_k = 1}))
    times[{p.family->name, text(p.proposal.tile), p.proposal.copies}] = p.proposal.seconds;
  return times;
}

/// Whether a side of 8 lines, which are 16 bytes of a step of depth, grows.
bool has_steps_of_16_bytes(const GemmShape& shape, const GemmShape& larger) {
  return (shape.m == 8 && larger.m > 8) || (shape.n == 8 && larger.n > 8);
}

/// Whether lines of an operand are apart by multiples of more bytes, up to 64.
bool has_better_pitches(const Call& call, const Call& larger) {
  const auto multiple = [](const CallMatrix& m) {
    const std::int64_t bytes = std::max(m.row_stride, m.column_stride) * static_cast<std::int64_t>(m.element_bytes);
    return std::gcd(bytes, std::int64_t(64));
  };
  return multiple(larger.A) > multiple(call.A) || multiple(larger.B) > multiple(call.B);
}

// Twice the rows, columns or products: no configuration is faster, but those whose operands TMA fetches: it takes
// longer for a step of depth of just 16 bytes than for one of 32, as was measured, and for pitches of odd multiples of
// 16 or 32 bytes. Extents are multiples of what is aligned, so that alignments stay as they are.
TEST_F(CudaPredictions, GrowWithTheProduct) {
  for (int trial = 0; trial < 300 && !HasFailure(); ++trial) {
    constexpr std::int64_t unit = 8;
    const GemmShape shape       = draw_shape(unit);
    const Lies a = draw_lies(), b = draw_lies(), c = draw_lies();
    const Element element = pick(random_, std::array{Element::f16, Element::bf16, Element::f32, Element::f64});
    const Compute compute = pick(random_, std::array{Compute::native, Compute::tf32, Compute::fp32_split});
    const auto call_of    = [&](const GemmShape& s) {
      Call call    = gemm_call(s, element);
      call.A       = matrix_of(element, s.m, s.k, a);
      call.B       = matrix_of(element, s.k, s.n, b);
      call.C       = matrix_of(element, s.m, s.n, c);
      call.compute = compute;
      return call;
    };
    for (const auto& [name, machine] : machines()) {
      const Times times = times_of(call_of(shape), machine);
      for (const GemmShape& larger :
           {GemmShape{2 * shape.m, shape.n, shape.k}, GemmShape{shape.m, 2 * shape.n, shape.k},
            GemmShape{shape.m, shape.n, 2 * shape.k}}) {
        if ((larger.m >= larger.n) != (shape.m >= shape.n)) continue;  // the other operand is streamed then
        const bool gets_easier =
            has_steps_of_16_bytes(shape, larger) || has_better_pitches(call_of(shape), call_of(larger));
        for (const auto& [way, seconds] : times_of(call_of(larger), machine)) {
          const auto before = times.find(way);
          if (before == times.end()) continue;  // too large a sum, for example
          if (std::get<0>(way) == "wgmma" && gets_easier) continue;
          EXPECT_GE(seconds, before->second * (1 - 1e-9))
              << std::get<0>(way) << ' ' << std::get<1>(way) << " on " << text_of(call_of(shape), name);
        }
      }
    }
  }
}

// An activation that takes an exponential, or a Z that is stored, makes no configuration faster.
TEST_F(CudaPredictions, GrowWithTheEpilogue) {
  for (int trial = 0; trial < 300 && !HasFailure(); ++trial) {
    Call call                = draw_call();
    call.Z.data              = nullptr;
    call.activation.position = BuiltInActivations::position<Relu>();
    Call activated = call, keeps = call;
    activated.activation.position = BuiltInActivations::position<GeluTanh>();
    keeps.Z                       = matrix_of(call.C.element, call.C.rows, call.C.columns);
    for (const auto& [name, machine] : machines()) {
      const Times times = times_of(call, machine);
      for (const Call& more : {activated, keeps}) {
        for (const auto& [way, seconds] : times_of(more, machine)) {
          const auto before = times.find(way);
          if (before == times.end()) continue;
          EXPECT_GE(seconds, before->second * (1 - 1e-9))
              << std::get<0>(way) << ' ' << std::get<1>(way) << " on " << text_of(call, name);
        }
      }
    }
  }
}

TEST_F(CudaPredictions, DecideWhatIsPlanned) {
  for_drawn_calls(
      300, [](const Call& call, const CudaMachine& machine, const auto& proposals, const std::string& what) {
        const auto fastest = std::min_element(proposals.begin(), proposals.end(), [](const auto& a, const auto& b) {
          return a.proposal.seconds < b.proposal.seconds;
        });
        const Plan plan    = plan_of(call, {}, machine);
        EXPECT_EQ(plan.seconds(), fastest->proposal.seconds) << what;
        const bool is_among = std::any_of(proposals.begin(), proposals.end(), [&](const FamilyProposal& p) {
          return p.proposal.seconds == plan.seconds() && p.family->name == std::string(plan.family) &&
                 p.proposal.tile == plan.tile();
        });
        EXPECT_TRUE(is_among) << plan.text() << what;
      });
}

void expect_whole_product(const ProductPlan& product, const Call& call) {
  const GemmShape shape = call.shape();
  EXPECT_EQ(product.shape, shape);
  EXPECT_EQ(product.order.rows, ceil_div(shape.m, product.tile.m));
  EXPECT_EQ(product.order.columns, ceil_div(shape.n, product.tile.n));
  EXPECT_GE(product.order.group, 1);
  EXPECT_GE(product.split_k * product.k_split, shape.k);
  EXPECT_LT((product.split_k - 1) * product.k_split, shape.k);
  EXPECT_EQ(product.k_split % product.tile.k, 0);
  const std::size_t sum_bytes = call.A.element == Element::f64 ? 8 : 4;
  const GemmShape cut         = product.cut_shape();
  const std::size_t slices =
      product.split_k == 1 ? 0 : static_cast<std::size_t>(product.split_k * cut.m * cut.n) * sum_bytes;
  EXPECT_EQ(cut == shape, product.whole_waves == 0);
  EXPECT_TRUE(product.whole_waves == 0 || product.split_k > 1);
  const std::size_t others = product.left_copy_bytes + product.right_copy_bytes;
  EXPECT_GE(product.workspace_bytes, slices + others);
  EXPECT_LT(product.workspace_bytes, slices + others + 64) << "but for alignment";
}

TEST_F(CudaPredictions, AreOfKernelsThatFitTheMachine) {
  for_drawn_calls(300,
                  [](const Call& call, const CudaMachine& machine, const auto& proposals, const std::string& what) {
                    for (const FamilyProposal& p : proposals) {
                      const ProductPlan product = p.family->cut({&call, 1}, machine, {}, p.proposal)[0];
                      EXPECT_STREQ(product.family, p.family->name);
                      EXPECT_EQ(product.seconds, p.proposal.seconds);
                      EXPECT_EQ(product.tile, p.proposal.tile);
                      EXPECT_LE(product.scratch_bytes, machine.scratch_max) << text_of(p) << " on " << what;
                      EXPECT_EQ(product.threads % 32, 0);
                      EXPECT_GE(product.threads, 32);
                      EXPECT_LE(product.threads, 1024);
                      expect_whole_product(product, call);
                      if (testing::Test::HasFailure()) FAIL() << text_of(p) << " on " << what;
                    }
                  });
}

// Whatever is proposed can be asked for by options, and is what comes then: the measurements that models are fitted to
// go that way.
TEST_F(CudaPredictions, AreOfWhatOptionsCanAskFor) {
  for_drawn_calls(100, [&](const Call& call, const CudaMachine& machine, const auto& proposals,
                           const std::string& what) {
    for (int trial = 0; trial < 20; ++trial) {
      const FamilyProposal& p = pick(random_, proposals);
      if (p.proposal.parts[0] == 0) continue;  // as the teams of the portable family want
      const ProductPlan expected = p.family->cut({&call, 1}, machine, {}, p.proposal)[0];
      const Plan plan            = plan_of(
                     call, {.family = p.family->name, .tile = p.proposal.tile, .split_k = static_cast<int>(p.proposal.parts[0])},
                     machine);
      EXPECT_STREQ(plan.products[0].family, p.family->name) << what;
      EXPECT_EQ(plan.products[0].tile, p.proposal.tile) << text_of(p) << " on " << what;
      EXPECT_EQ(plan.products[0].split_k, expected.split_k) << text_of(p) << " on " << what;
      EXPECT_EQ(plan.products[0].sharing_teams, expected.sharing_teams) << text_of(p) << " on " << what;
    }
  });
}

TEST_F(CudaPredictions, AreOnlyOfWhatOptionsAllow) {
  for_drawn_calls(100, [&](const Call& call, const CudaMachine& machine, const auto& proposals,
                           const std::string& what) {
    const FamilyProposal& some = pick(random_, proposals);
    for (const FamilyProposal& p : cuda_proposals(call, machine, {.family = some.family->name}))
      EXPECT_STREQ(p.family->name, some.family->name) << what;
    for (const FamilyProposal& p : cuda_proposals(call, machine, {.tile = some.proposal.tile}))
      EXPECT_TRUE(p.proposal.tile == some.proposal.tile || p.proposal.tile == some.proposal.tile.transposed()) << what;
    for (const FamilyProposal& p : cuda_proposals(call, machine, {.split_k = 3})) {
      const ProductPlan product = p.family->cut({&call, 1}, machine, {.split_k = 3}, p.proposal)[0];
      EXPECT_LE(product.split_k * product.sharing_teams, 3) << text_of(p) << " on " << what;
      EXPECT_TRUE(product.split_k * product.sharing_teams == 3 || call.shape().k < 6 * product.tile.k)
          << text_of(p) << " on " << what;
    }
  });
}

}  // namespace
}  // namespace Tegula::Test
