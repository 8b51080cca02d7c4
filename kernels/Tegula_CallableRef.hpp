// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CALLABLE_REF_HPP
#define TEGULA_CALLABLE_REF_HPP

namespace Tegula::Impl {

/// A reference to something that is called without arguments, for functions that are compiled elsewhere. It must not
/// outlive what it refers to.
class CallableRef {
 public:
  /// Calls nothing.
  CallableRef() : callable_(nullptr), call_([](const void*) {}) {}

  template <class Callable>
  explicit CallableRef(const Callable& callable)
      : callable_(&callable), call_([](const void* object) { (*static_cast<const Callable*>(object))(); }) {}

  void operator()() const { call_(callable_); }

 private:
  const void* callable_;
  void (*call_)(const void*);
};

}  // namespace Tegula::Impl

#endif
