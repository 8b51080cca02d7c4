// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_DATA_SET_HPP
#define TEGULA_DATA_SET_HPP

#include <cstdint>
#include <filesystem>
#include <vector>

namespace Tegula::Training {

/// Labelled images on the host.
struct DataSet {
  std::int64_t count = 0;
  int height = 0, width = 0;
  std::vector<std::uint8_t> images;  ///< count x height x width grey values
  std::vector<std::uint8_t> labels;  ///< count classes, each below DataSets::classes

  int pixels() const { return height * width; }
};

/// How grey values become inputs of mean 0 and variance 1: (grey - mean) / deviation.
struct Normalisation {
  double mean      = 0;
  double deviation = 1;
};

struct DataSets {
  DataSet training;
  DataSet test;
  int classes = 10;
};

/// Reads the four files of MNIST and of its successors, such as Debian's package dataset-fashion-mnist:
///   {train,t10k}-images-idx3-ubyte, {train,t10k}-labels-idx1-ubyte; each may end in .gz.
/// Throws DataError for a file that is missing or malformed, and for files that do not belong together.
DataSets read_data_sets(const std::filesystem::path& directory);

/// Random images of inputs x 1 grey values with random labels: `count` for training, one for the test. The same ones
/// every time.
DataSets noise(std::int64_t count, int inputs, int classes);

/// The mean and deviation of all grey values of a set.
Normalisation normalisation(const DataSet& set);

}  // namespace Tegula::Training

#endif
