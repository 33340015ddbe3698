#pragma once

#include <nlohmann/json_fwd.hpp>

#include "device/info.hpp"
#include "device/json_value.hpp"

namespace percycle {

// Field names are those of the structs, with their units. An absent optional is an absent key, and so is a text that is empty for
// "none". Writing a number that is not finite throws std::invalid_argument; so does reading anything but exactly what is written
// here, naming the field.

nlohmann::json to_json(const KernelClock& clock);
nlohmann::json to_json(const DeviceInfo& info);
nlohmann::json to_json(const EnumerationProblem& problem);

KernelClock kernel_clock_from_json(JsonValue json);
DeviceInfo device_info_from_json(JsonValue json);
EnumerationProblem enumeration_problem_from_json(JsonValue json);

}  // namespace percycle
