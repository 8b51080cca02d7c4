// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfShapes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "Tegula_PerfBuild.hpp"
#include "Tegula_PerfRandom.hpp"

namespace Tegula::Perf {
namespace {

constexpr const char* heading = "name,m,n,k,source";

class ShapeReader {
 public:
  explicit ShapeReader(const std::filesystem::path& file) : file_(file.string()), lines_(file) {
    if (!lines_) throw std::runtime_error("cannot open the shapes file " + file_);
  }

  std::vector<Shape> read() {
    bool seen_heading = false;
    for (std::string line; std::getline(lines_, line);) {
      ++line_number_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty() || line.front() == '#') continue;
      if (seen_heading) {
        add(line);
      } else if (line == heading) {
        seen_heading = true;
      } else {
        fail(std::string("the heading \"") + heading + "\" is expected, not \"" + line + '"');
      }
    }
    if (shapes_.empty()) fail("there is no shape in this file");
    return shapes_;
  }

 private:
  void add(const std::string& line) {
    std::array<std::string, 4> fields;
    std::size_t start = 0;
    for (std::string& field : fields) {
      const std::size_t comma = line.find(',', start);
      if (comma == std::string::npos) fail(std::string("five fields are expected: ") + heading);
      field = line.substr(start, comma - start);
      start = comma + 1;
    }
    const std::string& name = fields[0];
    if (name.empty()) fail("the name is empty");
    if (start == line.size()) fail("the source is empty");
    if (std::any_of(shapes_.begin(), shapes_.end(), [&](const Shape& shape) { return shape.name == name; }))
      fail("a second shape is named \"" + name + '"');
    shapes_.push_back({name, extent("m", fields[1]), extent("n", fields[2]), extent("k", fields[3])});
  }

  std::int64_t extent(const char* what, const std::string& text) {
    std::int64_t value    = 0;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (bad != std::errc() || end != text.data() + text.size() || value < 1)
      fail(std::string(what) + " is \"" + text + "\", not a positive integer");
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_ + ':' + std::to_string(line_number_) + ": " + what);
  }

  std::string file_;
  std::ifstream lines_;
  std::size_t line_number_ = 0;
  std::vector<Shape> shapes_;
};

/// 1 to 16384; 8 to 16384 if it is to be a multiple of 8.
std::int64_t draw_side(RandomNumbers& random, bool multiple_of_8) {
  const double side = random.log_uniform(16384);
  if (!multiple_of_8) return std::llround(side);
  return 8 * std::max<std::int64_t>(1, std::llround(side / 8));
}

bool is_too_large(const Shape& shape) {
  constexpr double most_flops = 2e11, most_bytes = 2e9, bytes = 8;
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  return 2 * m * n * k > most_flops || bytes * (m * k + k * n + m * n) > most_bytes;
}

}  // namespace

std::vector<Shape> random_shapes(int count, std::uint64_t seed) {
  RandomNumbers random(seed);
  std::vector<Shape> shapes;
  while (static_cast<int>(shapes.size()) < count) {
    const bool multiples_of_8 = shapes.size() % 2 == 1;
    Shape shape{"", 0, 0, 0};
    do {
      for (std::int64_t* side : {&shape.m, &shape.n, &shape.k}) *side = draw_side(random, multiples_of_8);
    } while (is_too_large(shape));
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "random-%04d", static_cast<int>(shapes.size()) + 1);
    shape.name = std::string(number.data()) + '-' + std::to_string(shape.m) + 'x' + std::to_string(shape.n) + 'x' +
                 std::to_string(shape.k);
    shapes.push_back(shape);
  }
  return shapes;
}

std::vector<Shape> read_shapes(const std::string& file) {
  const std::filesystem::path given(file);
  const std::filesystem::path shipped = std::filesystem::path(TEGULA_PERF_SHAPES_DIR) / given;
  const bool use_shipped =
      !given.has_parent_path() && !std::filesystem::exists(given) && std::filesystem::exists(shipped);
  return ShapeReader(use_shipped ? shipped : given).read();
}

const char* default_shapes() { return TEGULA_PERF_SHAPES_DIR "/mlp.csv"; }

}  // namespace Tegula::Perf
