// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_CALLABLE_REF_HPP
#define TEGULA_CALLABLE_REF_HPP

namespace Tegula::Impl {

/// A reference to something that is called with such arguments, for functions that are compiled elsewhere. It must not
/// outlive what it refers to.
template <class... Arguments>
class FunctionRef {
 public:
  /// Calls nothing.
  FunctionRef() : callable_(nullptr), call_([](const void*, Arguments...) {}) {}

  template <class Callable>
  explicit FunctionRef(const Callable& callable)
      : callable_(&callable), call_([](const void* object, Arguments... arguments) {
          (*static_cast<const Callable*>(object))(arguments...);
        }) {}

  void operator()(Arguments... arguments) const { call_(callable_, arguments...); }

 private:
  const void* callable_;
  void (*call_)(const void*, Arguments...);
};

/// The same without arguments.
class CallableRef : public FunctionRef<> {
 public:
  using FunctionRef<>::FunctionRef;
};

}  // namespace Tegula::Impl

#endif
