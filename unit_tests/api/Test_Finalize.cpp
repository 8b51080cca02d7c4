// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Tegula.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

/// When Kokkos ends, the library gives back all memory that it took for calls without a workspace, and Kokkos' tools
/// are told of that. A program of its own, since Kokkos begins and ends once in a process. Its argument says where
/// Kokkos ends: in_main, and then a finalize hook that runs behind those of the library may still call it; or at_exit,
/// when static objects of the library are already gone.

namespace {

std::map<const void*, std::string>& held() {
  static auto* const memory = new std::map<const void*, std::string>;  // outlives every static object
  return *memory;
}
int taken = 0;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::_Exit(1);
}

bool is_workspace(const char* label) { return std::strcmp(label, "Tegula::workspace") == 0; }

void allocated(Kokkos::Tools::SpaceHandle space, const char* label, const void* data, std::uint64_t) {
  if (!is_workspace(label)) return;
  held()[data] = space.name;
  ++taken;
}

void deallocated(Kokkos::Tools::SpaceHandle, const char* label, const void* data, std::uint64_t) {
  if (is_workspace(label) && held().erase(data) != 1) fail("memory is given back that is not held");
}

template <class Space>
void call() {
  using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, typename Space::memory_space>;
  const Space exec;
  const Matrix A("A", 40, 600), B("B", 600, 30), C("C", 40, 30);
  Kokkos::deep_copy(A, 1);
  Kokkos::deep_copy(B, 2);
  for (int repeat = 0; repeat < 3; ++repeat)
    Tegula::gemm(exec, A, B, C, {}, {.plan = {.family = "portable", .split_k = 4}});
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C);
  if (result(0, 0) != 1200 || result(39, 29) != 1200) fail("wrong results");
}

void call_spaces() {
  call<Kokkos::DefaultHostExecutionSpace>();
  call<Kokkos::DefaultExecutionSpace>();
}

void end() {
  if (taken == 0) fail("no memory was taken");
  Kokkos::finalize();
  if (!held().empty()) fail(("memory of " + held().begin()->second + " is not given back").c_str());
  std::puts("all memory is given back");
}

void call_late() {
  if (!held().empty()) fail("the library's hook has not run");
  const int before = taken;
  call_spaces();
  if (taken == before) fail("no memory was taken behind the library's hook");
}

}  // namespace

int main(int argc, char** argv) {
  const bool at_exit = argc > 1 && std::string(argv[1]) == "at_exit";
  Kokkos::initialize(argc, argv);
  Kokkos::Tools::Experimental::set_allocate_data_callback(&allocated);
  Kokkos::Tools::Experimental::set_deallocate_data_callback(&deallocated);
  // What is registered before the library's first call runs last.
  if (at_exit) {
    std::atexit(end);
  } else {
    Kokkos::push_finalize_hook(call_late);
  }
  call_spaces();
  if (!at_exit) end();
}
