// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfWrite.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace Tegula::Perf {

void write_file(const std::string& file, const std::string& text) {
  namespace fs           = std::filesystem;
  const fs::path place   = fs::exists(file) ? fs::canonical(file) : fs::path(file);  // a link stays one
  const bool is_whole    = fs::is_regular_file(place) || !fs::exists(place);
  const fs::path written = is_whole ? fs::path(place.string() + ".new." + std::to_string(getpid())) : place;
  std::ofstream output(written);
  output << text;
  output.close();
  std::error_code error;
  if (output && is_whole) fs::rename(written, place, error);
  if (output && !error) return;
  if (is_whole) std::remove(written.c_str());
  throw std::runtime_error("cannot write " + file);
}

}  // namespace Tegula::Perf
