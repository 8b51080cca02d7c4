// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_MAIN_HPP
#define TEGULA_PERF_MAIN_HPP

#include <Kokkos_Core.hpp>
#include <exception>
#include <iostream>
#include <stdexcept>

namespace Tegula::Perf {

/// The body of main of a program that runs in Kokkos: run's exit code; 2 after wrong usage, 1 after what else fails.
inline int run_main(const char* program, int (*run)(int, char**), int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return run(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::cerr << program << ": " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << program << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace Tegula::Perf

#endif
