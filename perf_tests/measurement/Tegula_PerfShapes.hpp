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

/// Shapes drawn at random, the same from the same seed on every machine and for every element type: sides of 1 to 16384
/// with uniform logarithms, all three rounded to multiples of 8 in every second shape. What would take more than 2e11
/// flops, or 2e9 bytes of operands and results at 8 bytes an element, is drawn again. A name is "random-0001-37x53x29".
std::vector<Shape> random_shapes(int count, std::uint64_t seed);

/// The file that is read if none is named: the layers of the network in perf_tests/training.
const char* default_shapes();

}  // namespace Tegula::Perf

#endif
