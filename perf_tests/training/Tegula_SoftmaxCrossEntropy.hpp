// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SOFTMAX_CROSS_ENTROPY_HPP
#define TEGULA_SOFTMAX_CROSS_ENTROPY_HPP

#include <Tegula.hpp>

namespace Tegula::Training {

/// Softmax and cross-entropy, for every row of a batch of logits x with class y:
///
///   p(c)        = exp(x(c)) / sum of exp(x)
///   losses      = -log p(y)
///   hits        = 1 if x(y) is above all other x, else 0
///   gradient(c) = p(c) - (c == y)                 d loss / d x(c); `none` leaves it out
///
/// Sample `row` of the batch is number samples(row) of the data set, whose classes are `labels`. A thread takes a row:
/// classes are few. Losses are kept by row and not summed here, so their sum can be formed in one fixed order.
template <class LogitView, class LabelView, class SampleView, class LossView, class HitView, class GradientView>
struct SoftmaxCrossEntropy {
  using T = typename LogitView::non_const_value_type;

  LogitView logits;
  LabelView labels;
  SampleView samples;
  LossView losses;
  HitView hits;
  GradientView gradient;

  KOKKOS_FUNCTION void operator()(int row) const {
    const int classes = static_cast<int>(logits.extent(1));
    const int label   = labels(samples(row));
    // With the maximum subtracted, no exponential overflows.
    T greatest = logits(row, 0);
    for (int c = 1; c < classes; ++c) greatest = logits(row, c) > greatest ? logits(row, c) : greatest;
    T sum   = 0;
    int hit = 1;
    for (int c = 0; c < classes; ++c) {
      sum += Impl::math::exp(logits(row, c) - greatest);
      if (c != label && !(logits(row, label) > logits(row, c))) hit = 0;
    }
    losses(row) = Impl::math::log(sum) - (logits(row, label) - greatest);
    hits(row)   = hit;
    if constexpr (!Impl::is_none<GradientView>) {
      using Storage = typename GradientView::value_type;
      for (int c = 0; c < classes; ++c) {
        const T probability = Impl::math::exp(logits(row, c) - greatest) / sum;
        gradient(row, c)    = static_cast<Storage>(probability - (c == label ? T(1) : T(0)));
      }
    }
  }
};

/// Queues it on exec.
template <class ExecutionSpace, class LogitView, class LabelView, class SampleView, class LossView, class HitView,
          class GradientView>
void softmax_cross_entropy(const ExecutionSpace& exec, const LogitView& logits, const LabelView& labels,
                           const SampleView& samples, const LossView& losses, const HitView& hits,
                           const GradientView& gradient) {
  const SoftmaxCrossEntropy<LogitView, LabelView, SampleView, LossView, HitView, GradientView> kernel{
      logits, labels, samples, losses, hits, gradient};
  Kokkos::parallel_for("Tegula::softmax_cross_entropy",
                       Kokkos::RangePolicy<ExecutionSpace>(exec, 0, static_cast<int>(logits.extent(0))), kernel);
}

}  // namespace Tegula::Training

#endif
