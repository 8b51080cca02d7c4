// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WRITE_IDX_HPP
#define TEGULA_WRITE_IDX_HPP

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <stdexcept>
#include <vector>

/// Makes IDX files, for tests of what reads them.

namespace Tegula::Training {

using Bytes = std::vector<std::uint8_t>;

/// An IDX file of unsigned bytes.
inline Bytes idx_bytes(const std::vector<std::uint32_t>& extents, const Bytes& values) {
  Bytes bytes{0, 0, 8, static_cast<std::uint8_t>(extents.size())};
  for (const std::uint32_t extent : extents) {
    for (const int shift : {24, 16, 8, 0}) bytes.push_back(static_cast<std::uint8_t>(extent >> shift));
  }
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

inline void write_plain(const std::filesystem::path& file, const Bytes& bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

inline void write_gzip(const std::filesystem::path& file, const Bytes& bytes) {
  const gzFile out  = gzopen(file.c_str(), "wb");
  const auto count  = static_cast<unsigned>(bytes.size());
  const bool wrote  = out != nullptr && gzwrite(out, bytes.data(), count) == static_cast<int>(count);
  const bool closed = out != nullptr && gzclose(out) == Z_OK;
  if (!wrote || !closed) throw std::runtime_error(file.string() + " cannot be written");
}

}  // namespace Tegula::Training

#endif
