#pragma once

#include "core/telemetry.hpp"

namespace percycle::telemetry {

/// Notes whether a display is attached, and warns if so: it uses time and memory of the device.
void add_display(Conditions& conditions, bool attached);

/// Notes the device's power limit in watts, and warns if it is below the usual limit.
void add_power_limit(Conditions& conditions, double limit_w, double usual_w);

}  // namespace percycle::telemetry
