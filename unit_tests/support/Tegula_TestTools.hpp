// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_TOOLS_HPP
#define TEGULA_TEST_TOOLS_HPP

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace Tegula::Test {

/// What Kokkos told its tools.
struct KokkosEvents {
  struct Launch {
    std::string label;
    std::uint32_t device;  // execution space and instance, as Kokkos::Tools::Experimental::device_id() has it
  };
  std::vector<Launch> launches;
  std::vector<std::uint64_t> ended;  // numbers of launches by parallel_for
  std::vector<std::string> allocations, deallocations;
  std::vector<std::string> fences;
  int deep_copies = 0;
};

/// Records what happens during its life through the callbacks of Kokkos Tools.
class KokkosRecorder {
 public:
  KokkosRecorder() {
    namespace Tools = Kokkos::Tools::Experimental;
    events()        = {};
    Tools::set_begin_parallel_for_callback(&launch);
    Tools::set_end_parallel_for_callback(&end);
    Tools::set_begin_parallel_reduce_callback(&launch);
    Tools::set_begin_parallel_scan_callback(&launch);
    Tools::set_allocate_data_callback(&allocate);
    Tools::set_deallocate_data_callback(&deallocate);
    Tools::set_begin_fence_callback(&fence);
    Tools::set_begin_deep_copy_callback(&deep_copy);
  }
  ~KokkosRecorder() {
    namespace Tools = Kokkos::Tools::Experimental;
    Tools::set_begin_parallel_for_callback(nullptr);
    Tools::set_end_parallel_for_callback(nullptr);
    Tools::set_begin_parallel_reduce_callback(nullptr);
    Tools::set_begin_parallel_scan_callback(nullptr);
    Tools::set_allocate_data_callback(nullptr);
    Tools::set_deallocate_data_callback(nullptr);
    Tools::set_begin_fence_callback(nullptr);
    Tools::set_begin_deep_copy_callback(nullptr);
  }
  KokkosRecorder(const KokkosRecorder&)            = delete;
  KokkosRecorder& operator=(const KokkosRecorder&) = delete;

  static KokkosEvents& events() {
    static KokkosEvents recorded;
    return recorded;
  }

 private:
  using Space = Kokkos::Tools::SpaceHandle;

  static void launch(const char* label, std::uint32_t device, std::uint64_t* id) {
    *id = events().launches.size();
    events().launches.push_back({label, device});
  }
  static void end(std::uint64_t id) { events().ended.push_back(id); }
  // Kokkos 4 reports an allocation of no bytes for every team kernel on CUDA that uses no scratch of level 1.
  static void allocate(Space, const char* label, const void*, std::uint64_t bytes) {
    if (bytes > 0) events().allocations.push_back(label);
  }
  static void deallocate(Space, const char* label, const void*, std::uint64_t bytes) {
    if (bytes > 0) events().deallocations.push_back(label);
  }
  // Kokkos fences around the callbacks of a tool by itself; those are not the library's.
  static void fence(const char* label, std::uint32_t, std::uint64_t* id) {
    *id = 0;
    if (std::string(label).find("Kokkos Profile Tool Fence") == std::string::npos) events().fences.push_back(label);
  }
  static void deep_copy(Space, const char*, const void*, Space, const char*, const void*, std::uint64_t) {
    ++events().deep_copies;
  }
};

/// The events of one call.
template <class Call>
KokkosEvents record(const Call& call) {
  const KokkosRecorder recorder;
  call();
  return KokkosRecorder::events();
}

}  // namespace Tegula::Test

#endif
