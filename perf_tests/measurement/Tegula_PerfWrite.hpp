// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_WRITE_HPP
#define TEGULA_PERF_WRITE_HPP

#include <string>

namespace Tegula::Perf {

/// Puts the text in the place of what a file holds: beside it first, so that the file is whole at all times, but for
/// what is no regular file, as /dev/stdout. Throws std::runtime_error, which names the file.
void write_file(const std::string& file, const std::string& text);

}  // namespace Tegula::Perf

#endif
