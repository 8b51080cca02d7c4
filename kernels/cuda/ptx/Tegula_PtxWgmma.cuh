// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PTX_WGMMA_CUH
#define TEGULA_PTX_WGMMA_CUH

#include <cstdint>

#include "../Tegula_CudaCall.hpp"
#include "Tegula_Major.hpp"

/// wgmma: a warpgroup multiplies 64 x 16 by 16 x N, both in shared memory, and adds the product to sums in its
/// registers. Section "Asynchronous Warpgroup Level Matrix Instructions" of NVIDIA's PTX ISA manual 8.x.

namespace Tegula::Impl::ptx {

/// "wgmma.fence": sums and shared memory that were written before may be used by the wgmma that follow.
__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

/// "wgmma.commit_group": ends the warpgroup's group of wgmma.
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

/// "wgmma.wait_group": until all but the last `Pending` groups are done.
template <int Pending>
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

/// "Matrix-descriptor": the place of an operand that TMA stored in rows of 128 bytes with the 128-byte swizzle. With
/// contiguous depth a row is 64 steps of one line, and groups of 8 rows follow each other. With contiguous lines a row
/// is 64 lines of one step, groups of 8 steps follow each other, and 64 steps later the next 64 lines begin.
__device__ inline std::uint64_t wgmma_descriptor(std::uint32_t address, Major major) {
  constexpr std::uint64_t swizzle_128 = 1, address_bits = 0x3FFFF;
  const std::uint64_t leading = major == Major::depth ? 16 : 64 * 128, stride = 8 * 128;
  return (address & address_bits) >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | swizzle_128 << 62;
}

/// The same of an operand that threads stored without a swizzle: 8 steps of one line are 16 bytes, 8 lines follow each
/// other, then the next 8 lines, and `row_bytes` later the next 8 steps.
__device__ inline std::uint64_t wgmma_plain_descriptor(std::uint32_t address, std::uint64_t row_bytes) {
  constexpr std::uint64_t address_bits = 0x3FFFF, stride = 8 * 16;
  return (address & address_bits) >> 4 | row_bytes >> 4 << 16 | stride >> 4 << 32;
}

/// The increment of a descriptor for the next 16 steps of depth.
template <Major major>
inline constexpr std::uint64_t wgmma_depth_step = (major == Major::depth ? 16 * 2 : 16 * 128) >> 4;

/// "wgmma.mma_async": sums += left right^T, or sums = left right^T. Both operands are lines x 16 steps of Input
/// (Bf16 or F16). Thread 32 w + l of the warpgroup holds row 16 w + l / 4 in sums[4 j + {0, 1}] and the row 8
/// below in sums[4 j + {2, 3}], columns 8 j + 2 (l mod 4) and the next.
template <class Input, int Columns, Major left_major, Major right_major>
struct Wgmma;

/// The same for floats that are rounded to TF32 (the tensor cores cut off other bits), 8 steps at a time, both operands
/// with contiguous depth. `left` is a descriptor, or this thread's part of the operand in registers: step l mod 4 of
/// rows 16 w + l / 4 and 8 below, then the step 4 later of both.
template <int Columns>
struct WgmmaTf32;

/// The increment of a descriptor for the next 8 steps of floats.
inline constexpr std::uint64_t wgmma_tf32_depth_step = 8 * 4 >> 4;

// An asm statement takes literals only, so that the operand lists must be written out.
#define TEGULA_SUMS_8(s, i)                                                                                   \
  "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3]), "+f"(s[i + 4]), "+f"(s[i + 5]), "+f"(s[i + 6]), \
      "+f"(s[i + 7])
#define TEGULA_SUMS_8_FROM_0(s) TEGULA_SUMS_8(s, 0)
#define TEGULA_SUMS_16(s) TEGULA_SUMS_8(s, 0), TEGULA_SUMS_8(s, 8)
#define TEGULA_SUMS_24(s) TEGULA_SUMS_16(s), TEGULA_SUMS_8(s, 16)
#define TEGULA_SUMS_32(s, i) \
  TEGULA_SUMS_8(s, i), TEGULA_SUMS_8(s, i + 8), TEGULA_SUMS_8(s, i + 16), TEGULA_SUMS_8(s, i + 24)
#define TEGULA_SUMS_48(s) TEGULA_SUMS_32(s, 0), TEGULA_SUMS_8(s, 32), TEGULA_SUMS_8(s, 40)
#define TEGULA_SUMS_64(s) TEGULA_SUMS_32(s, 0), TEGULA_SUMS_32(s, 32)
#define TEGULA_SUMS_72(s) TEGULA_SUMS_64(s), TEGULA_SUMS_8(s, 64)
#define TEGULA_SUMS_80(s) TEGULA_SUMS_72(s), TEGULA_SUMS_8(s, 72)
#define TEGULA_SUMS_88(s) TEGULA_SUMS_80(s), TEGULA_SUMS_8(s, 80)
#define TEGULA_SUMS_96(s) TEGULA_SUMS_64(s), TEGULA_SUMS_32(s, 64)
#define TEGULA_SUMS_128(s) TEGULA_SUMS_96(s), TEGULA_SUMS_32(s, 96)
#define TEGULA_NAMES_UP_TO_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define TEGULA_NAMES_UP_TO_16 TEGULA_NAMES_UP_TO_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define TEGULA_NAMES_UP_TO_24 TEGULA_NAMES_UP_TO_16 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define TEGULA_NAMES_0                                                     \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define TEGULA_NAMES_32                                                              \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define TEGULA_NAMES_64                                                              \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define TEGULA_NAMES_96                                                                          \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define TEGULA_NAMES_UP_TO_32 TEGULA_NAMES_0
#define TEGULA_NAMES_UP_TO_48 \
  TEGULA_NAMES_UP_TO_32       \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define TEGULA_NAMES_UP_TO_64 TEGULA_NAMES_UP_TO_32 ", " TEGULA_NAMES_32
#define TEGULA_NAMES_UP_TO_72 TEGULA_NAMES_UP_TO_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define TEGULA_NAMES_UP_TO_80 TEGULA_NAMES_UP_TO_72 ", %72, %73, %74, %75, %76, %77, %78, %79"
#define TEGULA_NAMES_UP_TO_88 TEGULA_NAMES_UP_TO_80 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define TEGULA_NAMES_UP_TO_96 TEGULA_NAMES_UP_TO_64 ", " TEGULA_NAMES_64
#define TEGULA_NAMES_UP_TO_128 TEGULA_NAMES_UP_TO_96 ", " TEGULA_NAMES_96

// The last five operands: both descriptors, whether left and right have contiguous lines, whether the product is added
// to sums.
#define TEGULA_WGMMA(INPUT, TYPE, COLUMNS, NAMES, SUMS, LEFT, RIGHT, LEFT_LINES, RIGHT_LINES, ADDS)             \
  template <Major left_major, Major right_major>                                                                \
  struct Wgmma<INPUT, COLUMNS, left_major, right_major> {                                                       \
    static constexpr int sums_per_thread = COLUMNS / 2;                                                         \
    template <bool adds = true>                                                                                 \
    __device__ static void multiply_add(float (&s)[sums_per_thread], std::uint64_t left, std::uint64_t right) { \
      asm volatile("wgmma.mma_async.sync.aligned.m64n" #COLUMNS "k16.f32." TYPE "." TYPE " {" NAMES "}, " LEFT  \
                   ", " RIGHT ", " ADDS ", 1, 1, " LEFT_LINES ", " RIGHT_LINES ";"                              \
                   : SUMS(s)                                                                                    \
                   : "l"(left), "l"(right), "n"(left_major == Major::lines), "n"(right_major == Major::lines),  \
                     "n"(adds));                                                                                \
    }                                                                                                           \
  };
#define TEGULA_WGMMA_ALL_COLUMNS(INPUT, TYPE)                                                                    \
  TEGULA_WGMMA(INPUT, TYPE, 16, TEGULA_NAMES_UP_TO_8, TEGULA_SUMS_8_FROM_0, "%8", "%9", "%10", "%11", "%12")     \
  TEGULA_WGMMA(INPUT, TYPE, 32, TEGULA_NAMES_UP_TO_16, TEGULA_SUMS_16, "%16", "%17", "%18", "%19", "%20")        \
  TEGULA_WGMMA(INPUT, TYPE, 48, TEGULA_NAMES_UP_TO_24, TEGULA_SUMS_24, "%24", "%25", "%26", "%27", "%28")        \
  TEGULA_WGMMA(INPUT, TYPE, 64, TEGULA_NAMES_UP_TO_32, TEGULA_SUMS_32_FROM_0, "%32", "%33", "%34", "%35", "%36") \
  TEGULA_WGMMA(INPUT, TYPE, 96, TEGULA_NAMES_UP_TO_48, TEGULA_SUMS_48, "%48", "%49", "%50", "%51", "%52")        \
  TEGULA_WGMMA(INPUT, TYPE, 128, TEGULA_NAMES_UP_TO_64, TEGULA_SUMS_64, "%64", "%65", "%66", "%67", "%68")       \
  TEGULA_WGMMA(INPUT, TYPE, 144, TEGULA_NAMES_UP_TO_72, TEGULA_SUMS_72, "%72", "%73", "%74", "%75", "%76")       \
  TEGULA_WGMMA(INPUT, TYPE, 160, TEGULA_NAMES_UP_TO_80, TEGULA_SUMS_80, "%80", "%81", "%82", "%83", "%84")       \
  TEGULA_WGMMA(INPUT, TYPE, 176, TEGULA_NAMES_UP_TO_88, TEGULA_SUMS_88, "%88", "%89", "%90", "%91", "%92")       \
  TEGULA_WGMMA(INPUT, TYPE, 192, TEGULA_NAMES_UP_TO_96, TEGULA_SUMS_96, "%96", "%97", "%98", "%99", "%100")      \
  TEGULA_WGMMA(INPUT, TYPE, 256, TEGULA_NAMES_UP_TO_128, TEGULA_SUMS_128, "%128", "%129", "%130", "%131", "%132")
#define TEGULA_SUMS_32_FROM_0(s) TEGULA_SUMS_32(s, 0)

TEGULA_WGMMA_ALL_COLUMNS(Bf16, "bf16")
TEGULA_WGMMA_ALL_COLUMNS(F16, "f16")

#define TEGULA_WGMMA_TF32(COLUMNS, NAMES, SUMS, FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH)                         \
  template <>                                                                                                       \
  struct WgmmaTf32<COLUMNS> {                                                                                       \
    __device__ static void multiply_add(float (&s)[COLUMNS / 2], std::uint64_t left, std::uint64_t right) {         \
      asm volatile("wgmma.mma_async.sync.aligned.m64n" #COLUMNS "k8.f32.tf32.tf32 {" NAMES "}, " FIRST ", " SECOND  \
                   ", 1, 1, 1;"                                                                                     \
                   : SUMS(s)                                                                                        \
                   : "l"(left), "l"(right));                                                                        \
    }                                                                                                               \
    template <bool adds = true>                                                                                     \
    __device__ static void multiply_add(float (&s)[COLUMNS / 2], const std::uint32_t (&left)[4],                    \
                                        std::uint64_t right) {                                                      \
      asm volatile("wgmma.mma_async.sync.aligned.m64n" #COLUMNS "k8.f32.tf32.tf32 {" NAMES "}, {" FIRST ", " SECOND \
                   ", " THIRD ", " FOURTH "}, " FIFTH ", " SIXTH ", 1, 1;"                                          \
                   : SUMS(s)                                                                                        \
                   : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right), "n"(adds));                \
    }                                                                                                               \
  };
