// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_IDX_HPP
#define TEGULA_IDX_HPP

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace Tegula::Training {

/// A data file is missing, or is not what it should be. The message names the file, what was expected and what is
/// there.
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An array of bytes as an IDX file holds it, the last index running fastest.
struct IdxArray {
  std::vector<std::uint32_t> extents;
  std::vector<std::uint8_t> values;
};

/// Reads an IDX file of unsigned bytes, plain or compressed by gzip:
///
///   0 0 8 r        the magic number: unsigned bytes, r extents
///   r extents      32 bits each, most significant byte first
///   the values     as many bytes as the product of the extents
///
/// Throws DataError unless the file is that to the byte, with `rank` extents.
IdxArray read_idx(const std::filesystem::path& file, std::size_t rank);

}  // namespace Tegula::Training

#endif
