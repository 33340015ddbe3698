#pragma once

#include "core/telemetry.hpp"

namespace percycle::telemetry {

/// Notes whether a display is attached, and warns of one: it takes time and memory of the device.
void add_display(Conditions& conditions, bool attached);

/// Notes the limit of the device's power in watts, and warns of one below the usual limit.
void add_power_limit(Conditions& conditions, double limit_w, double usual_w);

}  // namespace percycle::telemetry
