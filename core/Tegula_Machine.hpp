// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MACHINE_HPP
#define TEGULA_MACHINE_HPP

#include <string>

namespace Tegula {

/// From now on calls on Cuda are planned by this record of a GPU's speed: the name of one of the library's, such as
/// "H100 PCIe", or a file that tegula_calibrate wrote. Empty: again by the library's for the name of the device.
///
/// The environment variable TEGULA_MACHINE, which is read when the first call is planned, asks for a record likewise; a
/// program that calls use_machine overrides it. A record decides which kernels run, so that what is summed in which
/// order, and the last bits of results, may depend on it. All ranks of a job plan alike if they are given the same
/// record and their devices have as many multiprocessors. describe names the record.
///
/// Plans that make_plan returned before keep their kernels. Several threads may call this, and plan meanwhile. Other
/// execution spaces plan without a record.
///
/// Throws std::invalid_argument, and changes nothing, if there is no such record or file, or a line of it is wrong. The
/// same for TEGULA_MACHINE is thrown where calls are planned, as is a record of another compute capability than the
/// device's: it would cost speed only, but on some ranks of a job perhaps, and nobody would know.
void use_machine(const std::string& record);

}  // namespace Tegula

#endif
