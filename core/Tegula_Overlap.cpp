// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_Overlap.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

namespace Tegula::Impl {
namespace {

// Rounded down, for a positive denominator.
std::int64_t floor_quotient(std::int64_t numerator, std::int64_t denominator) {
  return numerator / denominator - (numerator % denominator < 0 ? 1 : 0);
}
std::int64_t ceil_quotient(std::int64_t numerator, std::int64_t denominator) {
  return -floor_quotient(-numerator, denominator);
}

// The multiples x step, 0 <= x < count.
struct Axis {
  std::int64_t step = 1, count = 1;

  std::int64_t reach() const { return step * (count - 1); }
};

// Asks whether a sum of one multiple of each axis lies in [low, high].
struct Question {
  std::array<Axis, 4> axes{};
  int size          = 0;
  std::int64_t low  = 0;
  std::int64_t high = 0;

  // By ascending steps.
  void add(const Axis& added) {
    if (added.step == 0 || added.count == 1) return;
    int at = size++;
    for (; at > 0 && axis(at - 1).step > added.step; --at) axis(at) = axis(at - 1);
    axis(at) = added;
  }
  void remove(int number) {
    std::move(axes.begin() + number + 1, axes.begin() + size, axes.begin() + number);
    axes[index(--size)] = Axis();
  }
  Axis& axis(int number) { return axes[index(number)]; }
  const Axis& axis(int number) const { return axes[index(number)]; }

  std::int64_t reach() const {
    std::int64_t sum = 0;
    for (int a = 0; a < size; ++a) sum += axis(a).reach();
    return sum;
  }
  std::int64_t width() const { return high - low + 1; }

