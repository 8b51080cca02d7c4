// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SOFTMAX_CROSS_ENTROPY_HPP
#define TEGULA_SOFTMAX_CROSS_ENTROPY_HPP

#include <Tegula.hpp>
#include <cstdint>

#include "Tegula_Samples.hpp"

namespace Tegula::Training {

/// Softmax and cross-entropy, for every row of a batch of logits x with class y:
///
///   p(c)        = exp(x(c)) / sum of exp(x)
///   losses      = -log p(y)
///   hits        = 1 if x(y) is above all other x, else 0
///   gradient(c) = p(c) - (c == y)                 d loss / d x(c); `none` leaves it out
///
/// The rows are the current batch of the samples, and another one is the next. The lanes of a vector take a row, so
/// that few rows keep many multiprocessors busy. Losses are kept by row and not summed here: a sum of an epoch is
/// formed once, in one fixed order.
template <class ExecutionSpace, class LogitView, class GradientView>
struct SoftmaxCrossEntropy {
  using T      = typename LogitView::non_const_value_type;
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Team   = typename Policy::member_type;

  SoftmaxCrossEntropy(const LogitView& logits_, const Samples<typename ExecutionSpace::memory_space, T>& samples,
                      const GradientView& gradient_)
      : logits(logits_),
        gradient(gradient_),
        labels(samples.batch_labels.data()),
        losses(samples.losses.data()),
        hits(samples.hits.data()),
        number(samples.number),
        batch(samples.batch) {}

  LogitView logits;
  GradientView gradient;
  const std::uint8_t* labels;
  T* losses;
  std::int32_t* hits;
  BatchNumber<typename ExecutionSpace::memory_space> number;
  std::int64_t batch;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int row = team.league_rank() * team.team_size() + team.team_rank();
    if (row >= static_cast<int>(logits.extent(0))) return;
    // Asked for before anything is waited for.
    const std::int64_t place = number.current() * batch + row;
    const int label          = labels[row];
    const auto lanes         = Kokkos::ThreadVectorRange(team, static_cast<int>(logits.extent(1)));

    T others;  // the greatest logit of another class
    Kokkos::parallel_reduce(
        lanes, [&](int c, T& most) { most = c != label && logits(row, c) > most ? logits(row, c) : most; },
        Kokkos::Max<T>(others));
    // With the maximum subtracted, no exponential overflows.
    const T greatest = logits(row, label) > others ? logits(row, label) : others;
    T sum;
    Kokkos::parallel_reduce(
        lanes, [&](int c, T& part) { part += Impl::math::exp(logits(row, c) - greatest); }, Kokkos::Sum<T>(sum));

    Kokkos::single(Kokkos::PerThread(team), [&] {
      losses[place] = Impl::math::log(sum) - (logits(row, label) - greatest);
      hits[place]   = logits(row, label) > others && sum == sum;  // NaN among the logits is in the sum
      if (row == 0) number.set_next();
    });
    if constexpr (!Impl::is_none<GradientView>) {
      using Storage = typename GradientView::value_type;
      Kokkos::parallel_for(lanes, [&](int c) {
        const T probability = Impl::math::exp(logits(row, c) - greatest) / sum;
        gradient(row, c)    = static_cast<Storage>(probability - (c == label ? T(1) : T(0)));
      });
    }
  }
};

/// Queues it on exec.
template <class ExecutionSpace, class LogitView, class GradientView>
void softmax_cross_entropy(
    const ExecutionSpace& exec, const LogitView& logits,
    const Samples<typename ExecutionSpace::memory_space, typename LogitView::non_const_value_type>& samples,
    const GradientView& gradient) {
  using Kernel    = SoftmaxCrossEntropy<ExecutionSpace, LogitView, GradientView>;
  const auto rows = static_cast<int>(logits.extent(0));
  // A host has no lanes to share: a thread of it takes a row after the other. With fewer lanes than a warp has, Kokkos
  // reckons which ones meet wherever they do, in a third of all instructions.
  constexpr bool on_host = Impl::is_host_space<ExecutionSpace>;
  const int lanes = on_host ? 1 : 32, team_rows = on_host ? 1 : 4;
  Kokkos::parallel_for("Tegula::softmax_cross_entropy",
                       typename Kernel::Policy(exec, (rows + team_rows - 1) / team_rows, team_rows, lanes),
                       Kernel(logits, samples, gradient));
}

}  // namespace Tegula::Training

#endif
