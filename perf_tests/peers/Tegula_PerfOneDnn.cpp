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

dnnl::post_ops post_ops_of(std::string_view activation) {
  dnnl::post_ops ops;
  if (activation == Identity::name) return ops;
  const auto row = std::find_if(eltwise_table.begin(), eltwise_table.end(),
                                [&](const Eltwise& eltwise) { return eltwise.activation == activation; });
  if (row == eltwise_table.end()) throw std::logic_error("no eltwise for " + std::string(activation));
#if DNNL_VERSION_MAJOR >= 3
  ops.append_eltwise(row->algorithm, row->alpha, 0);
#else
  ops.append_eltwise(1, row->algorithm, row->alpha, 0);
#endif
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
  attributes.set_post_ops(post_ops_of(layer.activation));
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_fpmath_mode(dnnl::fpmath_mode::strict);
  return attributes;
}

dnnl::matmul::primitive_desc describe(const dnnl::memory& A, const dnnl::memory& B, const dnnl::memory& bias,
                                      const dnnl::memory& C, const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR >= 3
  return {cpu(), A.get_desc(), B.get_desc(), bias.get_desc(), C.get_desc(), attributes};
#else
  return {dnnl::matmul::desc(A.get_desc(), B.get_desc(), bias.get_desc(), C.get_desc()), attributes, cpu()};
#endif
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
  const dnnl::memory bias = matrix(layer.bias, 1, layer.n, {layer.n, 1});
  const dnnl::memory C    = matrix(layer.C, layer.m, layer.n, layer.C_strides);

  const auto description           = describe(A, B, bias, C, attributes(layer));
  const std::string implementation = description.impl_info_str();
  if (implementation.starts_with("ref")) return {{}, "", "it has only its reference (" + implementation + ")"};

  const dnnl::memory scratchpad(description.scratchpad_desc(), cpu());
  const std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_SRC, A},
                                                        {DNNL_ARG_WEIGHTS, B},
                                                        {DNNL_ARG_BIAS, bias},
                                                        {DNNL_ARG_DST, C},
                                                        {DNNL_ARG_SCRATCHPAD, scratchpad}};
  const auto run = [primitive = dnnl::matmul(description), stream = dnnl::stream(cpu()), arguments]() mutable {
    primitive.execute(stream, arguments);
    stream.wait();
  };
  return {run, implementation, ""};
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
