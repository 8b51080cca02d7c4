// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DEVICE_MACROS_HPP
#define TEGULA_DEVICE_MACROS_HPP

/// What device compilers are told, without Kokkos.

// A function for hosts and devices.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define TEGULA_HOST_DEVICE __host__ __device__
#else
#define TEGULA_HOST_DEVICE
#endif

// Unrolls the loop that follows, where a device compiler would otherwise keep an array that the loop indexes out of
// registers; or keeps it as a loop, since its body is long. Host compilers decide for themselves.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define TEGULA_UNROLL_ON_DEVICE _Pragma("unroll")
#define TEGULA_KEEP_LOOP_ON_DEVICE _Pragma("unroll 1")
#else
#define TEGULA_UNROLL_ON_DEVICE
#define TEGULA_KEEP_LOOP_ON_DEVICE
#endif

// Unrolls a loop whose every step reads scratch and multiplies. AMD's compiler moves the reads of all steps that it
// sees to the front and spills the registers that they need, so that it is shown two at a time.
#ifdef __HIP_DEVICE_COMPILE__
#define TEGULA_UNROLL_STEPS_ON_DEVICE _Pragma("unroll 2")
#else
#define TEGULA_UNROLL_STEPS_ON_DEVICE TEGULA_UNROLL_ON_DEVICE
#endif

// For a KOKKOS_FUNCTION that calls what it is given, and is given functions of the host alone where the kernel runs on
// the host alone: nvcc would warn of each.
#ifdef __NVCC__
#define TEGULA_CALLS_ANY_FUNCTION _Pragma("nv_exec_check_disable")
#else
#define TEGULA_CALLS_ANY_FUNCTION
#endif

#endif
