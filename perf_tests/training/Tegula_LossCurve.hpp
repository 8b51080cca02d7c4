// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_LOSS_CURVE_HPP
#define TEGULA_LOSS_CURVE_HPP

#include <fstream>
#include <string>

namespace Tegula::Training {

/// Mean loss and share of hits.
struct Score {
  double loss     = 0;
  double accuracy = 0;
};

/// The course of a training run as a CSV file, complete after every epoch:
///   epoch,train_loss,train_accuracy,test_loss,test_accuracy
/// Digits suffice to tell any two values apart. No times are in it, so that equal runs leave equal files.
class LossCurve {
 public:
  /// Throws std::runtime_error, here and in add, if the file cannot be written.
  explicit LossCurve(const std::string& csv);

  void add(int epoch, const Score& training, const Score& test);

  /// Plots the file with gnuplot; says in words what came of it.
  std::string plot(const std::string& svg) const;

 private:
  void check() const;

  std::string csv_;
  std::ofstream out_;
};

}  // namespace Tegula::Training

#endif
