#pragma once

#include <string>
#include <vector>

#include "device/identity.hpp"
#include "session/device_checks.hpp"
#include "store/record.hpp"

namespace percycle {

/// The header of a run that starts now on this machine; `ordinal` makes the ids of a run's devices
/// differ.
Header make_header(const DeviceInfo& device, const std::vector<Card>& cards, const RunOptions& options, unsigned ordinal);

/// Adds the checks of the header's device, also those of the latest `doctor`, and corrects the
/// device by the first.
void take_checks(Header& header, const DeviceChecks& checked);

/// The current time as "2026-11-21T09:30:00Z".
std::string utc_now();

}  // namespace percycle
