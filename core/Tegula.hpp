// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_HPP
#define TEGULA_HPP

/// Tegula: fused, tiled GEMM and its backward pass for Kokkos. This header is all that a user includes;
/// calls with element types of the user's own need Tegula_OwnTypes.hpp, too.

#include "Tegula_Activation.hpp"
#include "Tegula_Below.hpp"
#include "Tegula_CompiledActivation.hpp"
#include "Tegula_DefaultInstance.hpp"
#include "Tegula_Epilogue.hpp"
#include "Tegula_Gemm.hpp"
#include "Tegula_GemmBackward.hpp"
#include "Tegula_Machine.hpp"
#include "Tegula_Measure.hpp"
#include "Tegula_Options.hpp"
#include "Tegula_PackedMatrix.hpp"
#include "Tegula_Plan.hpp"
#include "Tegula_Saved.hpp"
#include "Tegula_Scalar.hpp"
#include "Tegula_TileOrder.hpp"
#include "Tegula_Tuning.hpp"
#include "Tegula_Version.hpp"
#include "Tegula_Workspace.hpp"

#endif
