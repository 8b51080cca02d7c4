// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_FAR_LINES_HPP
#define TEGULA_TEST_FAR_LINES_HPP

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace Tegula::Test {

/// Pieces of memory of the current device whose addresses lie `distance` bytes apart, with nothing between them: the
/// rows of a matrix that no memory would hold whole.
class FarLines {
 public:
  explicit FarLines(std::size_t distance, std::size_t lines = 2)
      : piece_bytes_(granularity()), reserved_((lines - 1) * distance + piece_bytes_) {
    check(driver_.reserve(&address_, reserved_, 0, 0, 0), "cuMemAddressReserve");
    for (std::size_t line = 0; line < lines; ++line) map(address_ + line * distance);
  }
  ~FarLines() {
    for (const auto& [address, handle] : pieces_) {
      driver_.unmap(address, piece_bytes_);
      driver_.release(handle);
    }
    driver_.free(address_, reserved_);
  }
  FarLines(const FarLines&)            = delete;
  FarLines& operator=(const FarLines&) = delete;

  void* data() const { return reinterpret_cast<void*>(address_); }

 private:
  /// The driver's functions, without linking the driver's library.
  struct Driver {
    decltype(&cuMemAddressReserve) reserve = find<decltype(&cuMemAddressReserve)>("cuMemAddressReserve");
    decltype(&cuMemAddressFree) free       = find<decltype(&cuMemAddressFree)>("cuMemAddressFree");
    decltype(&cuMemCreate) create          = find<decltype(&cuMemCreate)>("cuMemCreate");
    decltype(&cuMemRelease) release        = find<decltype(&cuMemRelease)>("cuMemRelease");
    decltype(&cuMemMap) map                = find<decltype(&cuMemMap)>("cuMemMap");
    decltype(&cuMemUnmap) unmap            = find<decltype(&cuMemUnmap)>("cuMemUnmap");
    decltype(&cuMemSetAccess) allow        = find<decltype(&cuMemSetAccess)>("cuMemSetAccess");
    decltype(&cuMemGetAllocationGranularity) granularity =
        find<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity");

    template <class Function>
    static Function find(const char* name) {
      void* function = nullptr;
      cudaDriverEntryPointQueryResult found{};
      if (cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found) != cudaSuccess ||
          found != cudaDriverEntryPointSuccess)
        throw std::runtime_error(std::string("the CUDA driver has no ") + name);
      return reinterpret_cast<Function>(function);
    }
  };

  static void check(CUresult result, const char* what) {
    if (result != CUDA_SUCCESS) throw std::runtime_error(what + std::string(": error ") + std::to_string(result));
  }

  static CUmemAllocationProp properties() {
    CUmemAllocationProp properties{};
    properties.type          = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    cudaGetDevice(&properties.location.id);
    return properties;
  }

  std::size_t granularity() const {
    std::size_t bytes = 0;
    const auto wanted = properties();
    check(driver_.granularity(&bytes, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM), "cuMemGetAllocationGranularity");
    return bytes;
  }

  void map(CUdeviceptr piece) {
    const auto wanted = properties();
    CUmemGenericAllocationHandle handle{};
    check(driver_.create(&handle, piece_bytes_, &wanted, 0), "cuMemCreate");
    check(driver_.map(piece, piece_bytes_, 0, handle, 0), "cuMemMap");
    pieces_.emplace_back(piece, handle);
    const CUmemAccessDesc access{wanted.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    check(driver_.allow(piece, piece_bytes_, &access, 1), "cuMemSetAccess");
  }

  Driver driver_;
  std::size_t piece_bytes_, reserved_;
  CUdeviceptr address_ = 0;
  std::vector<std::pair<CUdeviceptr, CUmemGenericAllocationHandle>> pieces_;
};

}  // namespace Tegula::Test

#endif
