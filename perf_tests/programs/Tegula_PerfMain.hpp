// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_MAIN_HPP
#define TEGULA_PERF_MAIN_HPP

#include <Kokkos_Core.hpp>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

namespace Tegula::Perf {

/// The body of main of a program that runs in Kokkos: run's exit code; 2 after wrong usage, 1 after what else fails.
inline int run_main(const char* program, int (*run)(int, char**), int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  // At once: several processes may write there.
  const auto say = [&](const std::exception& error) { std::cerr << std::string(program) + ": " + error.what() + '\n'; };
  try {
    return run(argc, argv);
  } catch (const std::invalid_argument& error) {
    say(error);
    return 2;
  } catch (const std::exception& error) {
    say(error);
    return 1;
  }
}

}  // namespace Tegula::Perf

#endif