 private:
  static std::size_t index(int axis) { return static_cast<std::size_t>(axis); }
};

// Joins axes whose multiples together are those of one: x step + y (k step) is (x + k y) step, and x + k y is every
// number from 0 on if k <= the count of x.
void join_axes(Question& q) {
  for (int a = 0; a < q.size; ++a) {
    Axis& axis = q.axis(a);
    for (int b = a + 1; b < q.size;) {
      const std::int64_t k = q.axis(b).step / axis.step;
      if (q.axis(b).step % axis.step != 0 || k > axis.count) {
        ++b;
      } else {
        axis.count += k * (q.axis(b).count - 1);
        q.remove(b);
      }
    }
  }
}

// Sums are multiples of the steps' common divisor.
void divide_steps(Question& q) {
  std::int64_t divisor = 0;
  for (int a = 0; a < q.size; ++a) divisor = std::gcd(divisor, q.axis(a).step);
  if (divisor <= 1) return;
  for (int a = 0; a < q.size; ++a) q.axis(a).step /= divisor;
  q.low  = ceil_quotient(q.low, divisor);
  q.high = floor_quotient(q.high, divisor);
}

// Leaves as few axes as can be. An axis whose steps are no longer than the interval just widens the interval.
void simplify(Question& q) {
  join_axes(q);
  divide_steps(q);
  while (q.size > 0 && q.axis(0).step <= q.width()) {
    q.low -= q.axis(0).reach();
    q.remove(0);
    divide_steps(q);
  }
}

// The sum of floor((a i + b) / m) over 0 <= i < n, modulo 2^64: Euclid's algorithm, see Graham, Knuth and Patashnik,
// Concrete Mathematics, section 3.5. m n, a n + b and what they become must fit 64 bits.
std::uint64_t floor_sum(std::uint64_t n, std::uint64_t m, std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  while (true) {
    sum += (n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n) * (a / m) + n * (b / m);
    a %= m;
    b %= m;
    const std::uint64_t last = a * n + b;
    if (last < m) return sum;
    n = last / m;
    b = last % m;
    std::swap(m, a);
  }
}

// The multiples of one axis that others, of this reach, may complete to a sum in [low, high].
std::pair<std::int64_t, std::int64_t> candidates(const Question& q, const Axis& axis, std::int64_t reach_of_others) {
  return {std::max<std::int64_t>(0, ceil_quotient(q.low - reach_of_others, axis.step)),
          std::min(axis.count - 1, floor_quotient(q.high, axis.step))};
}

// Whether x a + y b lies in [low, high] for any x and y of two axes. For the candidates x, low - x a <= the reach of b
// and 0 <= high - x a; so one of them is completed if for any of them a multiple of b's step lies between
// low - x a and high - x a. Those are counted, over all x from the last down.
bool two_axes_meet(const Question& q) {
  const Axis &a = q.axis(0), &b = q.axis(1);
  const auto [first, last] = candidates(q, a, b.reach());
  if (first > last) return false;
  const std::int64_t high = q.high - last * a.step, below = q.low - 1 - last * a.step;
  const std::int64_t shift = below < 0 ? ceil_quotient(-below, b.step) * b.step : 0;
  const auto terms         = static_cast<std::uint64_t>(last - first + 1);
  const auto up_to         = [&](std::int64_t end) {
    return floor_sum(terms, static_cast<std::uint64_t>(b.step), static_cast<std::uint64_t>(a.step),
                             static_cast<std::uint64_t>(end + shift));
  };
  return up_to(high) != up_to(below);
}

constexpr std::int64_t most_trials = 4096;

bool may_meet(Question q, std::int64_t& trials) {
  simplify(q);
  if (q.low > q.high || q.high < 0 || q.low > q.reach()) return false;
  if (q.low <= 0) return true;
  if (q.size <= 2) return two_axes_meet(q);
  // The axis with the fewest candidates is tried.
  int tried         = 0;
  std::int64_t from = 0, to = 0;
  const std::int64_t span = q.reach();
  for (int a = 0; a < q.size; ++a) {
    const auto [first, last] = candidates(q, q.axis(a), span - q.axis(a).reach());
    if (a == 0 || last - first < to - from) tried = a, from = first, to = last;
  }
  if (to - from >= trials) return true;
  Question others = q;
  others.remove(tried);
  for (std::int64_t x = from; x <= to; ++x) {
    if (--trials < 0) return true;
    others.low  = q.low - x * q.axis(tried).step;
    others.high = q.high - x * q.axis(tried).step;
    if (may_meet(others, trials)) return true;
  }
  return false;
}

constexpr double most_span = 0x1p60;

// Bytes from the beginning of the first element to that of the last. More than 2^60 are so many, nearly.
double approximate_span(const StridedBytes& m) {
  double elements = 0;
  for (int axis = 0; axis < 2; ++axis)
    elements += static_cast<double>(m.extent[axis] - 1) * static_cast<double>(m.stride[axis]);
  return elements * static_cast<double>(m.bytes);
}
bool spans_too_much(const StridedBytes& m) { return !m.has_short_factors() && approximate_span(m) > most_span; }

}  // namespace

ByteRange byte_range_of_any(const StridedBytes& m) {
  if (m.is_empty()) return {};
  using Limits = std::numeric_limits<std::int64_t>;
  if (spans_too_much(m)) return {Limits::min(), Limits::max()};
  return {m.begin, m.begin + m.span() + m.bytes};
}

bool shares_bytes(const StridedBytes& m) {
  if (m.is_empty()) return false;
  // (i, j) and (i + p, j - q) meet if p stride[0] = q stride[1]. The smallest p and q are the strides, crosswise, over
  // their common divisor.
  const std::int64_t divisor = std::gcd(m.stride[0], m.stride[1]);
  if (divisor == 0) return m.extent[0] > 1 || m.extent[1] > 1;
  return m.stride[1] / divisor < m.extent[0] && m.stride[0] / divisor < m.extent[1];
}

bool may_overlap(const StridedBytes& first, const StridedBytes& second) {
  if (first.is_empty() || second.is_empty()) return false;
  if (spans_too_much(first) || spans_too_much(second)) return true;
  const std::int64_t distance = second.begin - first.begin, first_span = first.span();
  if (distance >= first_span + first.bytes || -distance >= second.span() + second.bytes) return false;

  // Elements share a byte if the second begins less than the first's bytes behind it, and less than its own before it.
  // Counted from the last element of the first on, all steps are positive.
  Question q;
  q.low  = first_span - distance - second.bytes + 1;
  q.high = first_span - distance + first.bytes - 1;
  for (const StridedBytes* m : {&first, &second})
    for (int axis = 0; axis < 2; ++axis)
      if (m->extent[axis] > 1) q.add({m->stride[axis] * m->bytes, m->extent[axis]});
  std::int64_t trials = most_trials;
  return may_meet(q, trials);
}

}  // namespace Tegula::Impl
