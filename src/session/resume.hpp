#pragma once

#include <vector>

#include "session/session.hpp"
#include "store/load.hpp"

namespace percycle {

/// What a record file says was asked and is finished, ready to go on: one DeviceRun per header. Points that were skipped, or interrupted
/// by the user, are open again; with `retry` those that failed are too. A point that was started and never ended took percycle with it:
/// it counts as failed, so that resuming does not repeat a crash unasked. Throws UsageError when the headers do not agree in their options
/// or one of them is of published figures.
std::vector<DeviceRun> finished_runs(const LoadedFile& file, bool retry);

/// Checks that the runs can go on here: the same device by identity, the same driver, the same kernels. Replaces each header's device by
/// the one found. Throws UsageError naming what changed.
void match_devices(std::vector<DeviceRun>& runs, const Enumeration& enumeration, const std::string& kernels_hash);

}  // namespace percycle
