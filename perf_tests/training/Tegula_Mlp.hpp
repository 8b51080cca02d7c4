// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MLP_HPP
#define TEGULA_MLP_HPP

#include <Tegula.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "Tegula_Random.hpp"
#include "Tegula_Sgd.hpp"

namespace Tegula::Training {

/// A multilayer perceptron, with one row of every matrix per sample:
///
///   H(0) = inputs,   H(l+1) = Relu(H(l) W(l) + b(l)),   logits = H(L-1) W(L-1) + b(L-1)
///
/// Activations and weights are kept as Storage, logits and everything of the size of the parameters but the weights in
/// the accumulator's type. Inputs have two places, so that a batch may come while another one is read. All memory is
/// allocated at the start. Rows of all matrices begin at multiples of 16 bytes, for kernels that copy no other operands
/// than such.
template <class ExecutionSpace, class Storage>
class Mlp {
 public:
  using T            = accumulator_t<Storage>;
  using memory_space = typename ExecutionSpace::memory_space;
  template <class Element>
  using Matrix = Kokkos::View<Element**, Kokkos::LayoutRight, memory_space>;
  template <class Element>
  using Weights = Kokkos::View<Element**, Kokkos::LayoutRight, memory_space, Kokkos::MemoryUnmanaged>;
  template <class Element>
  using Bias = Kokkos::View<Element*, memory_space, Kokkos::MemoryUnmanaged>;

  /// widths: inputs, hidden layers, classes. A batch has up to batch_rows rows for training, up to forward_rows without
  /// the backward pass. `family` computes the products, or what Tegula chooses if it is empty.
  Mlp(const ExecutionSpace& exec, const std::vector<int>& widths, std::int64_t batch_rows, std::int64_t forward_rows,
      const std::string& family, Random& random)
      : exec_(exec), family_(family), widths_(widths), parameters_(place_layers(widths)) {
    const std::int64_t most_rows = std::max(batch_rows, forward_rows);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      H_.push_back(matrix<Storage>("Tegula::H", most_rows, widths[l]));
      dZ_.push_back(matrix<Storage>("Tegula::dZ", l == 0 ? 0 : batch_rows, widths[l]));
    }
    other_inputs_ = matrix<Storage>("Tegula::H", batch_rows, widths.front());
    logits_       = matrix<T>("Tegula::logits", most_rows, widths.back());
    dlogits_      = matrix<Storage>("Tegula::dlogits", batch_rows, widths.back());
    initialise(random);
  }

  /// A workspace that serves every batch of these numbers of rows.
  void reserve_workspace(const std::vector<std::int64_t>& training_rows,
                         const std::vector<std::int64_t>& forward_rows) {
    std::size_t bytes = 0;
    const auto note   = [&](const Plan& plan) { bytes = std::max(bytes, plan.workspace_bytes()); };
    for (const std::int64_t rows : training_rows) visit_forward_plans(rows, note);
    for (const std::int64_t rows : training_rows) visit_backward_plans(rows, note);
    for (const std::int64_t rows : forward_rows) visit_forward_plans(rows, note);
    workspace_ = Kokkos::View<char*, memory_space>("Tegula::workspace", bytes);
  }

  // The rows of a batch: what the network reads, in its first place or in the other one, or what layer l reads, the
  // logits and their gradient.
  Matrix<Storage> inputs(std::int64_t rows, int place = 0) const {
    return top(place == 0 ? H_[0] : other_inputs_, rows);
  }
  Matrix<Storage> inputs_of(std::size_t l, std::int64_t rows, int place = 0) const {
    return l == 0 ? inputs(rows, place) : top(H_[l], rows);
  }
  Matrix<T> logits(std::int64_t rows) const { return top(logits_, rows); }
  Matrix<Storage> dlogits(std::int64_t rows) const { return top(dlogits_, rows); }

  /// inputs(rows, place) -> logits
  void forward(std::int64_t rows, int place = 0) const {
    visit_forward(
        rows, [&](const auto&... arguments) { gemm(exec_, arguments..., options<GemmOptions>(), workspace_); }, place);
  }

  /// dlogits -> gradients of all parameters, after forward, of the same place. Nobody needs the gradient of the inputs,
  /// so it is not computed. before_first_layer() is called when those of all other layers are queued.
  template <class Call>
  void backward(std::int64_t rows, const Call& before_first_layer, int place = 0) const {
    std::size_t layers_left = layers_.size();
    visit_backward(
        rows,
        [&](const auto&... arguments) {
          if (--layers_left == 0) before_first_layer();
          gemm_backward(exec_, arguments..., Identity(), options<GemmBackwardOptions>(), workspace_);
        },
        place);
  }

