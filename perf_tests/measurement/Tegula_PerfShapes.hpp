// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_SHAPES_HPP
#define TEGULA_PERF_SHAPES_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace Tegula::Perf {

/// A product: C is m x n, summed over k.
struct Shape {
  std::string name;
  std::int64_t m, n, k;
};

/// Reads a file of lines `name,m,n,k,source` below exactly that heading; lines that begin with # are comments. The
/// source says where a shape was published, and may contain commas. A name without a folder that is no file here is
/// looked up among the shapes that come with Tegula. Throws std::runtime_error with file and line.
std::vector<Shape> read_shapes(const std::string& file);

/// The file that is read if none is named: the layers of the network in perf_tests/training.
const char* default_shapes();

}  // namespace Tegula::Perf

#endif
