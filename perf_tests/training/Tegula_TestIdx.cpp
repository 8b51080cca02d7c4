// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that the training program reads: what is right is read, what is wrong is named.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "Tegula_DataSet.hpp"
#include "Tegula_Idx.hpp"
#include "Tegula_WriteIdx.hpp"

namespace Tegula::Training {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A folder for the files of one test.
class Idx : public testing::Test {
 protected:
  void SetUp() override {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder                 = std::filesystem::path(testing::TempDir()) / ("tegula_idx_" + test);
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
    EXPECT_THAT(error.what(), HasSubstr(file.string()));
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
  EXPECT_THAT(array.extents, ElementsAre(2, 1, 3));
  EXPECT_THAT(array.values, ElementsAre(1, 2, 3, 4, 5, 255));
}

TEST_F(Idx, gzip_file) {
  write_gzip(file, idx_bytes({4}, {9, 8, 7, 6}));
  EXPECT_THAT(read_idx(file, 1).values, ElementsAre(9, 8, 7, 6));
}

TEST_F(Idx, missing_file) { EXPECT_THAT(read_error(file, 1), HasSubstr("cannot be opened: No such file")); }

TEST_F(Idx, directory) {
  EXPECT_THAT(error_of(folder, [&] { read_idx(folder, 1); }), HasSubstr("found a directory"));
}

TEST_F(Idx, wrong_magic_number) {
  write_plain(file, idx_bytes({4}, {9, 8, 7, 6}));
  EXPECT_THAT(read_error(file, 3), HasSubstr("expected the magic number 0x00000803 (unsigned bytes, 3 extents), found "
                                             "0x00000801"));
}

TEST_F(Idx, truncated_header) {
  const Bytes whole = idx_bytes({4, 4}, {});
  write_plain(file, Bytes(whole.begin(), whole.end() - 1));
  EXPECT_THAT(read_error(file, 2), HasSubstr("truncated: expected an extent, 4 bytes, found 3"));
  write_plain(file, {});
  EXPECT_THAT(read_error(file, 2), HasSubstr("truncated: expected the magic number, 4 bytes, found 0"));
}

TEST_F(Idx, truncated_values) {
  write_plain(file, idx_bytes({4}, {9, 8, 7}));
  EXPECT_THAT(read_error(file, 1), HasSubstr("truncated: expected 4 bytes after the header, found 3"));
}

TEST_F(Idx, truncated_gzip_file) {
  Bytes values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i * i >> 3);
  write_gzip(file, idx_bytes({5000}, values));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_THAT(read_error(file, 1), HasSubstr("truncated: expected 5000 bytes after the header, found "));
}

TEST_F(Idx, gzip_file_without_its_end) {
  write_gzip(file, idx_bytes({4}, {9, 8, 7, 6}));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 4);
  EXPECT_THAT(read_error(file, 1), HasSubstr("unexpected end of file"));
}

TEST_F(Idx, gzip_file_with_a_wrong_sum) {
  write_gzip(file, idx_bytes({4}, {9, 8, 7, 6}));
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(-8, std::ios::end).put('?');
  bytes.close();
  EXPECT_THAT(read_error(file, 1), HasSubstr("cannot be read: "));
}

TEST_F(Idx, more_than_announced) {
  write_plain(file, idx_bytes({2}, {9, 8, 7}));
  EXPECT_THAT(read_error(file, 1), HasSubstr("expected 2 bytes after the header, found more"));
}

TEST_F(Idx, absurd_extents) {
  write_plain(file, idx_bytes({7, 0}, {}));
  EXPECT_THAT(read_error(file, 2), HasSubstr("expected extents above 0, found 7 x 0"));
  write_plain(file, idx_bytes({0xffffffff, 0xffffffff, 0xffffffff}, {1, 2}));
  EXPECT_THAT(read_error(file, 3), HasSubstr("found extents 4294967295 x 4294967295"));
  write_plain(file, idx_bytes({0xffffffff}, {1, 2}));
  EXPECT_THAT(read_error(file, 1), HasSubstr("expected 4294967295 bytes after the header, found 2"));
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
  EXPECT_THAT(sets.training.labels, ElementsAre(0, 9, 1));
  EXPECT_THAT(sets.test.images, ElementsAre(5, 6));
  EXPECT_DOUBLE_EQ(normalisation(sets.training).mean, 5);
  EXPECT_DOUBLE_EQ(normalisation(sets.training).deviation, 5);
}

TEST_F(DataSetFiles, missing) {
  std::filesystem::remove(folder / "t10k-labels-idx1-ubyte");
  EXPECT_THAT(error(folder / "t10k-labels-idx1-ubyte"), HasSubstr("expected a data file, found none"));
}

TEST_F(DataSetFiles, label_out_of_range) {
  write_gzip(folder / "train-labels-idx1-ubyte.gz", idx_bytes({3}, {0, 9, 10}));
  EXPECT_THAT(error(folder / "train-labels-idx1-ubyte.gz"),
              HasSubstr("expected labels from 0 to 9, found 10 at position 2"));
}

TEST_F(DataSetFiles, different_counts) {
  write_plain(folder / "t10k-labels-idx1-ubyte", idx_bytes({2}, {2, 3}));
  EXPECT_THAT(error(folder / "t10k-labels-idx1-ubyte"), HasSubstr("expected 1 labels, one for each image, found 2"));
}

TEST_F(DataSetFiles, different_image_sizes) {
  write_plain(folder / "t10k-images-idx3-ubyte", idx_bytes({1, 2, 1}, {5, 6}));
  EXPECT_THAT(error(folder), HasSubstr("found 1 x 2 for training and 2 x 1 for the test"));
}

}  // namespace
}  // namespace Tegula::Training
