// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_UNCUT_CALL_HPP
#define TEGULA_UNCUT_CALL_HPP

#include "Tegula_Call.hpp"
#include "Tegula_ProductPlan.hpp"

/// Which products a call has.

namespace Tegula::Impl {

/// The products of a call before anything is cut.
std::array<ProductPlan, 2> uncut_products(const Call& call);

/// The plan of a call before anything is cut: its description, and its products with their shapes.
Plan uncut_plan(const char* family, const char* space, const Call& call);

}  // namespace Tegula::Impl

#endif
