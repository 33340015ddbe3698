#pragma once

#include <vector>

#include "session/session.hpp"
#include "store/load.hpp"

namespace percycle {

/// The options and finished points of a record file, one DeviceRun per header. Skipped, interrupted
/// and (with `retry`) failed points are open again. A started point without an end counts as
/// failed: percycle died during it, and resuming must not repeat the crash. Throws UsageError if
/// headers differ in their options or one is of published figures.
std::vector<DeviceRun> finished_runs(const LoadedFile& file, bool retry);

/// Checks that the runs can continue here: same device by identity, same driver, units, memory and
/// kernels, same system `os`.
/// Replaces each header's device by the one found. Throws UsageError naming the difference.
void match_devices(std::vector<DeviceRun>& runs, const Enumeration& enumeration, const std::string& kernels_hash,
                   const std::string& os);

}  // namespace percycle
