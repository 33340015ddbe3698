#include "store/record_json.hpp"

#include <fmt/format.h>

#include <utility>

#include "device/info_json.hpp"
#include "device/json_fields.hpp"
#include "store/codegen_json.hpp"

namespace percycle {
namespace {

using nlohmann::json;

void put_point(json& object, const Point& point) {
  object["experiment"] = point.experiment;
  object["parameters"] = to_json(point.parameters);
}

constexpr const char* kPublished = "published";

const char* source_word(const Header& header) {
  return header.published() ? kPublished : header.simulated() ? "simulated" : "measured";
}

/// A header of what a document says.
json published_to_json(const Header& header) {
  const Publication& from = header.publication.value();
  json object = {{"kind", "header"},
                 {"schema", kSchemaVersion},
                 {"source", source_word(header)},
                 {"id", header.id},
                 {"citation", {{"document", from.document}, {"place", from.place}, {"year", from.year}}},
                 {"printed_unit", from.printed_unit},
                 {"method", from.method},
                 {"device", {{"name", header.device.name}, {"vendor", header.device.vendor}}}};
  if (from.prose) object["citation"]["prose"] = true;
  if (!from.toolchain.empty()) object["toolchain"] = from.toolchain;
  if (header.device.units) object["device"]["units"] = sourced_to_json(*header.device.units, "units");
  if (!header.unit_name.empty()) object["unit_name"] = header.unit_name;
  return object;
}

/// The members of such a header behind those that all headers have.
Header published_from_json(JsonFields& fields) {
  Header header;
  Publication& from = header.publication.emplace();
  header.id = fields.text("id");
  JsonFields citation(fields.required("citation"), "citation");
  from.document = citation.text("document");
  from.place = citation.text("place");
  from.year = citation.unsigned_integer<std::uint32_t>("year");
  if (citation.optional("prose")) from.prose = citation.boolean("prose");
  citation.finish();
  from.printed_unit = fields.text("printed_unit");
  from.method = fields.text("method");
  from.toolchain = fields.optional_text("toolchain").value_or("");
  JsonFields device(fields.required("device"), "device");
  header.device.name = device.text("name");
  header.device.vendor = device.text("vendor");
  header.device.units = device.optional_sourced<std::uint32_t>("units");
  device.finish();
  header.unit_name = fields.optional_text("unit_name").value_or("");
  fields.finish();
  return header;
}

Point take_point(JsonFields& fields) { return {fields.text("experiment"), parameters_from_json(fields.required("parameters"))}; }

void put_result(json& object, const PointResult& result) {
  put_point(object, result.point);
  object["outcome"] = to_json(result.outcome);
  if (result.seconds) object["seconds"] = finite(*result.seconds, "seconds");
  if (result.measurement) object["measurement"] = to_json(*result.measurement);
}

PointResult take_result(JsonFields& fields) {
  PointResult result;
  result.point = take_point(fields);
  result.outcome = outcome_from_json(fields.required("outcome"));
  result.seconds = fields.optional_number("seconds");
  if (const auto measurement = fields.optional("measurement")) result.measurement = measurement_from_json(*measurement);
  return result;
}

json samples_to_json(const std::vector<Sample>& samples) {
  json list = json::array();
  for (const Sample& sample : samples) list.push_back(to_json(sample));
  return list;
}

json series_to_json(const Measurement& measurement) {
  json object = json::object();
  for (const auto& [name, rows] : measurement.series) {
    json& list = object[name] = json::array();
    for (const std::vector<double>& row : rows) {
      json& values = list.emplace_back(json::array());
      for (const double value : row) values.push_back(finite(value, name));
    }
  }
  return object;
}

std::map<std::string, std::vector<std::vector<double>>> series_from_json(JsonValue object) {
  const auto require = [](bool right) {
    if (!right) throw std::invalid_argument("measurement: the series are not lists of lists of numbers, by name");
  };
  require(object.is_object());
  std::map<std::string, std::vector<std::vector<double>>> series;
  for (const JsonValue rows : object) {
    require(rows.is_list());
    const auto [named, is_new] = series.try_emplace(std::string(rows.key()));
    if (!is_new) throw std::invalid_argument(fmt::format("measurement: the series '{}' appears twice", rows.key()));
    for (const JsonValue row : rows) {
      require(row.is_list());
      auto& values = named->second.emplace_back();
      values.reserve(row.size());
      for (const JsonValue value : row) {
        require(value.is_number());
        values.push_back(value.number());
      }
    }
  }
  return series;
}

std::vector<Sample> samples_from_json(JsonValue list) {
  if (!list.is_list()) throw std::invalid_argument("measurement: the samples are not a list");
  std::vector<Sample> samples;
  samples.reserve(list.size());
  for (const JsonValue sample : list) samples.push_back(sample_from_json(sample));
  return samples;
}

json to_json(const GroupClocks& groups) {
  json object = {{"groups", groups.groups}};
  const auto put = [&](const char* name, const auto& value) {
    if (value) object[name] = *value;
  };
  const auto put_number = [&](const char* name, const std::optional<double>& value) {
    if (value) object[name] = finite(*value, name);
  };
  put("units", groups.units);
  put_number("span_ns", groups.span_ns);
  if (groups.ticks) {
    object["ticks"] = {{"median", finite(groups.ticks->median, "ticks")},
                       {"min", finite(groups.ticks->min, "ticks")},
                       {"max", finite(groups.ticks->max, "ticks")}};
  }
  put_number("ticks_per_ns", groups.ticks_per_ns);
  put_number("groups_per_tick", groups.groups_per_tick);
  put_number("groups_at_once", groups.groups_at_once);
  return object;
}

GroupClocks::Range range_from_json(JsonValue json) {
  JsonFields fields(json, "ticks");
  GroupClocks::Range range;
  range.median = fields.number("median");
  range.min = fields.number("min");
  range.max = fields.number("max");
  fields.finish();
  return range;
}

GroupClocks group_clocks_from_json(JsonValue json) {
  JsonFields fields(json, "groups");
  GroupClocks groups;
  groups.groups = fields.unsigned_integer<std::uint64_t>("groups");
  groups.units = fields.optional_unsigned<std::uint64_t>("units");
  groups.span_ns = fields.optional_number("span_ns");
  if (const auto ticks = fields.optional("ticks")) groups.ticks = range_from_json(*ticks);
  groups.ticks_per_ns = fields.optional_number("ticks_per_ns");
  groups.groups_per_tick = fields.optional_number("groups_per_tick");
  groups.groups_at_once = fields.optional_number("groups_at_once");
  fields.finish();
  return groups;
}

json to_json(const TelemetrySample& sample) {
  json object = {{"ns", finite(sample.ns, "ns")}};
  const auto put = [&](const char* name, const std::optional<double>& value) {
    if (value) object[name] = finite(*value, name);
  };
  put("clock_mhz", sample.reading.clock_mhz);
  put("power_w", sample.reading.power_w);
  put("temperature_c", sample.reading.temperature_c);
  return object;
}

TelemetrySample telemetry_from_json(JsonValue json) {
  JsonFields fields(json, "telemetry");
  TelemetrySample sample;
  sample.ns = fields.number("ns");
  sample.reading.clock_mhz = fields.optional_number("clock_mhz");
  sample.reading.power_w = fields.optional_number("power_w");
  sample.reading.temperature_c = fields.optional_number("temperature_c");
  fields.finish();
  return sample;
}

/// A list of objects; empty where there is no such member.
template <typename T>
std::vector<T> optional_list(JsonFields& fields, const char* name, T (*from_json)(JsonValue)) {
  std::vector<T> values;
  const auto list = fields.optional(name);
  if (!list) return values;
  if (!list->is_list()) fields.fail(name, "is not a list");
  for (const JsonValue value : *list) values.push_back(from_json(value));
  return values;
}

Sourced<double> clock_from_json(JsonValue json) {
  JsonFields fields(json, "clocks_mhz");
  const Sourced<double> clock{fields.number("value"), fields.word("provenance", parse_provenance)};
  fields.finish();
  return clock;
}

Work work_from_json(JsonValue json) {
  JsonFields fields(json, "work");
  Work work;
  work.bytes_per_op = fields.unsigned_integer<std::uint64_t>("bytes_per_op");
  work.group_bytes_per_op = fields.unsigned_integer<std::uint64_t>("group_bytes_per_op");
  fields.finish();
  return work;
}

Participants participants_from_json(JsonValue json) {
  JsonFields fields(json, "participants");
  const Participants lanes{.dispatch = fields.unsigned_integer<std::uint64_t>("dispatch"),
                           .group = fields.unsigned_integer<std::uint64_t>("group")};
  fields.finish();
  return lanes;
}

json to_json(const AluChainRuns& chain) {
  json object = {{"cycles_per_op", finite(chain.cycles_per_op, "cycles_per_op")}, {"runs", json::array()}};
  for (const auto& run : chain.runs) object["runs"].push_back({{"ops", run.ops}, {"ns", finite(run.ns, "ns")}});
  return object;
}

AluChainRun alu_chain_run_from_json(JsonValue json) {
  JsonFields fields(json, "runs");
  AluChainRun run;
  run.ops = fields.unsigned_integer<std::uint64_t>("ops");
  run.ns = fields.number("ns");
  fields.finish();
  return run;
}

AluChainRuns alu_chain_from_json(JsonValue json) {
  JsonFields fields(json, "alu_chain");
  AluChainRuns chain;
  chain.cycles_per_op = fields.number("cycles_per_op");
  chain.runs = optional_list(fields, "runs", alu_chain_run_from_json);
  fields.finish();
  return chain;
}

struct KindToJson {
  json operator()(const Header& header) const { return to_json(header); }
  json operator()(const Started& started) const { return line("started", started); }
  json operator()(const Interrupted& interrupted) const { return line("interrupted", interrupted); }
  json operator()(const PointRecord& record) const {
    json object = {{"kind", "point"}, {"header", record.header}};
    put_result(object, record.result);
    return object;
  }

