// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_PERF_DISPATCH_HPP
#define TEGULA_PERF_DISPATCH_HPP

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "Tegula.hpp"
#include "Tegula_PerfCase.hpp"

/// From the names of the command line to types.

namespace Tegula::Perf {

/// Returns visit(std::type_identity<T>()) for the element type of that name.
template <class Visitor>
auto visit_type(const std::string& type, const Visitor& visit) {
  if (type == "double") return visit(std::type_identity<double>());
  if (type == "float") return visit(std::type_identity<float>());
  if (type == "half") return visit(std::type_identity<half_t>());
  if (type == "bhalf") return visit(std::type_identity<bhalf_t>());
  throw std::logic_error("no element type " + type);
}

/// Returns visit(std::type_identity<T>(), std::type_identity<R>()) for operands of the type of that name, and results
/// of the same, or of the type that they are summed in if a name is given.
template <class Visitor>
auto visit_types(const std::string& type, const std::string& result, const Visitor& visit) {
  return visit_type(type, [&](auto element) {
    using T = typename decltype(element)::type;
    return result.empty() ? visit(element, element) : visit(element, std::type_identity<accumulator_t<T>>());
  });
}

template <class... Activations>
struct ActivationList {};
using Activations = ActivationList<Identity, Relu, LeakyRelu, Tanh, Sigmoid, Silu, GeluTanh, GeluErf>;

/// Returns visit(activation) for the activation of that name.
template <class Visitor, class First, class... Others>
auto visit_activation(ActivationList<First, Others...>, const std::string& name, const Visitor& visit) {
  if (name == First::name) return visit(First());
  if constexpr (sizeof...(Others) > 0) {
    return visit_activation(ActivationList<Others...>(), name, visit);
  } else {
    throw std::logic_error("no activation " + name);
  }
}

/// Makes a case of this class template, for operands of T, results of R and the activation of the spec.
template <class T, class R, template <class, class, class> class CaseType>
std::unique_ptr<Case> make_case(const CaseSpec& spec) {
  return visit_activation(Activations(), spec.activation, [&](auto activation) -> std::unique_ptr<Case> {
    return std::make_unique<CaseType<T, R, decltype(activation)>>(spec);
  });
}

}  // namespace Tegula::Perf

#endif
