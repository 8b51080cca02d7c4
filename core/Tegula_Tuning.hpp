// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TEGULA_TUNING_HPP
#define TEGULA_TUNING_HPP

#include <string>

namespace Tegula {

/// From now on calls are computed in the ways that a file of tegula_tune has for them: those that were measured to be
/// the fastest on this device. A call that it has no entry for, or whose options.plan asks for something, is planned as
/// without the file, as all are again if the name is empty. The file is read now, once. With one file, one device and
/// one library results are the same bit for bit.
///
/// The environment variable TEGULA_TUNING, which is read when the first call is planned, names a file likewise; a
/// program that calls use_tuning overrides it. describe says whether a call has an entry, and if not why.
///
/// A file that cannot be read or has a wrong line, that is of other devices or of another version of the library costs
/// speed only: one line on std::cerr tells, and calls are planned as without it. Ranks of a job whose results are to be
/// the same bit for bit must see the same file.
///
/// Nothing is measured by this: tegula_tune is a program of its own (perf_tests). Plans that make_plan returned before
/// keep their kernels. Several threads may call this, and plan meanwhile.
void use_tuning(const std::string& file);

/// From now on every call that is planned and unlike those before is appended to a file, as a line that tegula_tune
/// --calls takes; none are if the name is empty. Only how a call lies is written: extents, types, layouts, alignment,
/// activation, which arguments are given; none of its data. Calls whose options.plan asks for something, and those with
/// types or activations of a user's own, are left out, since they are not tuned.
///
/// The environment variable TEGULA_RECORD, which is read when the first call is planned, names a file likewise. Several
/// threads and processes, also on several machines with a file system that has locks, may append to one file: no line
/// is lost or torn. A file that cannot be written is told of on std::cerr, once, and recording ends.
void record_calls(const std::string& file);

}  // namespace Tegula

#endif
