// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HOST_INSTRUCTIONS_HPP
#define TEGULA_HOST_INSTRUCTIONS_HPP

#include <cstddef>
#include <cstring>

/// Instruction sets of the host, chosen while the program runs, so that a library built for the oldest processor of a
/// kind uses all of a newer one. Nothing here needs Kokkos.
///
/// A piece of code that should be compiled for each set is a callable given to `with_instructions`. It is inlined, with
/// everything that it calls, into one function a set, and the compiler vectorises it there for that set. What it does
/// not inline is compiled for the oldest processor: slower, never wrong.
///
/// The library compiles the kernel, an application its own activations and scalars (Tegula_ActivationRuns.hpp), and
/// they may do so for different processors. So no type, constant or layout here depends on the compiler's flags, and
/// vectors are passed by reference, never by value, since flags decide in which registers a value is passed. Of a
/// function that both have, the linker keeps one: both compute the same, but the one kept may need the newer processor.
/// A program with files compiled for a processor runs on no older one.

#if defined(__x86_64__) && defined(__GNUC__)
#define TEGULA_HOST_X86_64 1
#else
#define TEGULA_HOST_X86_64 0
#endif

namespace Tegula::Impl {

enum class Instructions { baseline, avx2, avx512 };

/// The set that calls are planned for: the best that the processor has, or the one that the environment variable
/// TEGULA_INSTRUCTIONS names (baseline, avx2, avx512). Throws std::invalid_argument if it names another one, or one
/// that the processor lacks.
Instructions host_instructions();

/// Whether the processor has a set.
bool has(Instructions instructions);

/// Whether the processor is known to compute a vector of 512 bits as two halves, one after the other (AMD's Zen 4).
bool halves_512_bits();

/// Plans later calls for another set. Throws std::invalid_argument if the processor lacks it.
void use(Instructions instructions);

/// "avx512"
const char* name(Instructions instructions);

/// The least that every processor of the architecture has. It does not depend on what the compiler was told to build
/// for: an application is often compiled with other flags than the library, and both must cut vectors alike.
struct Baseline {
  static constexpr std::size_t vector_bytes = 16;
#if defined(__aarch64__)
  static constexpr int registers = 32;
#else
  static constexpr int registers = 16;
#endif

  template <class Function>
  static void run(const Function& function) {
    function(Baseline());
  }
};

#if TEGULA_HOST_X86_64
// `flatten` inlines whatever the callable calls. GCC would otherwise split 64-byte vectors in two.
#if defined(__clang__)
#define TEGULA_AVX512_FEATURES "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"
#else
#define TEGULA_AVX512_FEATURES "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512"
#endif

struct Avx2 {
  static constexpr std::size_t vector_bytes = 32;
  static constexpr int registers            = 16;

  template <class Function>
  __attribute__((target("avx2,fma"), flatten)) static void run(const Function& function) {
    function(Avx2());
  }
};

struct Avx512 {
  static constexpr std::size_t vector_bytes = 64;
  static constexpr int registers            = 32;

  template <class Function>
  __attribute__((target(TEGULA_AVX512_FEATURES), flatten)) static void run(const Function& function) {
    function(Avx512());
  }
};
#else
// Other architectures have the one set; host_instructions() never says otherwise.
using Avx2 = Baseline;
using Avx512 = Baseline;
#endif

/// Calls function(set) compiled for the set, where set is Baseline(), Avx2() or Avx512().
template <class Function>
void with_instructions(Instructions instructions, const Function& function) {
  switch (instructions) {
    case Instructions::avx512:
      return Avx512::run(function);
    case Instructions::avx2:
      return Avx2::run(function);
    case Instructions::baseline:
      return Baseline::run(function);
  }
}

/// choose(set) for a set of instructions: Baseline(), Avx2() or Avx512().
template <class Choose>
auto of_instructions(Instructions instructions, const Choose& choose) {
  switch (instructions) {
    case Instructions::avx512:
      return choose(Avx512());
    case Instructions::avx2:
      return choose(Avx2());
    case Instructions::baseline:
      break;
  }
  return choose(Baseline());
}

/// Elements of a vector. Compilers without vectors of their own (Tegula_HostVector.hpp) have vectors of one element.
#if defined(__GNUC__)
template <class T, class InstructionSet>
inline constexpr int host_lanes = InstructionSet::vector_bytes / sizeof(T);
#else
template <class T, class InstructionSet>
inline constexpr int host_lanes = 1;
#endif

/// Copies fewer than 2 Part elements, by powers of two.
template <int Part, class T>
void copy_rest(const T* __restrict from, int count, T* __restrict to) {
  if constexpr (Part > 0) {
    if ((count & Part) != 0) std::memcpy(to, from, Part * sizeof(T));
    const int done = count & Part;
    copy_rest<Part / 2>(from + done, count, to + done);
  }
}

}  // namespace Tegula::Impl

#endif
