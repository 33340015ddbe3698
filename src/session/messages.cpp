#include "session/messages.hpp"

#include "json/define_convert.hpp"
#include "store/record_fields.hpp"

namespace percycle {

void fields(auto& v, Like<OpenRequest> auto& request) {
  v.required("api", request.api);
  v.required("open_index", request.open_index);
  v.required("index", request.index);
  v.optional("model", request.model);
  v.optional("reads_code", request.reads_code);
  v.optional("capability", request.capability);
  v.optional("units", request.units);
  v.optional("no_telemetry", request.no_telemetry);
  v.optional("checks", request.checks);
  v.optional("tries_memory", request.tries_memory);
  v.optional("subgroup_size", request.subgroup_size);
  v.optional("warnings", request.warnings);
}

void fields(auto& v, Like<DeviceChecks> auto& checked) {
  v.optional("checks", checked.checks);
  v.optional("subgroup_size", checked.subgroup_size);
  v.optional("units", checked.units);
  v.optional("max_allocation_bytes", checked.max_allocation_bytes);
  v.optional("warnings", checked.warnings);
}

void fields(auto& v, Like<MeasureRequest> auto& request) {
  v.required("point", request.point);
  v.required("preset", request.preset);
  v.required("seed", request.seed);
}

void fields(auto& v, Like<ReadAheadRequest> auto& request) {
  v.required("points", request.points);
  v.required("seed", request.seed);
}

void fields(auto& v, Like<MeasureAnswer> auto& answer) {
  v.required("result", answer.result);
  v.required("device_lost", answer.device_lost);
  v.optional("code_seconds", answer.code_seconds);
}

PointResult not_a_measurement(PointResult result, std::string_view why) {
  if (result.outcome.status == Status::ok) result.outcome = {Status::failed, fmt::format("not a measurement: {}", why)};
  result.measurement.reset();
  return result;
}

template nlohmann::json to_json(const OpenRequest&);
template nlohmann::json to_json(const DeviceChecks&);
template nlohmann::json to_json(const MeasureRequest&);
template nlohmann::json to_json(const ReadAheadRequest&);
template nlohmann::json to_json(const MeasureAnswer&);
template OpenRequest from_json(const nlohmann::json&);
template DeviceChecks from_json(const nlohmann::json&);
template ReadAheadRequest from_json(const nlohmann::json&);
template MeasureRequest from_json(const nlohmann::json&);
template MeasureAnswer from_json(const nlohmann::json&);

}  // namespace percycle