TEGULA_WGMMA_TF32(64, TEGULA_NAMES_UP_TO_32, TEGULA_SUMS_32_FROM_0, "%32", "%33", "%34", "%35", "%36", "%37")
TEGULA_WGMMA_TF32(128, TEGULA_NAMES_UP_TO_64, TEGULA_SUMS_64, "%64", "%65", "%66", "%67", "%68", "%69")
TEGULA_WGMMA_TF32(192, TEGULA_NAMES_UP_TO_96, TEGULA_SUMS_96, "%96", "%97", "%98", "%99", "%100", "%101")
TEGULA_WGMMA_TF32(256, TEGULA_NAMES_UP_TO_128, TEGULA_SUMS_128, "%128", "%129", "%130", "%131", "%132", "%133")

#undef TEGULA_SUMS_8
#undef TEGULA_SUMS_8_FROM_0
#undef TEGULA_SUMS_16
#undef TEGULA_SUMS_24
#undef TEGULA_SUMS_32
#undef TEGULA_SUMS_32_FROM_0
#undef TEGULA_SUMS_64
#undef TEGULA_SUMS_48
#undef TEGULA_SUMS_72
#undef TEGULA_SUMS_80
#undef TEGULA_SUMS_88
#undef TEGULA_SUMS_96
#undef TEGULA_SUMS_128
#undef TEGULA_NAMES_UP_TO_8
#undef TEGULA_NAMES_UP_TO_16
#undef TEGULA_NAMES_UP_TO_24
#undef TEGULA_NAMES_0
#undef TEGULA_NAMES_32
#undef TEGULA_NAMES_64
#undef TEGULA_NAMES_96
#undef TEGULA_NAMES_UP_TO_32
#undef TEGULA_NAMES_UP_TO_64
#undef TEGULA_NAMES_UP_TO_48
#undef TEGULA_NAMES_UP_TO_72
#undef TEGULA_NAMES_UP_TO_80
#undef TEGULA_NAMES_UP_TO_88
#undef TEGULA_NAMES_UP_TO_96
#undef TEGULA_NAMES_UP_TO_128
#undef TEGULA_WGMMA
#undef TEGULA_WGMMA_ALL_COLUMNS
#undef TEGULA_WGMMA_TF32

}  // namespace Tegula::Impl::ptx

#endif
