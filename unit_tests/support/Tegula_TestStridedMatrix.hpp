// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TEST_STRIDED_MATRIX_HPP
#define TEGULA_TEST_STRIDED_MATRIX_HPP

#include "Tegula_TestMatrix.hpp"

namespace Tegula::Test {

/// A matrix with strides drawn at random, in an allocation that is poison (NaN) everywhere else. Its address and its
/// pitch are multiples of `alignment` elements; if that is more than one, its rows or its columns are contiguous.
template <class MemorySpace, class Scalar>
class StridedMatrix {
 public:
  using View  = Kokkos::View<Scalar**, Kokkos::LayoutStride, MemorySpace>;
  using Space = typename MemorySpace::execution_space;

  /// In the memory of exec's device.
  StridedMatrix(Random& random, std::int64_t rows, std::int64_t columns, bool poisoned = false,
                std::int64_t alignment = 1, const Space& exec = Space())
      : rows_(rows), columns_(columns), margin_(alignment == 1 ? 3 : alignment) {
    draw_strides(random, alignment);
    storage_ = Storage(Kokkos::view_alloc(exec, std::string("storage")),
                       static_cast<std::size_t>(2 * margin_ + rows * stride_[0] + columns * stride_[1]));
    exec.fence();
    fill([&] { return poisoned ? poison() : from_double<Scalar>(uniform(random, -1, 1)); });
  }

  /// Copies have elements of their own.
  StridedMatrix(const StridedMatrix& other) : StridedMatrix(other, other.storage_.extent(0)) {}
  StridedMatrix(StridedMatrix&&) = default;

  View view() const {
    const auto extent = [](std::int64_t value) { return static_cast<std::size_t>(value); };
    return View(storage_.data() + margin_,
                Kokkos::LayoutStride(extent(rows_), extent(stride_[0]), extent(columns_), extent(stride_[1])));
  }
  /// Other values in the same place: what next() gives, row by row.
  template <class Next>
  void set(const Next& next) const {
    fill([&] { return from_double<Scalar>(next()); });
  }
  void redraw(Random& random) const {
    set([&] { return uniform(random, -1, 1); });
  }
  void make_poison() const { fill(&poison); }

  auto row() const { return Kokkos::subview(view(), 0, Kokkos::ALL()); }

  HostMatrix values() const {
    const Mirror now = download();
    HostMatrix result(rows_, columns_);
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) result(i, j) = to_double(now(offset(i, j)));
    return result;
  }

  /// Whether all poison that lies between the elements, and around them, is still there.
  bool surroundings_untouched() const {
    const Mirror now = download();
    std::vector<char> inside(now.extent(0), 0);
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) inside[offset(i, j)] = 1;
    const Scalar expected = poison();
    for (std::size_t e = 0; e < inside.size(); ++e)
      if (!inside[e] && std::memcmp(&now(e), &expected, sizeof(Scalar)) != 0) return false;
    return true;
  }

 private:
  using Storage = Kokkos::View<Scalar*, MemorySpace>;
  using Mirror  = decltype(Kokkos::create_mirror(std::declval<Storage>()));

  StridedMatrix(const StridedMatrix& other, std::size_t size)
      : rows_(other.rows_),
        columns_(other.columns_),
        margin_(other.margin_),
        stride_{other.stride_[0], other.stride_[1]},
        storage_("storage", size) {
    Kokkos::deep_copy(storage_, other.storage_);
  }

  static Scalar poison() { return from_double<Scalar>(std::numeric_limits<double>::quiet_NaN()); }

  // Poison around the elements, and what next() gives for each of them.
  template <class Next>
  void fill(const Next& next) const {
    Mirror host = Kokkos::create_mirror(storage_);
    for (std::size_t e = 0; e < host.extent(0); ++e) host(e) = poison();
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = 0; j < columns_; ++j) host(offset(i, j)) = next();
    Kokkos::deep_copy(storage_, host);
  }

  // By rows or by columns, dense, with a longer pitch, or with gaps in both directions.
  void draw_strides(Random& random, std::int64_t alignment) {
    const int fast          = static_cast<int>(random() % 2);
    const std::int64_t step = alignment == 1 && random() % 4 == 0 ? 2 : 1;
    const std::int64_t gap  = random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % 9);
    const std::int64_t line = std::max<std::int64_t>(1, step * (fast == 0 ? rows_ : columns_) + gap);
    stride_[fast]           = step;
    stride_[1 - fast]       = ceil_div(line, alignment) * alignment;
  }
  std::size_t offset(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>(margin_ + i * stride_[0] + j * stride_[1]);
  }
  Mirror download() const {
    Mirror now = Kokkos::create_mirror(storage_);
    Kokkos::deep_copy(now, storage_);
    return now;
  }

  std::int64_t rows_, columns_, margin_, stride_[2];
  Storage storage_;
};

}  // namespace Tegula::Test

#endif
