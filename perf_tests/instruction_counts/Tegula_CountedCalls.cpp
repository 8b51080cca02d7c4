// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tegula_counted_calls FILE: makes the calls of a file on one thread, for callgrind to count their instructions. It
// prints each call's number among those that are counted, and its line.

#include <Kokkos_Core.hpp>
#include <Tegula.hpp>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "Tegula_PerfMain.hpp"

// callgrind knows it by its name. What stands behind the call keeps a compiler from jumping there.
extern "C" [[gnu::noinline]] void tegula_counted_call(const std::function<void()>& call) {
  call();
  asm volatile("" ::: "memory");
}

namespace Tegula::Perf {
namespace {

using Space = Kokkos::Serial;
template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Space>;
template <class T>
using Vector = Kokkos::View<T*, Space>;

/// "gemm f32 NT relu 100 50 30": function, elements, operations, layer, and the extents m, n and k. The layer is none,
/// or an activation, with a bias.
struct CountedCall {
  std::string function, type, ops, layer;
  int m = 0, n = 0, k = 0;

  Op op_a() const { return ops[0] == 'N' ? Op::none : Op::transpose; }
  Op op_b() const { return ops[1] == 'N' ? Op::none : Op::transpose; }
};

CountedCall counted_call_of(const std::string& line) {
  CountedCall call;
  std::istringstream words(line);
  words >> call.function >> call.type >> call.ops >> call.layer >> call.m >> call.n >> call.k;
  const bool is_known = call.function == "gemm" || call.function == "gemm_backward";
  const bool has_ops  = call.ops.size() == 2 && call.ops.find_first_not_of("NT") == std::string::npos;
  if (!words || !words.eof() || !is_known || !has_ops)
    throw std::invalid_argument('"' + line + "\" is not such as \"gemm f32 NT relu 100 50 30\"");
  return call;
}

/// Values in [-1, 1] of both signs, the same in every run.
template <class T>
Matrix<T> filled(const std::string& label, Op op, int rows, int columns) {
  const Matrix<T> matrix(label, op == Op::none ? rows : columns, op == Op::none ? columns : rows);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix.data()[i] = static_cast<T>(static_cast<double>(i * 2654435761u % 1009) / 504.5 - 1);
  return matrix;
}

/// Counts a call that the same calls came before: a thread keeps their plan, and the library their memory.
template <class Run>
void count(const Run& run) {
  constexpr int before = 3;
  for (int call = 0; call < before; ++call) run();
  tegula_counted_call(run);
}

template <class T, class EpilogueType>
void count_gemm(const CountedCall& call, const EpilogueType& epilogue) {
  const Matrix<T> A = filled<T>("A", call.op_a(), call.m, call.k), B = filled<T>("B", call.op_b(), call.k, call.n);
  const Matrix<T> C("C", call.m, call.n);
  GemmOptions options;
  options.op_a = call.op_a();
  options.op_b = call.op_b();
  count([&] { gemm(Space(), A, B, C, epilogue, options); });
}

template <class T, class Activation>
void count_gradients(const CountedCall& call, const Activation& activation) {
  const Matrix<T> A = filled<T>("A", call.op_a(), call.m, call.k), B = filled<T>("B", call.op_b(), call.k, call.n);
  const Matrix<T> dC = filled<T>("dC", Op::none, call.m, call.n), C = filled<T>("C", Op::none, call.m, call.n);
  const Matrix<T> dA("dA", A.extent(0), A.extent(1)), dB("dB", B.extent(0), B.extent(1));
  const Vector<T> dbias("dbias", call.n);
  GemmBackwardOptions options;
  options.op_a = call.op_a();
  options.op_b = call.op_b();
  count([&] { gemm_backward(Space(), dC, A, B, saved_for(activation, C, C), dA, dB, dbias, activation, options); });
}

template <class T, class Activation>
void count_layer(const CountedCall& call, const Activation& activation) {
  if (call.function == "gemm_backward") return count_gradients<T>(call, activation);
  count_gemm<T>(call, Epilogue(activation, Vector<T>("bias", call.n)));
}

template <class T>
void count_call_of(const CountedCall& call) {
  if (call.layer == "relu") return count_layer<T>(call, Relu());
  if (call.layer == "gelu_tanh") return count_layer<T>(call, GeluTanh());
  if (call.layer == "none" && call.function == "gemm") return count_gemm<T>(call, Epilogue<>());
  throw std::invalid_argument("no layer " + call.layer + " of " + call.function);
}

void count_call(const CountedCall& call) {
  if (call.type == "f32") return count_call_of<float>(call);
  if (call.type == "f64") return count_call_of<double>(call);
  throw std::invalid_argument("no elements " + call.type);
}

int run(int argc, char** argv) {
  if (argc != 2) throw std::invalid_argument("the file of calls is expected, and nothing else");
  std::ifstream lines(argv[1]);
  if (!lines) throw std::invalid_argument(std::string("cannot open ") + argv[1]);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const CountedCall call = counted_call_of(line);
    count_call(call);
    std::cout << ++number << ' ' << line << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace Tegula::Perf

int main(int argc, char** argv) {
  return Tegula::Perf::run_main("tegula_counted_calls", Tegula::Perf::run, argc, argv);
}
