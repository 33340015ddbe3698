#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"
#include "device/sim/meaning.hpp"
#include "device/sim/model.hpp"
#include "device/telemetry_recorder.hpp"

namespace percycle {

/// Opens a simulated device (see sim/model.hpp). It executes the meaning of each kernel on real buffers and takes the time from the model;
/// it refuses what the Device interface forbids and any access outside its binding. A kernel without a meaning throws DeviceError of kind
/// `unsupported`. `meanings` must outlive the device.
std::unique_ptr<Device> open_sim(sim::Model model, const std::string& selector_name,
                                 const sim::Meanings& meanings = sim::known_meanings());

/// The same by what follows "sim:" in a selector. Throws UsageError.
std::unique_ptr<Device> open_sim(const std::string& selector_name);

/// The telemetry of a device that open_sim() gave, which must outlive it: its clock at the end of each dispatch, in the time of the model.
Telemetry sim_telemetry(Device& device);

/// What one dependent arithmetic operation takes on a device that open_sim() gave, in cycles.
double sim_alu_latency_cycles(Device& device);

}  // namespace percycle