  const Parameters<memory_space, Storage>& parameters() const { return parameters_; }
  std::size_t layers() const { return layers_.size(); }

  // Those of a layer among all of them, or of what lies in the same places: masters, gradients, velocities.
  template <class Element>
  Weights<Element> weights_of(const Kokkos::View<Element*, memory_space>& all, std::size_t l) const {
    const Weights<Element> padded(all.data() + layers_[l].weights, static_cast<std::size_t>(widths_[l]),
                                  pitch(widths_[l + 1]));
    return Kokkos::subview(padded, Kokkos::ALL, std::make_pair(0, widths_[l + 1]));
  }

  template <class Element>
  Bias<Element> bias_of(const Kokkos::View<Element*, memory_space>& all, std::size_t l) const {
    return Bias<Element>(all.data() + layers_[l].bias, static_cast<std::size_t>(widths_[l + 1]));
  }

  // Which of them are those of the first layer, and of the others.
  Range first_layer() const { return {0, other_layers().begin}; }
  Range other_layers() const {
    const std::size_t begin = layers_.size() > 1 ? layers_[1].weights : parameters_.master.extent(0);
    return {static_cast<std::int64_t>(begin) / parameters_.length, parameters_.runs};
  }

  // Floating-point operations in products, 2 m n k each.
  double forward_flops(std::int64_t rows) const { return 2.0 * static_cast<double>(rows) * weights(); }
  double backward_flops(std::int64_t rows) const {
    const double first = static_cast<double>(widths_[0]) * widths_[1];
    return 2.0 * static_cast<double>(rows) * (2 * weights() - first);
  }