  template <typename T>
  static json line(const char* kind, const T& record) {
    json object = {{"kind", kind}, {"header", record.header}};
    put_point(object, record.point);
    return object;
  }
};

}  // namespace

json to_json(const Parameters& parameters) {
  json object = json::object();
  for (const auto& [name, value] : parameters) {
    std::visit([&, &key = name](const auto& plain) { object[key] = plain; }, value);
  }
  return object;
}

Parameters parameters_from_json(JsonValue json) {
  if (!json.is_object()) throw std::invalid_argument("parameters: not an object");
  Parameters parameters;
  for (const JsonValue value : json) {
    const auto name = value.key();
    ParameterValue parameter;
    if (value.is_text()) {
      parameter = std::string(value.text());
    } else if (value.is_natural() && value.natural() <= INT64_MAX) {  // one past 2^63 would wrap around
      parameter = static_cast<std::int64_t>(value.natural());
    } else if (value.is_whole() && !value.is_natural()) {
      parameter = value.negative();
    } else {
      throw std::invalid_argument(fmt::format("parameters: '{}' is neither a whole number nor a text", name));
    }
    if (!parameters.emplace(name, std::move(parameter)).second) {
      throw std::invalid_argument(fmt::format("parameters: '{}' appears twice", name));
    }
  }
  return parameters;
}

json to_json(const Point& point) {
  json object;
  put_point(object, point);
  return object;
}

Point point_from_json(JsonValue json) {
  JsonFields fields(json, "point");
  Point point = take_point(fields);
  fields.finish();
  return point;
}

json to_json(const Outcome& outcome) {
  json object = {{"status", to_string(outcome.status)}};
  if (!outcome.reason.empty()) object["reason"] = outcome.reason;
  return object;
}

Outcome outcome_from_json(JsonValue json) {
  JsonFields fields(json, "outcome");
  Outcome outcome;
  outcome.status = fields.word("status", parse_status);
  outcome.reason = fields.optional_text("reason").value_or("");
  fields.finish();
  return outcome;
}

json to_json(const Sample& sample) {
  json object = {{"ops", sample.ops}, {"host_ns", finite(sample.timing.host_ns, "host_ns")}};
  if (sample.timing.device_ns) object["device_ns"] = finite(*sample.timing.device_ns, "device_ns");
  if (sample.clock.ticks) object["ticks"] = *sample.clock.ticks;
  if (sample.clock.realtime_ns) object["realtime_ns"] = finite(*sample.clock.realtime_ns, "realtime_ns");
  if (sample.groups) object["groups"] = to_json(*sample.groups);
  return object;
}

Sample sample_from_json(JsonValue json) {
  JsonFields fields(json, "sample");
  Sample sample;
  sample.ops = fields.unsigned_integer<std::uint64_t>("ops");
  sample.timing.host_ns = fields.number("host_ns");
  sample.timing.device_ns = fields.optional_number("device_ns");
  sample.clock.ticks = fields.optional_unsigned<std::uint64_t>("ticks");
  sample.clock.realtime_ns = fields.optional_number("realtime_ns");
  if (const auto groups = fields.optional("groups")) sample.groups = group_clocks_from_json(*groups);
  fields.finish();
  return sample;
}

json to_json(const Summary& summary) {
  json object = {{"median", finite(summary.median, "median")}};
  if (summary.mad) object["mad"] = finite(*summary.mad, "mad");
  if (summary.min) object["min"] = finite(*summary.min, "min");
  if (summary.max) object["max"] = finite(*summary.max, "max");
  if (summary.n) object["n"] = *summary.n;
  return object;
}

Summary summary_from_json(JsonValue json) {
  JsonFields fields(json, "statistics");
  Summary summary;
  summary.median = fields.number("median");
  summary.mad = fields.optional_number("mad");
  summary.min = fields.optional_number("min");
  summary.max = fields.optional_number("max");
  summary.n = fields.optional_unsigned<std::uint64_t>("n");
  fields.finish();
  return summary;
}

json to_json(const Measurement& measurement) {
  json object;
  json& statistics = object["statistics"] = json::object();
  for (const auto& [name, summary] : measurement.statistics) statistics[name] = to_json(summary);
  if (measurement.clock_mhz) object["clock_mhz"] = sourced_to_json(*measurement.clock_mhz, "clock_mhz");
  if (!measurement.warnings.empty()) object["warnings"] = measurement.warnings;
  if (!measurement.printed.empty()) object["printed"] = measurement.printed;
  if (is_published(measurement)) return object;
  object["samples"] = samples_to_json(measurement.samples);
  if (!measurement.control_samples.empty()) object["control_samples"] = samples_to_json(measurement.control_samples);
  if (measurement.idle_ns) object["idle_ns"] = finite(*measurement.idle_ns, "idle_ns");
  object["time_source"] = measurement.time_source;
  for (const auto& clock : measurement.clocks_mhz) object["clocks_mhz"].push_back(sourced_to_json(clock, "clocks_mhz"));
  for (const auto& sample : measurement.telemetry) object["telemetry"].push_back(to_json(sample));
  if (measurement.alu_chain) object["alu_chain"] = to_json(*measurement.alu_chain);
  if (measurement.counter_mhz) object["counter_mhz"] = finite(*measurement.counter_mhz, "counter_mhz");
  if (measurement.work) {
    object["work"] = {{"bytes_per_op", measurement.work->bytes_per_op},
                      {"group_bytes_per_op", measurement.work->group_bytes_per_op}};
  }
  if (const auto& lanes = measurement.participants)
    object["participants"] = {{"dispatch", lanes->dispatch}, {"group", lanes->group}};
  if (!measurement.series.empty()) object["series"] = series_to_json(measurement);
  if (measurement.share_walked) object["share_walked"] = finite(*measurement.share_walked, "share_walked");
  if (!measurement.observed.empty()) object["observed"] = measurement.observed;
  object["verified_samples"] = measurement.verified_samples;
  if (measurement.codegen) object["codegen"] = to_json(*measurement.codegen);
  return object;
}

Measurement measurement_from_json(JsonValue json) {
  JsonFields fields(json, "measurement");
  Measurement measurement;
  const auto statistics = fields.required("statistics");
  if (!statistics.is_object()) fields.fail("statistics", "is not an object");
  for (const JsonValue summary : statistics) {
    if (!measurement.statistics.emplace(summary.key(), summary_from_json(summary)).second) {
      fields.fail("statistics", fmt::format("has '{}' twice", summary.key()));
    }
  }
  measurement.clock_mhz = fields.optional_sourced<double>("clock_mhz");
  measurement.warnings = fields.optional_text_list("warnings");
  measurement.printed = fields.optional_text_map("printed");
  const auto samples_of_run = fields.optional("samples");
  if (!samples_of_run) {  // a published one
    fields.finish();
    return measurement;
  }
  measurement.samples = samples_from_json(*samples_of_run);
  if (const auto samples = fields.optional("control_samples")) measurement.control_samples = samples_from_json(*samples);
  measurement.idle_ns = fields.optional_number("idle_ns");
  measurement.time_source = fields.text("time_source");
  measurement.clocks_mhz = optional_list(fields, "clocks_mhz", clock_from_json);
  measurement.telemetry = optional_list(fields, "telemetry", telemetry_from_json);
  if (const auto chain = fields.optional("alu_chain")) measurement.alu_chain = alu_chain_from_json(*chain);
  measurement.counter_mhz = fields.optional_number("counter_mhz");
  if (const auto work = fields.optional("work")) measurement.work = work_from_json(*work);
  if (const auto lanes = fields.optional("participants")) measurement.participants = participants_from_json(*lanes);
  if (const auto series = fields.optional("series")) measurement.series = series_from_json(*series);
  if (const auto codegen = fields.optional("codegen")) measurement.codegen = codegen_from_json(*codegen);
  measurement.share_walked = fields.optional_number("share_walked");
  measurement.observed = fields.optional_text_map("observed");
  measurement.verified_samples = fields.unsigned_integer<std::uint64_t>("verified_samples");
  fields.finish();
  return measurement;
}

json to_json(const PointResult& result) {
  json object;
  put_result(object, result);
  return object;
}

PointResult point_result_from_json(JsonValue json) {
  JsonFields fields(json, "point");
  PointResult result = take_result(fields);
  fields.finish();
  return result;
}

json to_json(const RunOptions& options) {
  return {{"experiments", options.experiments}, {"preset", options.preset}, {"set", options.set}, {"seed", options.seed}};
}

RunOptions run_options_from_json(JsonValue json) {
  JsonFields fields(json, "options");
  RunOptions options;
  options.experiments = fields.text_list("experiments");
  options.preset = fields.text("preset");
  options.set = fields.text_map("set");
  options.seed = fields.unsigned_integer<std::uint64_t>("seed");
  fields.finish();
  return options;
}

json to_json(const Header& header) {
  if (header.published()) return published_to_json(header);
  json tool = {{"name", "percycle"}, {"version", header.tool_version}};
  if (!header.tool_commit.empty()) tool["commit"] = header.tool_commit;
  json object = {{"kind", "header"},
                 {"schema", kSchemaVersion},
                 {"source", source_word(header)},
                 {"id", header.id},
                 {"created", header.created},
                 {"tool", std::move(tool)},
                 {"os", header.os},
                 {"device", to_json(header.device)},
                 {"identity", header.identity},
                 {"unit_name", header.unit_name},
                 {"options", to_json(header.options)},
                 {"kernels_hash", header.kernels_hash}};
  if (!header.architecture.empty()) object["architecture"] = header.architecture;
  return object;
}

Header header_from_json(JsonValue json) {
  JsonFields fields(json, "header");
  Header header;
  if (fields.text("kind") != "header") fields.fail("kind", "is not 'header'");
  if (fields.unsigned_integer<std::uint32_t>("schema") != kSchemaVersion)
    fields.fail("schema", "is not a version this percycle reads");
  const std::string source = fields.text("source");
  if (source == kPublished) return published_from_json(fields);
  header.id = fields.text("id");
  header.created = fields.text("created");
  JsonFields tool(fields.required("tool"), "tool");
  if (tool.text("name") != "percycle") tool.fail("name", "is not 'percycle'");
  header.tool_version = tool.text("version");
  header.tool_commit = tool.optional_text("commit").value_or("");
  tool.finish();
  header.os = fields.text("os");
  header.device = device_info_from_json(fields.required("device"));
  if (source != source_word(header)) fields.fail("source", "does not fit the device's API");
  header.identity = fields.text("identity");
  header.architecture = fields.optional_text("architecture").value_or("");
  header.unit_name = fields.text("unit_name");
  header.options = run_options_from_json(fields.required("options"));
  header.kernels_hash = fields.text("kernels_hash");
  fields.finish();
  return header;
}

json to_json(const Record& record) { return std::visit(KindToJson{}, record); }

Record record_from_json(JsonValue json) {
  JsonFields fields(json, "record");
  const std::string kind = fields.text("kind");
  if (kind == "header") return header_from_json(json);
  std::string header = fields.text("header");
  Record record;
  if (kind == "started") {
    record = Started{std::move(header), take_point(fields)};
  } else if (kind == "interrupted") {
    record = Interrupted{std::move(header), take_point(fields)};
  } else if (kind == "point") {
    record = PointRecord{std::move(header), take_result(fields)};
  } else {
    fields.fail("kind", "has the unknown value '" + kind + "'");
  }
  fields.finish();
  return record;
}

std::string to_line(const json& json) { return json.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace percycle
