// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_MACHINE_HPP
#define TEGULA_MACHINE_HPP

#include <string>

namespace Tegula {

/// From now on calls are planned by this record of a machine's speed: the name of one of the library's of GPUs of
/// NVIDIA, such as "H100 PCIe", or a file that tegula_calibrate wrote on such a GPU or on a host. It counts for calls
/// on Cuda, or for those on Serial, OpenMP and Threads; the others are planned by the library's own records, as all are
/// again if the name is empty.
///
/// The environment variable TEGULA_MACHINE, which is read when the first call is planned, asks for a record likewise; a
/// program that calls use_machine overrides it. A record decides which kernels run on Cuda, and how hosts cut and read
/// operands, so that what is summed in which order, and the last bits of results, may depend on it. All ranks of a job
/// plan alike if they are given the same record and their devices have as many multiprocessors, or hosts as many
/// threads. describe names the record.
///
/// Plans that make_plan returned before keep their kernels. Several threads may call this, and plan meanwhile.
///
/// Throws std::invalid_argument, and changes nothing, if there is no such record or file, or a line of it is wrong. The
/// same for TEGULA_MACHINE is thrown where calls are planned, as is a record of another compute capability than the
/// device's, or of other instructions than the host's: it would cost speed only, but on some ranks of a job perhaps,
/// and nobody would know.
void use_machine(const std::string& record);

}  // namespace Tegula

#endif
