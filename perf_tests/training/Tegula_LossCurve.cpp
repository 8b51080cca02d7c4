// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_LossCurve.hpp"

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace Tegula::Training {
namespace {

/// A file name as gnuplot reads it: within single quotes only the quote itself is special, and is doubled.
std::string quoted(const std::string& name) {
  std::string text = "'";
  for (const char c : name) text += c == '\'' ? std::string("''") : std::string(1, c);
  return text + "'";
}

bool have_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

}  // namespace

LossCurve::LossCurve(const std::string& csv) : csv_(csv), out_(csv) {
  out_.precision(std::numeric_limits<double>::max_digits10);
  out_ << "epoch,train_loss,train_accuracy,test_loss,test_accuracy" << std::endl;
  check();
}

void LossCurve::add(int epoch, const Score& training, const Score& test) {
  out_ << epoch << ',' << training.loss << ',' << training.accuracy << ',' << test.loss << ',' << test.accuracy
       << std::endl;
  check();
}

void LossCurve::check() const {
  if (!out_) throw std::runtime_error(csv_ + ": the loss curve cannot be written");
}

std::string LossCurve::plot(const std::string& svg) const {
  if (!have_gnuplot()) return "no SVG, since gnuplot is not installed";
  // clang-format off
  const std::string script =
      "set terminal svg size 800,500 background rgb 'white'\n"
      "set output " + quoted(svg) + "\n"
      "set datafile separator ','\n"
      "file = " + quoted(csv_) + "\n"
      "stats file skip 1 using 1 nooutput\n"
      "if (STATS_max <= 20) { set xtics 1 }\n"
      "set xrange [0.5:STATS_max + 0.5]\n"
      "set xlabel 'epoch'\n"
      "set ylabel 'mean cross-entropy'\n"
      "set y2label 'accuracy'\n"
      "set xtics nomirror; set ytics nomirror; set y2tics; set grid; set key below\n"
      "plot file skip 1 using 1:2 with linespoints title 'training loss', "
      "file skip 1 using 1:4 with linespoints title 'test loss', "
      "file skip 1 using 1:3 axes x1y2 with linespoints dashtype 2 title 'training accuracy', "
      "file skip 1 using 1:5 axes x1y2 with linespoints dashtype 2 title 'test accuracy'\n";
  // clang-format on
  std::FILE* gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) return "no SVG, since gnuplot cannot be started";
  const bool sent = std::fputs(script.c_str(), gnuplot) >= 0;
  if (pclose(gnuplot) != 0 || !sent) return "no SVG, since gnuplot failed";
  return svg;
}

}  // namespace Tegula::Training
