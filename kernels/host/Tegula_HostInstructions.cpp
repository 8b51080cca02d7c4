// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostInstructions.hpp"

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "Tegula_PlanCache.hpp"

namespace Tegula::Impl {
namespace {

Instructions named(const std::string& wanted) {
  for (const Instructions known : {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    if (wanted != name(known)) continue;
    if (!has(known)) throw std::invalid_argument("TEGULA_INSTRUCTIONS is " + wanted + ", which this processor lacks");
    return known;
  }
  throw std::invalid_argument("TEGULA_INSTRUCTIONS is \"" + wanted + "\", not baseline, avx2 or avx512");
}

Instructions chosen() {
  if (const char* wanted = std::getenv("TEGULA_INSTRUCTIONS")) return named(wanted);
  for (const Instructions known : {Instructions::avx512, Instructions::avx2})
    if (has(known)) return known;
  return Instructions::baseline;
}

std::atomic<Instructions>& instructions() {
  static std::atomic<Instructions> instructions = chosen();
  return instructions;
}

}  // namespace

bool has(Instructions instructions) {
#if TEGULA_HOST_X86_64
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (instructions == Instructions::avx2) return avx2;
  if (instructions == Instructions::avx512)
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  return instructions == Instructions::baseline;
}

const char* name(Instructions instructions) {
  switch (instructions) {
    case Instructions::avx512:
      return "avx512";
    case Instructions::avx2:
      return "avx2";
    case Instructions::baseline:
      return "baseline";
  }
  return "";
}

Instructions host_instructions() { return instructions(); }

void use(Instructions wanted) {
  if (!has(wanted)) throw std::invalid_argument(std::string("this processor has no ") + name(wanted));
  instructions() = wanted;
  PlanCache::forget_all();
}

}  // namespace Tegula::Impl
