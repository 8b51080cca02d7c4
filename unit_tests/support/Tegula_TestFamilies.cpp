// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_TestFamilies.hpp"

#include <gtest/gtest.h>

#include <Tegula.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace Tegula::Test {
namespace {

constexpr const char* property = "family";

/// What a family for GPUs of NVIDIA wants of them: bytes of scratch for a team.
struct CudaNeeds {
  const char* family;
  bool is_for_hopper;
  int scratch;
};
constexpr CudaNeeds cuda_needs[] = {
    {"simt", false, 0},          {"mma", false, 0},         {"direct", false, 0},        {"outer", false, 0},
    {"outer_mma", false, 57000}, {"stream", false, 92000},  {"narrow", false, 0},        {"gemv", false, 164000},
    {"tall", false, 74000},      {"shallow", false, 79000}, {"wgmma", true, 200000},     {"tf32", true, 200000},
    {"tf32x3", true, 200000},    {"panel", true, 200000},   {"fp32_split", true, 200000}};

std::string why_not([[maybe_unused]] const CudaNeeds& needs) {
#ifndef KOKKOS_ENABLE_CUDA
  return "this Kokkos is built without CUDA";
#else
#if TEGULA_HAS_WGMMA
  constexpr bool has_mma = true, has_wgmma = true;
#elif TEGULA_HAS_MMA
  constexpr bool has_mma = true, has_wgmma = false;
#else
  constexpr bool has_mma = false, has_wgmma = false;
#endif
  const int major = Kokkos::Cuda().cuda_device_prop().major, scratch = cuda_team_scratch();
  if (needs.is_for_hopper ? !has_wgmma : !has_mma) return "the library was built without it";
  if (needs.is_for_hopper && major != 9) return "compute capability " + std::to_string(major) + ", not 9";
  if (major < 8) return "compute capability " + std::to_string(major) + ", older than 8";
  if (scratch < needs.scratch)
    return "a team has " + std::to_string(scratch) + " bytes of scratch, not " + std::to_string(needs.scratch);
  return "";
#endif
}

std::set<std::string> required_families() {
  const char* given = std::getenv("TEGULA_TEST_REQUIRE");
  std::istringstream names(given == nullptr ? "" : given);
  std::set<std::string> required;
  for (std::string name; std::getline(names, name, ',');) {
    if (name == "all") {
      required.insert(families.begin(), families.end());
    } else if (std::find(families.begin(), families.end(), name) != families.end()) {
      required.insert(name);
    } else if (!name.empty()) {
      throw std::invalid_argument("TEGULA_TEST_REQUIRE names \"" + name + "\", which is no kernel family");
    }
  }
  return required;
}

class SkipWatch : public testing::EmptyTestEventListener {
 public:
  explicit SkipWatch(const std::set<std::string>& required) : required_(required) {}

  // Called before the printer is, while failures still count for the test.
  void OnTestEnd(const testing::TestInfo& test) override {
    const testing::TestResult& result = *test.result();
    if (!result.Skipped()) return;
    skipped_.push_back(std::string(test.test_suite_name()) + '.' + test.name() + ": " + reason_of(result));
    const std::string family = family_of(result);
    if (required_.count(family) > 0)
      ADD_FAILURE() << "TEGULA_TEST_REQUIRE names " << family << ", and this test was skipped";
  }

  void OnTestProgramEnd(const testing::UnitTest&) override {
    for (const std::string& test : skipped_) std::cout << "skipped: " << test << '\n';
  }

 private:
  static std::string reason_of(const testing::TestResult& result) {
    for (int part = 0; part < result.total_part_count(); ++part) {
      if (!result.GetTestPartResult(part).skipped()) continue;
      std::string text = result.GetTestPartResult(part).message();
      std::replace(text.begin(), text.end(), '\n', ' ');
      return text;
    }
    return "";
  }
  static std::string family_of(const testing::TestResult& result) {
    for (int p = 0; p < result.test_property_count(); ++p)
      if (result.GetTestProperty(p).key() == std::string(property)) return result.GetTestProperty(p).value();
    return "";
  }

  std::set<std::string> required_;
  std::vector<std::string> skipped_;
};

}  // namespace

#ifdef KOKKOS_ENABLE_CUDA
int cuda_team_scratch() {
#if TEGULA_CUDA_ENTRY
  return static_cast<int>(Kokkos::Cuda().cuda_device_prop().sharedMemPerBlockOptin);
#else
  return static_cast<int>(Kokkos::TeamPolicy<Kokkos::Cuda>::scratch_size_max(0));
#endif
}
#endif

std::string why_not(const std::string& family) {
  for (const CudaNeeds& needs : cuda_needs)
    if (needs.family == family) return why_not(needs);
  return "";  // host and portable
}

void needs_family(const std::string& family) {
  testing::Test::RecordProperty(property, family);
  if (const std::string reason = why_not(family); !reason.empty()) GTEST_SKIP() << reason;
}

void watch_skips() { testing::UnitTest::GetInstance()->listeners().Append(new SkipWatch(required_families())); }

}  // namespace Tegula::Test
