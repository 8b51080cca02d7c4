// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostInstructions.hpp"

#if TEGULA_HOST_X86_64
#include <cpuid.h>
#endif

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

#if TEGULA_HOST_X86_64
/// Of an AMD processor; 0 of others.
unsigned amd_family() {
  unsigned most = 0, eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(0, &most, &ebx, &ecx, &edx) == 0 || ebx != signature_AMD_ebx) return 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return 0;
  const unsigned family = (eax >> 8) & 0xf, extended = (eax >> 20) & 0xff;
  return family == 0xf ? family + extended : family;
}
#endif

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

bool halves_512_bits() {
#if TEGULA_HOST_X86_64
  constexpr unsigned zen_4 = 25;  // and Zen 3, which has no avx512
  static const bool halves = amd_family() == zen_4;
  return halves;
#else
  return false;
#endif
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
