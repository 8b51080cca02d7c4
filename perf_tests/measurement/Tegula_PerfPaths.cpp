// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfPaths.hpp"

#include <dlfcn.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace Tegula::Perf {
namespace {

namespace Tools = Kokkos::Tools::Experimental;

/// The kernels that ran, by the region that was entered last before them.
struct Region {
  std::string name;
  std::vector<std::string> kernels;
};
using Record = std::vector<Region>;

Record* active_record = nullptr;  // Kokkos Tools takes plain functions

void record_kernel(const char* label, const std::uint32_t, std::uint64_t*) {
  if (std::string_view(label).starts_with("peer::")) return;  // the passes around a peer's products
  active_record->back().kernels.emplace_back(label);
}
void record_region(const char* name) { active_record->push_back({name, {}}); }

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

Record record(const Side& side) {
  Record seen{Region()};
  const Listener listener(seen);
  side.calls.front()();
  Kokkos::fence();
  return seen;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " + ") + part;
  return text;
}

/// KokkosBlas enters a region for each call, with TPL_ in its name if the call may go to a library; it went there if no
/// kernel followed.
std::string path_of(const Region& region) {
  if (!region.kernels.empty()) return region.name + " -> own kernel " + join(region.kernels);
  if (region.name.find("TPL_") == std::string::npos) return region.name + " -> no kernel seen";
  const bool cublas = region.name.find("TPL_CUBLAS") != std::string::npos;
  return region.name + " -> " + library_of(dlsym(RTLD_DEFAULT, cublas ? "cublasDgemm_v2" : "dgemm_"));
}

}  // namespace

std::string library_of(const void* function) {
  Dl_info info{};
  if (function == nullptr || dladdr(function, &info) == 0 || info.dli_fname == nullptr)
    return "a library linked statically";
  std::error_code unresolved;
  const auto file = std::filesystem::canonical(info.dli_fname, unresolved);
  return unresolved ? info.dli_fname : file.string();
}

std::vector<std::string> planned_labels(const Plan& plan) {
  std::vector<std::string> labels;
  for (const ProductPlan& product : plan.products) {
    const bool has_a_kernel = product.teams() > 0 && *product.family != '\0' && !plan.is_one_kernel;
    if (has_a_kernel && std::find(labels.begin(), labels.end(), plan.label(product)) == labels.end())
      labels.push_back(plan.label(product));
  }
  return labels.empty() ? std::vector{plan.label()} : labels;
}

std::string tegula_path(const std::vector<std::string>& planned, const Side& tegula) {
  std::vector<std::string> kernels;
  for (const Region& region : record(tegula))
    kernels.insert(kernels.end(), region.kernels.begin(), region.kernels.end());
  const bool foreign = std::any_of(kernels.begin(), kernels.end(),
                                   [](const std::string& kernel) { return !kernel.starts_with("Tegula::"); });
  const bool all_ran = std::all_of(planned.begin(), planned.end(), [&](const std::string& label) {
    return std::find(kernels.begin(), kernels.end(), label) != kernels.end();
  });
  if (!all_ran || foreign)
    throw std::runtime_error("Tegula planned " + join(planned) + ", but these kernels ran: " + join(kernels));
  return join(planned);
}

std::string peer_path(const Side& peer) {
  std::vector<std::string> paths;
  for (const Region& region : record(peer)) {
    if (region.name.empty() && region.kernels.empty()) continue;
    const std::string path = path_of(region);
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  if (!peer.path.empty()) return peer.path;
  return paths.empty() ? "unknown" : join(paths);
}

std::string short_path(const std::string& path) {
  std::string text = path;
  for (const char* said_by_the_heading : {"Tegula::gemm[", "Tegula::gemm_backward[", "KokkosBlas::gemm["}) {
    const std::size_t length = std::string_view(said_by_the_heading).size();
    for (std::size_t at; (at = text.find(said_by_the_heading)) != std::string::npos;) {
      text.erase(text.find(']', at), 1);
      text.erase(at, length);
    }
  }
  const std::size_t folder = text.find(" -> /");
  if (folder != std::string::npos) text.erase(folder + 4, text.rfind('/') - folder - 3);
  return text;
}

}  // namespace Tegula::Perf
