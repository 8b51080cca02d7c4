// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_HostRates.hpp"

#include <array>

namespace Tegula::Impl {
namespace {

// Measured: one thread of a virtual machine on an Intel Xeon with AVX-512 (family 6, model 167, a shared last cache),
// 24 products of float and of double for each set of instructions: cycles by those that fit the second cache, memory by
// those of 60 MB and more, the call by the smallest. The model counts two multiply-adds of vectors a cycle, which the
// baseline has no instruction for: its cycles are longer. What several threads take is not measured: a typical server.
constexpr const char* source = "measured on one Intel Xeon";
constexpr double cache = 32e6, memory = 16e9, all_memory = 150e9, call = 0.33e-6, fork = 3e-6;

// By Instructions.
constexpr std::array table{
    HostRates{"host with baseline instructions", source, 2.4e9, cache, memory, all_memory, call, fork},
    HostRates{"host with avx2", source, 3.6e9, cache, memory, all_memory, call, fork},
    HostRates{"host with avx512", source, 3.3e9, cache, memory, all_memory, call, fork}};

}  // namespace

const HostRates& host_rates(Instructions instructions) { return table[static_cast<std::size_t>(instructions)]; }

}  // namespace Tegula::Impl
