// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfPaths.hpp"

#include <dlfcn.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace Tegula::Perf {
namespace {

namespace Tools = Kokkos::Tools::Experimental;

struct Record {
  std::vector<std::string> kernels, regions;
};

Record* active_record = nullptr;  // Kokkos Tools takes plain functions

void record_kernel(const char* label, const std::uint32_t, std::uint64_t*) {
  active_record->kernels.emplace_back(label);
}
void record_region(const char* label) { active_record->regions.emplace_back(label); }

/// Listens while it lives. A tool that the user loaded is put back afterwards.
class Listener {
 public:
  explicit Listener(Record& record) : before_(Tools::get_callbacks()) {
    active_record = &record;
    Tools::set_begin_parallel_for_callback(record_kernel);
    Tools::set_begin_parallel_reduce_callback(record_kernel);
    Tools::set_begin_parallel_scan_callback(record_kernel);
    Tools::set_push_region_callback(record_region);
  }
  ~Listener() { Tools::set_callbacks(before_); }
  Listener(const Listener&)            = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  Tools::EventSet before_;
};

Record record(Case& measured, void (Case::*run)()) {
  Record seen;
  const Listener listener(seen);
  (measured.*run)();
  Kokkos::fence();
  return seen;
}

/// The file that a function of this process comes from, links resolved: Debian's libblas.so.3 may be any BLAS.
std::string library_of(const char* function) {
  void* const address = dlsym(RTLD_DEFAULT, function);
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr)
    return "a library linked statically";
  std::error_code unresolved;
  const auto file = std::filesystem::canonical(info.dli_fname, unresolved);
  return unresolved ? info.dli_fname : file.string();
}

std::string library_path(const std::string& region) {
  const bool cublas = region.find("TPL_CUBLAS") != std::string::npos;
  return region + " -> " + library_of(cublas ? "cublasDgemm_v2" : "dgemm_");
}

std::string join(std::vector<std::string> parts) {
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " + ") + part;
  return text;
}

}  // namespace

std::string tegula_path(Case& measured) {
  const std::string planned = measured.planned_label();
  const Record seen         = record(measured, &Case::run_tegula);
  const bool foreign        = std::any_of(seen.kernels.begin(), seen.kernels.end(),
                                          [](const std::string& kernel) { return !kernel.starts_with("Tegula::"); });
  if (seen.kernels.empty() || seen.kernels.front() != planned || foreign)
    throw std::runtime_error("Tegula planned " + planned + ", but these kernels ran: " + join(seen.kernels));
  return planned;
}

std::string peer_path(Case& measured) {
  Record seen = record(measured, &Case::run_peer);
  std::erase_if(seen.kernels, [](const std::string& kernel) { return kernel.starts_with("peer::"); });
  std::erase_if(seen.regions, [](const std::string& region) { return !region.starts_with("KokkosBlas::"); });
  const std::string own = seen.kernels.empty() ? " -> no kernel seen" : " -> own kernel " + join(seen.kernels);
  std::vector<std::string> paths;
  for (const std::string& region : seen.regions)
    paths.push_back(region.find("TPL_") == std::string::npos ? region + own : library_path(region));
  return paths.empty() ? "unknown" + own : join(paths);
}

std::string short_path(const std::string& path) {
  const auto open = path.find('['), close = path.find(']');
  if (open == std::string::npos || close == std::string::npos) return path;
  std::string text = path.substr(open + 1, close - open - 1);
  const auto arrow = path.find(" -> ");
  if (arrow == std::string::npos) return text;
  const std::string place = path.substr(arrow + 4);
  return text + ": " + (place.starts_with('/') ? std::filesystem::path(place).filename().string() : place);
}

}  // namespace Tegula::Perf