  std::int64_t parameter_count() const {
    std::int64_t count = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) count += std::int64_t(widths_[l] + 1) * widths_[l + 1];
    return count;
  }

  // visit(plan) for every call of the passes, in order.
  template <class Visit>
  void visit_forward_plans(std::int64_t rows, const Visit& visit) const {
    visit_forward(rows,
                  [&](const auto&... arguments) { visit(make_plan(exec_, arguments..., options<GemmOptions>())); });
  }
  template <class Visit>
  void visit_backward_plans(std::int64_t rows, const Visit& visit) const {
    visit_backward(rows, [&](const auto&... arguments) {
      visit(make_plan(exec_, arguments..., Identity(), options<GemmBackwardOptions>()));
    });
  }

  // visit(measurement) likewise. Each call is measured alone, on memory of its own.
  template <class Visit>
  void visit_forward_measurements(std::int64_t rows, const Visit& visit) const {
    visit_forward(rows, [&](const auto&... arguments) { visit(measure(exec_, arguments..., options<GemmOptions>())); });
  }
  template <class Visit>
  void visit_backward_measurements(std::int64_t rows, const Visit& visit) const {
    visit_backward(rows, [&](const auto&... arguments) {
      visit(measure(exec_, arguments..., Identity(), options<GemmBackwardOptions>()));
    });
  }

 private:
  template <class Options>
  Options options() const {
    Options options;
    options.plan.family = family_;
    return options;
  }

  /// The elements of a row, and those behind it that nobody reads.
  static std::size_t pitch(int columns) {
    constexpr std::size_t unit = 16 / sizeof(Storage);
    return (static_cast<std::size_t>(columns) + unit - 1) / unit * unit;
  }

  template <class Element>
  static Matrix<Element> matrix(const std::string& label, std::int64_t rows, int columns) {
    const Matrix<Element> padded(label, static_cast<std::size_t>(rows), pitch(columns));
    return Kokkos::subview(padded, Kokkos::ALL, std::make_pair(0, columns));
  }

  /// Where a layer's parameters stand among all of them.
  struct Layer {
    std::size_t weights;
    std::size_t bias;
  };

  /// Lays out all layers, each array at a multiple of 64 elements; returns the number of elements.
  std::size_t place_layers(const std::vector<int>& widths) {
    std::size_t end  = 0;
    const auto place = [&](std::size_t count) { return std::exchange(end, end + (count + 63) / 64 * 64); };
    for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
      const std::size_t weights = place(static_cast<std::size_t>(widths[l]) * pitch(widths[l + 1]));
      layers_.push_back({weights, place(static_cast<std::size_t>(widths[l + 1]))});
    }
    return end;
  }

  /// Uniform weights of variance 2 / inputs, which Relu layers hand on; biases 0. He et al., arXiv:1502.01852.
  void initialise(Random& random) const {
    const auto host   = Kokkos::create_mirror_view(parameters_.master);
    const auto stored = Kokkos::create_mirror_view(parameters_.stored);
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const double limit = std::sqrt(6.0 / widths_[l]);
      for (int row = 0; row < widths_[l]; ++row) {
        const std::size_t begin = layers_[l].weights + static_cast<std::size_t>(row) * pitch(widths_[l + 1]);
        for (std::size_t i = begin; i < begin + static_cast<std::size_t>(widths_[l + 1]); ++i) {
          host(i)   = static_cast<T>(random.symmetric(limit));
          stored(i) = static_cast<Storage>(host(i));
        }
      }
    }
    Kokkos::deep_copy(exec_, parameters_.master, host);
    Kokkos::deep_copy(exec_, parameters_.stored, stored);
    exec_.fence();
  }

  template <class Element>
  static Matrix<Element> top(const Matrix<Element>& matrix, std::int64_t rows) {
    return Kokkos::subview(matrix, std::make_pair(std::int64_t(0), rows), Kokkos::ALL);
  }

  /// Calls call(A, B, C, epilogue) with the arguments of every gemm, in order.
  template <class Call>
  void visit_forward(std::int64_t rows, const Call& call, int place = 0) const {
    const std::size_t last = layers_.size() - 1;
    const auto H           = [&](std::size_t l) { return inputs_of(l, rows, place); };
    const auto W           = [&](std::size_t l) { return weights_of(parameters_.stored, l); };
    const auto b           = [&](std::size_t l) { return bias_of(parameters_.master, l); };
    for (std::size_t l = 0; l < last; ++l) call(H(l), W(l), H(l + 1), Epilogue(Relu(), b(l)));
    call(H(last), W(last), logits(rows), Epilogue(Identity(), b(last)));
  }

  /// Calls call(dZ, A, B, saved, dA, dB, dbias) with the arguments of every gemm_backward, in order. The loss has no
  /// activation in front of it, and each call stores dZ of the layer below with the sums of its columns, so that every
  /// layer begins with its dZ, and goes through memory for no derivative.
  template <class Call>
  void visit_backward(std::int64_t rows, const Call& call, int place = 0) const {
    const auto W    = [&](std::size_t l) { return weights_of(parameters_.stored, l); };
    const auto dW   = [&](std::size_t l) { return weights_of(parameters_.gradient, l); };
    const auto db   = [&](std::size_t l) { return bias_of(parameters_.gradient, l); };
    const auto H    = [&](std::size_t l) { return inputs_of(l, rows, place); };
    const auto dZ   = [&](std::size_t l) { return top(dZ_[l], rows); };  // of the layer that writes H(l)
    const auto last = layers_.size() - 1;
    // Of a layer that is not the first one.
    const auto upper = [&](std::size_t l, const auto& dZ_of_l, const auto& db_of_l) {
      call(dZ_of_l, H(l), W(l), none, Below(dZ(l), Relu(), Output(H(l)), db(l - 1)), dW(l), db_of_l);
    };
    if (last == 0) return call(dlogits(rows), H(0), W(0), none, none, dW(0), db(0));
    upper(last, dlogits(rows), db(last));
    for (std::size_t l = last - 1; l > 0; --l) upper(l, dZ(l + 1), none);
    call(dZ(1), H(0), W(0), none, none, dW(0), none);
  }

  double weights() const {
    double count = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) count += static_cast<double>(widths_[l]) * widths_[l + 1];
    return count;
  }

  ExecutionSpace exec_;
  std::string family_;
  std::vector<int> widths_;
  std::vector<Layer> layers_;
  Parameters<memory_space, Storage> parameters_;
  std::vector<Matrix<Storage>> H_;   // the input of every layer
  Matrix<Storage> other_inputs_;     // the second place of the first one's
  std::vector<Matrix<Storage>> dZ_;  // gradients of what Relu made them of, but for the first
  Matrix<T> logits_;
  Matrix<Storage> dlogits_;
  Kokkos::View<char*, memory_space> workspace_;
};

}  // namespace Tegula::Training

#endif
