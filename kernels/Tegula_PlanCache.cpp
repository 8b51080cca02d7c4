// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PlanCache.hpp"

#include <atomic>
#include <cstdint>
#include <utility>

#include "Tegula_Call.hpp"

namespace Tegula::Impl {
namespace {

/// Of what differs most among the calls of a program: how the matrices lie.
std::size_t place_of(const CallToPlan& c) {
  const Call& call = c.call;
  std::uint64_t hash =
      reinterpret_cast<std::uintptr_t>(call.activation_name) + (call.beta == 0 ? 1 : 0) + (call.below ? 2 : 0);
  const auto add = [&](const CallMatrix& matrix) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: multiples of it spread
    const auto bits = [](std::int64_t value, int shift) { return static_cast<std::uint64_t>(value) << shift; };
    hash ^= bits(matrix.rows, 0) ^ bits(matrix.columns, 21) ^ bits(matrix.row_stride + 3 * matrix.column_stride, 42) ^
            bits(static_cast<int>(matrix.element), 61);
    hash *= odd;
    hash ^= hash >> 32;
  };
  add(call.A);
  add(call.B);
  add(call.is_backward ? call.dC : call.C);
  return static_cast<std::size_t>(hash % PlanCache::places);
}

std::atomic<unsigned> current_era{0};

}  // namespace

PlanCache& PlanCache::of_this_thread() {
  thread_local PlanCache cache;
  if (const unsigned now = era(); cache.era_ != now && !cache.is_in_use_) {
    cache.plans_.reset();
    cache.era_ = now;
  }
  return cache;
}

void PlanCache::forget_all() { ++current_era; }

unsigned PlanCache::era() { return current_era; }

const Plan* PlanCache::find(const CallToPlan& call) const {
  if (plans_ == nullptr) return nullptr;
  const Plan& plan = (*plans_)[place_of(call)];
  return is_planned_for(plan.planned_for, call.place, call.call, call.options) ? &plan : nullptr;
}

const Plan& PlanCache::keep(Plan plan, const CallToPlan& call) {
  if (plans_ == nullptr) plans_ = std::make_unique<Plans>();
  Plan& kept       = (*plans_)[place_of(call)];
  kept             = std::move(plan);
  kept.planned_for = planned_for(call.place, call.call, call.options);
  return kept;
}

}  // namespace Tegula::Impl
