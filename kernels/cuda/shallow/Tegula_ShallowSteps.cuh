// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_SHALLOW_STEPS_CUH
#define TEGULA_SHALLOW_STEPS_CUH

#include "Tegula_ShallowGroupSteps.cuh"
#include "Tegula_ShallowRegisterSteps.cuh"
#include "Tegula_ShallowScratchSteps.cuh"

namespace Tegula::Impl {

template <class Config, class Input, bool in_words, ShallowWay = Config::way>
struct ShallowStepsOf {
  using type = ShallowRegisterSteps<Config, Input, in_words>;
};
template <class Config, class Input, bool in_words>
struct ShallowStepsOf<Config, Input, in_words, ShallowWay::blocks> {
  using type = ShallowScratchSteps<Config>;
};
template <class Config, class Input, bool in_words>
struct ShallowStepsOf<Config, Input, in_words, ShallowWay::groups> {
  using type = ShallowGroupSteps<Config, Input>;
};

/// How the units of a team go from step to step.
template <class Config, class Input, bool in_words>
using ShallowSteps = typename ShallowStepsOf<Config, Input, in_words>::type;

}  // namespace Tegula::Impl

#endif
