// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_WITH_CONFIG_HPP
#define TEGULA_WITH_CONFIG_HPP

#include <stdexcept>
#include <string>

#include "Tegula_Plan.hpp"

namespace Tegula::Impl {

/// Calls function.operator()<Config>() for the configuration of a list whose tile a plan names.
template <template <class...> class List, class... Configs, class Function>
void with_config(List<Configs...>, const Plan& plan, const TileShape& tile, const Function& function) {
  const auto try_one = [&]<class Config>() {
    if (tile != Config::shape()) return false;
    function.template operator()<Config>();
    return true;
  };
  if (!(try_one.template operator()<Configs>() || ...))
    throw std::logic_error("Tegula: the " + std::string(plan.family) + " family has no tile " + text(tile));
}

}  // namespace Tegula::Impl

#endif
