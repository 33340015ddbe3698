#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "device/device.hpp"

namespace percycle {

/// Units of a device that run work-groups at the same time.
struct CountedUnits {
  std::uint32_t count = 0;
  double confidence = 0;  ///< that the device has this number
};

/// The time of a dispatch of that many equal work-groups, in any unit.
using TimeOfGroups = std::function<double(std::uint32_t groups)>;

/// The number of units by time alone: if each work-group fills a unit, up to `count` groups take
/// the time of one, and the next takes twice that. The confidence is 0.95 if the third multiple
/// begins after twice the count, else 0.5. Empty if no number up to 8192 doubles the time.
std::optional<CountedUnits> count_units(const TimeOfGroups& time);

/// The same with kernel pair `alu_chain` in the device's largest work-groups. Empty if such a group
/// takes less than 1.2 times as long as 32 lanes: it waits for itself then, so that a second one on
/// its unit takes no time. Empty if a result is wrong. Throws DeviceError.
std::optional<CountedUnits> counted_units(Device& device);

}  // namespace percycle
