// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_synthetic_idx DIRECTORY [truncated]
//
// Writes a small data set that is easily learnt: 8 x 8 noise in which one row or column, by class, is bright. Training
// files are compressed, test files plain. With `truncated` the training images end too early.

#include <cstdio>
#include <exception>
#include <random>
#include <string>

#include "Tegula_WriteIdx.hpp"

namespace Tegula::Training {
namespace {

constexpr int size = 8, classes = 10;

void draw(int label, std::mt19937& engine, Bytes& images) {
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      const bool bright = label < size ? row == label : column == label - size;
      images.push_back(static_cast<std::uint8_t>((bright ? 155 : 0) + engine() % 100));
    }
  }
}

struct Files {
  Bytes images, labels;
};

Files make_set(std::uint32_t count, std::mt19937& engine) {
  Bytes images, labels;
  for (std::uint32_t i = 0; i < count; ++i) {
    const int label = static_cast<int>(engine() % classes);
    draw(label, engine, images);
    labels.push_back(static_cast<std::uint8_t>(label));
  }
  return {idx_bytes({count, size, size}, images), idx_bytes({count}, labels)};
}

void write_sets(const std::filesystem::path& directory, bool truncated) {
  std::mt19937 engine(1);
  Files training   = make_set(603, engine);
  const Files test = make_set(201, engine);
  if (truncated) training.images.erase(training.images.end() - 100, training.images.end());
  std::filesystem::create_directories(directory);
  write_gzip(directory / "train-images-idx3-ubyte.gz", training.images);
  write_gzip(directory / "train-labels-idx1-ubyte.gz", training.labels);
  write_plain(directory / "t10k-images-idx3-ubyte", test.images);
  write_plain(directory / "t10k-labels-idx1-ubyte", test.labels);
}

}  // namespace
}  // namespace Tegula::Training

int main(int argc, char** argv) {
  const bool truncated = argc == 3 && std::string(argv[2]) == "truncated";
  if (argc != 2 && !truncated) {
    std::fprintf(stderr, "usage: tegula_synthetic_idx DIRECTORY [truncated]\n");
    return 1;
  }
  try {
    Tegula::Training::write_sets(argv[1], truncated);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tegula_synthetic_idx: %s\n", error.what());
    return 1;
  }
}
