// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PlanCache.hpp"

#include <atomic>
#include <cstdint>

namespace Tegula::Impl {
namespace {

/// Of what differs most among the calls of a program: how the matrices lie.
std::size_t place_of(const PlannedFor& call) {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(call.activation) + call.is_beta_zero;
  const auto add     = [&](std::int64_t value) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio: multiples of it spread
    hash                        = (hash ^ static_cast<std::uint64_t>(value)) * odd;
    hash ^= hash >> 32;
  };
  for (const PlannedMatrix& matrix : call.matrices) {
    add(matrix.rows + (matrix.row_stride << 32));
    add(matrix.columns + (matrix.column_stride << 32) + static_cast<int>(matrix.element));
  }
  return static_cast<std::size_t>(hash % PlanCache::places);
}

std::atomic<unsigned> era{0};

}  // namespace

PlanCache& PlanCache::of_this_thread() {
  thread_local PlanCache cache;
  if (const unsigned now = era; cache.era_ != now) {
    cache.plans_.reset();
    cache.era_ = now;
  }
  return cache;
}

void PlanCache::forget_all() { ++era; }

const Plan* PlanCache::find(const PlannedFor& call) const {
  if (plans_ == nullptr) return nullptr;
  const Plan& plan = (*plans_)[place_of(call)];
  return plan.planned_for == call ? &plan : nullptr;
}

void PlanCache::keep(const Plan& plan) {
  if (plans_ == nullptr) plans_ = std::make_unique<Plans>();
  (*plans_)[place_of(plan.planned_for)] = plan;
}

}  // namespace Tegula::Impl
