#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "device/json_value.hpp"
#include "store/record.hpp"

namespace percycle {

// Each value as JSON and back, exactly. The parts are exported because the worker protocol speaks them too. Writing a number that
// is not finite throws std::invalid_argument naming it; reading anything but what is written here does so too.

nlohmann::json to_json(const Parameters& parameters);
nlohmann::json to_json(const Point& point);
nlohmann::json to_json(const Outcome& outcome);
nlohmann::json to_json(const Sample& sample);
nlohmann::json to_json(const Summary& summary);
nlohmann::json to_json(const Measurement& measurement);
nlohmann::json to_json(const PointResult& result);
nlohmann::json to_json(const RunOptions& options);
nlohmann::json to_json(const Header& header);
nlohmann::json to_json(const Record& record);

Parameters parameters_from_json(JsonValue json);
Point point_from_json(JsonValue json);
Outcome outcome_from_json(JsonValue json);
Sample sample_from_json(JsonValue json);
Summary summary_from_json(JsonValue json);
Measurement measurement_from_json(JsonValue json);
PointResult point_result_from_json(JsonValue json);
RunOptions run_options_from_json(JsonValue json);
Header header_from_json(JsonValue json);
Record record_from_json(JsonValue json);

/// One line of JSON without its end. Bytes that are not UTF-8 (drivers' names and build logs have them) become U+FFFD: JSON holds
/// no others.
std::string to_line(const nlohmann::json& json);

}  // namespace percycle
