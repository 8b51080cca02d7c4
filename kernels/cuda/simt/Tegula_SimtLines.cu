// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tegula_SimtLaunch.cuh"

template struct Tegula::Impl::SimtLeft<Tegula::Impl::FetchBy::lines, Tegula::Impl::ActivationChoice>;
