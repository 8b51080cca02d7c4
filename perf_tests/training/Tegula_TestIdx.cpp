// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that the training program reads: what is right is read, what is wrong is named.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "Tegula_DataSet.hpp"
#include "Tegula_Idx.hpp"
#include "Tegula_WriteIdx.hpp"

namespace Tegula::Training {
namespace {

void expect_text(const std::string& part, const std::string& message) {
  EXPECT_PRED_FORMAT2(testing::IsSubstring, part, message);
}

/// A folder for the files of one test.
class Idx : public testing::Test {
 protected:
  void SetUp() override {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder                 = std::filesystem::current_path() / ("tegula_idx_" + test);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    file = folder / "file";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path folder, file;
};

/// The message of the DataError that `read` ends with; it must name the file.
template <class Read>
std::string error_of(const std::filesystem::path& file, const Read& read) {
  try {
    read();
  } catch (const DataError& error) {
    expect_text(file.string(), error.what());
    return error.what();
  }
  return "no error";
}

std::string read_error(const std::filesystem::path& file, std::size_t rank) {
  return error_of(file, [&] { read_idx(file, rank); });
}

TEST_F(Idx, plain_file) {
  write_plain(file, idx_bytes({2, 1, 3}, {1, 2, 3, 4, 5, 255}));
  const IdxArray array = read_idx(file, 3);
  EXPECT_EQ(array.extents, (std::vector<std::uint32_t>{2, 1, 3}));
  EXPECT_EQ(array.values, (Bytes{1, 2, 3, 4, 5, 255}));
}

TEST_F(Idx, gzip_file) {
  write_gzip(file, idx_bytes({4}, {9, 8, 7, 6}));
  EXPECT_EQ(read_idx(file, 1).values, (Bytes{9, 8, 7, 6}));
}

TEST_F(Idx, missing_file) { expect_text("cannot be opened: No such file", read_error(file, 1)); }

TEST_F(Idx, directory) {
  expect_text("found a directory", error_of(folder, [&] { read_idx(folder, 1); }));
}

TEST_F(Idx, wrong_magic_number) {
  write_plain(file, idx_bytes({4}, {9, 8, 7, 6}));
  expect_text("expected the magic number 0x00000803 (unsigned bytes, 3 extents), found 0x00000801",
              read_error(file, 3));
}

TEST_F(Idx, truncated_header) {
  const Bytes whole = idx_bytes({4, 4}, {});
  write_plain(file, Bytes(whole.begin(), whole.end() - 1));
  expect_text("truncated: expected an extent, 4 bytes, found 3", read_error(file, 2));
  write_plain(file, {});
  expect_text("truncated: expected the magic number, 4 bytes, found 0", read_error(file, 2));
}

TEST_F(Idx, truncated_values) {
  write_plain(file, idx_bytes({4}, {9, 8, 7}));
  expect_text("truncated: expected 4 bytes after the header, found 3", read_error(file, 1));
}

TEST_F(Idx, truncated_gzip_file) {
  Bytes values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i * i >> 3);
  write_gzip(file, idx_bytes({5000}, values));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  expect_text("truncated: expected 5000 bytes after the header, found ", read_error(file, 1));
}

TEST_F(Idx, gzip_file_without_its_end) {
#if ZLIB_VERNUM >= 0x1320
  GTEST_SKIP() << "zlib " ZLIB_VERSION " does not tell when nothing but the sum at the end is missing";
#endif
  write_gzip(file, idx_bytes({4}, {9, 8, 7, 6}));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 4);
  expect_text("unexpected end of file", read_error(file, 1));
}

TEST_F(Idx, gzip_file_with_a_wrong_sum) {
  write_gzip(file, idx_bytes({4}, {9, 8, 7, 6}));
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(-8, std::ios::end).put('?');
  bytes.close();
  expect_text("cannot be read: ", read_error(file, 1));
}

TEST_F(Idx, more_than_announced) {
  write_plain(file, idx_bytes({2}, {9, 8, 7}));
  expect_text("expected 2 bytes after the header, found more", read_error(file, 1));
}

TEST_F(Idx, absurd_extents) {
  write_plain(file, idx_bytes({7, 0}, {}));
  expect_text("expected extents above 0, found 7 x 0", read_error(file, 2));
  write_plain(file, idx_bytes({0xffffffff, 0xffffffff, 0xffffffff}, {1, 2}));
  expect_text("found extents 4294967295 x 4294967295", read_error(file, 3));
  write_plain(file, idx_bytes({0xffffffff}, {1, 2}));
  expect_text("expected 4294967295 bytes after the header, found 2", read_error(file, 1));
}

/// Four files that fit together: three 1 x 2 images for training, one for the test.
class DataSetFiles : public Idx {
 protected:
  void SetUp() override {
    Idx::SetUp();
    write_plain(folder / "train-images-idx3-ubyte", idx_bytes({3, 1, 2}, {0, 10, 0, 10, 0, 10}));
    write_gzip(folder / "train-labels-idx1-ubyte.gz", idx_bytes({3}, {0, 9, 1}));
    write_plain(folder / "t10k-images-idx3-ubyte", idx_bytes({1, 1, 2}, {5, 6}));
    write_plain(folder / "t10k-labels-idx1-ubyte", idx_bytes({1}, {2}));
  }

  std::string error(const std::filesystem::path& named) const {
    return error_of(named, [&] { read_data_sets(folder); });
  }
};

TEST_F(DataSetFiles, are_read) {
  const DataSets sets = read_data_sets(folder);
  EXPECT_EQ(sets.training.count, 3);
  EXPECT_EQ(sets.training.pixels(), 2);
  EXPECT_EQ(sets.training.labels, (Bytes{0, 9, 1}));
  EXPECT_EQ(sets.test.images, (Bytes{5, 6}));
  EXPECT_DOUBLE_EQ(normalisation(sets.training).mean, 5);
  EXPECT_DOUBLE_EQ(normalisation(sets.training).deviation, 5);
}

TEST_F(DataSetFiles, missing) {
  std::filesystem::remove(folder / "t10k-labels-idx1-ubyte");
  expect_text("expected a data file, found none", error(folder / "t10k-labels-idx1-ubyte"));
}

TEST_F(DataSetFiles, label_out_of_range) {
  write_gzip(folder / "train-labels-idx1-ubyte.gz", idx_bytes({3}, {0, 9, 10}));
  expect_text("expected labels from 0 to 9, found 10 at position 2", error(folder / "train-labels-idx1-ubyte.gz"));
}

TEST_F(DataSetFiles, different_counts) {
  write_plain(folder / "t10k-labels-idx1-ubyte", idx_bytes({2}, {2, 3}));
  expect_text("expected 1 labels, one for each image, found 2", error(folder / "t10k-labels-idx1-ubyte"));
}

TEST_F(DataSetFiles, different_image_sizes) {
  write_plain(folder / "t10k-images-idx3-ubyte", idx_bytes({1, 2, 1}, {5, 6}));
  expect_text("found 1 x 2 for training and 2 x 1 for the test", error(folder));
}

}  // namespace
}  // namespace Tegula::Training
