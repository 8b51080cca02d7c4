// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_PerfOneDnn.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "Tegula_Activation.hpp"
#include "Tegula_PerfPaths.hpp"

namespace Tegula::Perf {
namespace {

struct Eltwise {
  std::string_view activation;
  dnnl::algorithm algorithm;
  float alpha;
};

const std::array eltwise_table{
    Eltwise{Relu::name, dnnl::algorithm::eltwise_relu, 0},
    Eltwise{LeakyRelu::name, dnnl::algorithm::eltwise_relu, static_cast<float>(LeakyRelu().slope)},
    Eltwise{Tanh::name, dnnl::algorithm::eltwise_tanh, 0},
    Eltwise{Sigmoid::name, dnnl::algorithm::eltwise_logistic, 0},
    Eltwise{Silu::name, dnnl::algorithm::eltwise_swish, 1},
    Eltwise{GeluTanh::name, dnnl::algorithm::eltwise_gelu_tanh, 0},
    Eltwise{GeluErf::name, dnnl::algorithm::eltwise_gelu_erf, 0}};

void append_eltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm, float alpha) {
#if DNNL_VERSION_MAJOR >= 3
  ops.append_eltwise(algorithm, alpha, 0);
#else
  ops.append_eltwise(1, algorithm, alpha, 0);
#endif
}

// In the order of the formula.
dnnl::post_ops post_ops_of(const FusedLayer& layer) {
  dnnl::post_ops ops;
  if (layer.scaling.alpha != 1)
    append_eltwise(ops, dnnl::algorithm::eltwise_linear, static_cast<float>(layer.scaling.alpha));
  if (layer.scaling.beta != 0) ops.append_sum(static_cast<float>(layer.scaling.beta));
  if (layer.activation == Identity::name) return ops;
  const auto row = std::find_if(eltwise_table.begin(), eltwise_table.end(),
                                [&](const Eltwise& eltwise) { return eltwise.activation == layer.activation; });
  if (row == eltwise_table.end()) throw std::logic_error("no eltwise for " + layer.activation);
  append_eltwise(ops, row->algorithm, row->alpha);
  return ops;
}

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::memory matrix(const float* values, std::int64_t rows, std::int64_t columns, std::array<std::int64_t, 2> strides) {
  const dnnl::memory::desc desc({rows, columns}, dnnl::memory::data_type::f32,
                                dnnl::memory::dims{strides[0], strides[1]});
  return {desc, cpu(), const_cast<float*>(values)};
}

dnnl::primitive_attr attributes(const FusedLayer& layer) {
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(post_ops_of(layer));
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_fpmath_mode(dnnl::fpmath_mode::strict);
  return attributes;
}

using Description = dnnl::matmul::primitive_desc;

/// Without a bias where its description is empty.
Description describe(const dnnl::memory::desc& A, const dnnl::memory::desc& B, const dnnl::memory::desc& bias,
                     const dnnl::memory::desc& C, const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR >= 3
  return {cpu(), A, B, bias, C, attributes};
#else
  return {dnnl::matmul::desc(A, B, bias, C), attributes, cpu()};
#endif
}

bool is_reference(const Description& description) {
  return std::string_view(description.impl_info_str()).starts_with("ref");
}

/// B in the order of the description: itself, or a copy.
dnnl::memory in_order(const dnnl::memory& B, const dnnl::memory::desc& order) {
  if (order == B.get_desc()) return B;
  dnnl::memory copy(order, cpu());
  dnnl::stream stream(cpu());
  dnnl::reorder(B, copy).execute(stream, const_cast<dnnl::memory&>(B), copy);
  stream.wait();
  return copy;
}

/// A function of the OpenMP runtime that oneDNN brings into the process, or of the one that takes its place there.
/// Null without one.
template <class Function>
Function openmp(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

Call onednn_call(const FusedLayer& layer) {
  const dnnl::memory A    = matrix(layer.A, layer.m, layer.k, layer.A_strides);
  const dnnl::memory B    = matrix(layer.B, layer.k, layer.n, layer.B_strides);
  const dnnl::memory C    = matrix(layer.C, layer.m, layer.n, layer.C_strides);
  const dnnl::memory bias = layer.bias == nullptr ? dnnl::memory() : matrix(layer.bias, 1, layer.n, {layer.n, 1});
  const auto bias_desc    = layer.bias == nullptr ? dnnl::memory::desc() : bias.get_desc();
  if (layer.bias != nullptr && layer.scaling.alpha != 1) return {{}, "", "it would scale the bias with alpha"};

  const dnnl::memory::desc any_order({layer.k, layer.n}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any);
  Description description = describe(A.get_desc(), any_order, bias_desc, C.get_desc(), attributes(layer));
  if (is_reference(description))
    description = describe(A.get_desc(), B.get_desc(), bias_desc, C.get_desc(), attributes(layer));
  const std::string implementation = description.impl_info_str();
  if (is_reference(description)) return {{}, "", "it has only its reference (" + implementation + ")"};

  const dnnl::memory weights = in_order(B, description.weights_desc());
  const bool reordered       = weights.get_desc() != B.get_desc();
  const dnnl::memory scratchpad(description.scratchpad_desc(), cpu());
  std::unordered_map<int, dnnl::memory> arguments{
      {DNNL_ARG_SRC, A}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, C}, {DNNL_ARG_SCRATCHPAD, scratchpad}};
  if (layer.bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, bias);
  const auto run = [primitive = dnnl::matmul(description), stream = dnnl::stream(cpu()), arguments]() mutable {
    primitive.execute(stream, arguments);
    stream.wait();
  };
  return {run, implementation + (reordered ? ", weights reordered beforehand" : ""), ""};
}

// OpenMP keeps the number for the thread that calls this. Where Kokkos has already set it, nothing is changed.
std::string start_onednn(int threads) {
  const dnnl_version_t& version = *dnnl_version();
  int threads_now               = 1;
  if (version.cpu_runtime == DNNL_RUNTIME_OMP) {
    const auto get = openmp<int (*)()>("omp_get_max_threads");
    const auto set = openmp<void (*)(int)>("omp_set_num_threads");
    if (get == nullptr || set == nullptr) throw std::runtime_error("oneDNN is here without its OpenMP runtime");
    if (get() != threads) set(threads);
    threads_now = get();
  } else if (version.cpu_runtime != DNNL_RUNTIME_SEQ) {
    throw std::runtime_error("this oneDNN has neither OpenMP nor a single thread, so its threads cannot be set");
  }
  return "oneDNN " + std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' +
         std::to_string(version.patch) + ", " + library_of(reinterpret_cast<void*>(&dnnl_version)) + ", threads " +
         std::to_string(threads_now);
}

}  // namespace Tegula::Perf
