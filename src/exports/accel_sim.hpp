#pragma once

#include "exports/card_readings.hpp"

namespace percycle {

/// The name of the format, in options and files.
inline constexpr const char* kAccelSim = "accel-sim";

/// The options of GPGPU-Sim and Accel-Sim that the card's records decide: `gpgpusim.config`, and
/// `trace.config` with those of Accel-Sim's traces. Both simulators refuse options of the other.
/// The names, formats and formulas are those of Accel-Sim's tuner, whose tool reads the files, too.
CardExport accel_sim_export(const KeyColumn& card);

}  // namespace percycle
