// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_VERSION_HPP
#define TEGULA_VERSION_HPP

// The one place where the version is written: CMake reads it from here.
#define TEGULA_VERSION_MAJOR 0
#define TEGULA_VERSION_MINOR 1
#define TEGULA_VERSION_PATCH 0

#endif
