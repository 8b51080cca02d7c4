// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_DataSet.hpp"

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "Tegula_Idx.hpp"

namespace Tegula::Training {
namespace {

constexpr std::uint32_t most_pixels = 1u << 20;
constexpr int mnist_classes         = 10;

std::filesystem::path find_file(const std::filesystem::path& directory, const std::string& name) {
  for (const char* suffix : {".gz", ""}) {
    const std::filesystem::path file = directory / (name + suffix);
    if (std::filesystem::exists(file)) return file;
  }
  throw DataError((directory / name).string() +
                  "[.gz]: expected a data file, found none; Debian's package "
                  "dataset-fashion-mnist brings it, --data names the directory");
}

DataSet read_data_set(const std::filesystem::path& directory, const std::string& prefix) {
  const std::filesystem::path image_file = find_file(directory, prefix + "-images-idx3-ubyte");
  const std::filesystem::path label_file = find_file(directory, prefix + "-labels-idx1-ubyte");
  IdxArray images                        = read_idx(image_file, 3);
  IdxArray labels                        = read_idx(label_file, 1);
  if (images.extents[0] != labels.extents[0]) {
    throw DataError(label_file.string() + ": expected " + std::to_string(images.extents[0]) +
                    " labels, one for each image, found " + std::to_string(labels.extents[0]));
  }
  if (images.extents[1] > most_pixels / images.extents[2]) {
    throw DataError(image_file.string() + ": expected at most " + std::to_string(most_pixels) + " pixels, found " +
                    std::to_string(images.extents[1]) + " x " + std::to_string(images.extents[2]));
  }
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    if (labels.values[i] < mnist_classes) continue;
    throw DataError(label_file.string() + ": expected labels from 0 to " + std::to_string(mnist_classes - 1) +
                    ", found " + std::to_string(labels.values[i]) + " at position " + std::to_string(i));
  }
  return {images.extents[0], static_cast<int>(images.extents[1]), static_cast<int>(images.extents[2]),
          std::move(images.values), std::move(labels.values)};
}

std::string image_size(const DataSet& set) { return std::to_string(set.height) + " x " + std::to_string(set.width); }

}  // namespace

DataSets read_data_sets(const std::filesystem::path& directory) {
  if (!std::filesystem::is_directory(directory)) {
    throw DataError(directory.string() +
                    ": expected a directory with the data, found none; Debian's package "
                    "dataset-fashion-mnist brings /usr/share/datasets/fashion-mnist");
  }
  DataSets sets{read_data_set(directory, "train"), read_data_set(directory, "t10k"), mnist_classes};
  if (sets.training.height != sets.test.height || sets.training.width != sets.test.width) {
    throw DataError(directory.string() + ": expected images of one size, found " + image_size(sets.training) +
                    " for training and " + image_size(sets.test) + " for the test");
  }
  return sets;
}

DataSets noise(std::int64_t count, int inputs, int classes) {
  std::mt19937 engine(1);
  const auto draw = [&](std::int64_t samples) {
    const auto labels = static_cast<std::size_t>(samples), greys = labels * static_cast<std::size_t>(inputs);
    DataSet set{samples, inputs, 1, std::vector<std::uint8_t>(greys), std::vector<std::uint8_t>(labels)};
    for (std::uint8_t& grey : set.images) grey = static_cast<std::uint8_t>(engine());
    for (std::uint8_t& label : set.labels) label = static_cast<std::uint8_t>(engine() % static_cast<unsigned>(classes));
    return set;
  };
  DataSet training = draw(count);
  return {std::move(training), draw(1), classes};
}

Normalisation normalisation(const DataSet& set) {
  std::array<std::int64_t, 256> histogram{};
  for (const std::uint8_t grey : set.images) ++histogram[grey];
  double sum = 0, squares = 0;
  for (std::size_t grey = 0; grey < histogram.size(); ++grey) {
    const double weight = static_cast<double>(histogram[grey]), value = static_cast<double>(grey);
    sum += weight * value;
    squares += weight * value * value;
  }
  const double count    = static_cast<double>(set.images.size());
  const double mean     = sum / count;
  const double variance = squares / count - mean * mean;
  return {mean, variance > 0 ? std::sqrt(variance) : 1.0};  // images of one grey value throughout become zero
}

}  // namespace Tegula::Training
