// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Idx.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace Tegula::Training {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t(1) << 36;  // no data set of this kind is near it

std::string hexadecimal(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(value));
  return text;
}

/// The bytes of a file, uncompressed.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {
    if (std::filesystem::is_directory(file)) fail("expected a file, found a directory");
    errno   = 0;
    stream_ = gzopen(file.c_str(), "rb");
    if (stream_ == nullptr) fail(std::string("cannot be opened: ") + std::strerror(errno));
  }
  ~Reader() { gzclose(stream_); }
  Reader(const Reader&)            = delete;
  Reader& operator=(const Reader&) = delete;

  [[noreturn]] void fail(const std::string& what) const { throw DataError(file_.string() + ": " + what); }

  /// Up to `bytes` bytes; fewer only at the end of the file, or where a compressed one is cut off.
  std::size_t read(std::uint8_t* to, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
      const auto step = static_cast<unsigned>(std::min<std::size_t>(bytes - done, 1u << 20));
      const int got   = gzread(stream_, to + done, step);
      if (got < 0) fail_unreadable();
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  std::uint32_t read_uint32(const char* what) {
    std::uint8_t bytes[4];
    const std::size_t got = read(bytes, sizeof bytes);
    if (got < sizeof bytes) {
      fail(std::string("truncated: expected ") + what + ", 4 bytes, found " + std::to_string(got));
    }
    return std::uint32_t(bytes[0]) << 24 | std::uint32_t(bytes[1]) << 16 | std::uint32_t(bytes[2]) << 8 | bytes[3];
  }

  /// Fails unless this is the end. It is only here that zlib has checked the sum over a compressed file.
  void expect_end(std::uint64_t values) {
    std::uint8_t beyond = 0;
    if (read(&beyond, 1) > 0) fail("expected " + std::to_string(values) + " bytes after the header, found more");
    int code = 0;
    gzerror(stream_, &code);
    if (code != Z_OK) fail_unreadable();
  }

 private:
  [[noreturn]] void fail_unreadable() const {
    int code                  = 0;
    const std::string message = gzerror(stream_, &code);
    if (code == Z_ERRNO) fail(std::string("cannot be read: ") + std::strerror(errno));
    throw DataError("cannot be read: " + message);  // zlib names the file
  }

  std::filesystem::path file_;
  gzFile stream_ = nullptr;
};

void check_magic(Reader& reader, std::size_t rank) {
  const auto expected       = static_cast<std::uint32_t>(0x800 + rank);
  const std::uint32_t found = reader.read_uint32("the magic number");
  if (found != expected) {
    reader.fail("expected the magic number " + hexadecimal(expected) + " (unsigned bytes, " + std::to_string(rank) +
                (rank == 1 ? " extent" : " extents") + "), found " + hexadecimal(found));
  }
}

/// The extents, and their product.
std::uint64_t read_extents(Reader& reader, std::vector<std::uint32_t>& extents) {
  std::uint64_t bytes = 1;
  std::string text;
  for (std::uint32_t& extent : extents) {
    extent = reader.read_uint32("an extent");
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
    if (extent == 0) reader.fail("expected extents above 0, found " + text);
    if (extent > most_bytes / bytes) {
      reader.fail("expected at most " + std::to_string(most_bytes) + " bytes, found extents " + text);
    }
    bytes *= extent;
  }
  return bytes;
}

}  // namespace

IdxArray read_idx(const std::filesystem::path& file, std::size_t rank) {
  Reader reader(file);
  IdxArray array;
  array.extents.resize(rank);
  check_magic(reader, rank);
  const std::uint64_t expected = read_extents(reader, array.extents);

  // The memory grows with what is there, so that a wrong header cannot ask for more than the file holds.
  constexpr std::uint64_t step = 1u << 24;
  std::uint64_t found          = 0;
  while (found < expected) {
    const std::uint64_t wanted = std::min(expected - found, step);
    array.values.resize(found + wanted);
    const std::size_t got = reader.read(array.values.data() + found, wanted);
    found += got;
    if (got < wanted) {
      reader.fail("truncated: expected " + std::to_string(expected) + " bytes after the header, found " +
                  std::to_string(found));
    }
  }
  reader.expect_end(expected);
  return array;
}

}  // namespace Tegula::Training
