#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"
#include "device/telemetry_recorder.hpp"
#include "sim/emulation.hpp"
#include "sim/model.hpp"

namespace percycle {

/// Opens a simulated device: emulates each kernel on real buffers and takes the time from the
/// model. Refuses accesses outside a binding. Throws DeviceError of kind `unsupported` for a kernel
/// without an emulation. `emulations` must outlive the device.
std::unique_ptr<Device> open_sim(sim::Model model, const std::string& selector_name,
                                 const sim::Emulations& emulations = sim::known_emulations());

/// The same by the selector's part after "sim:". Throws UsageError.
std::unique_ptr<Device> open_sim(const std::string& selector_name);

/// The telemetry of a device from open_sim(), which must outlive it: its clock at the end of each
/// dispatch, in the model's time.
Telemetry sim_telemetry(Device& device);

/// Latency of one dependent arithmetic operation on a device from open_sim(), in cycles.
double sim_alu_latency_cycles(Device& device);

}  // namespace percycle
