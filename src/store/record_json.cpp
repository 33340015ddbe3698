#include "store/record_json.hpp"

#include "json/define_convert.hpp"
#include "json/schema.hpp"
#include "store/record_fields.hpp"

namespace percycle {
namespace {

using nlohmann::json;

template <typename T>
Record record_from_json(const json& line) {
  return from_json<T>(line);
}

/// Empty if the line has a fault.
template <typename T>
std::optional<Record> quick_record_of(const JsonNode& line) {
  std::optional<Record> record(std::in_place, std::in_place_type<T>);
  try {
    read_member(line, std::get<T>(*record), kNoRule, Place());
  } catch (const std::invalid_argument&) {
    record.reset();
  }
  return record;
}

/// The kinds of lines, each with its reader.
constexpr std::array<std::pair<std::string_view, Record (*)(const json&)>, 4> kKinds{{
    {"header", record_from_json<Header>},
    {"started", record_from_json<Started>},
    {"interrupted", record_from_json<Interrupted>},
    {"point", record_from_json<PointRecord>},
}};

}  // namespace

template json to_json(const Parameters&);
template json to_json(const Point&);
template json to_json(const Outcome&);
template json to_json(const Sample&);
template json to_json(const Summary&);
template json to_json(const Codegen&);
template json to_json(const Measurement&);
template json to_json(const PointResult&);
template json to_json(const DeviceInfo&);
template json to_json(const EnumerationProblem&);
template json to_json(const Header&);
template Header from_json(const json&);
template Point from_json(const json&);
template Parameters from_json(const json&);
template Outcome from_json(const json&);
template Sample from_json(const json&);
template Codegen from_json(const json&);
template Measurement from_json(const json&);
template DeviceInfo from_json(const json&);
template EnumerationProblem from_json(const json&);

template <>
json to_json(const Record& value) {
  return std::visit([](const auto& line) { return to_json(line); }, value);
}

template <>
Record from_json(const nlohmann::json& json) {
  std::string kind;
  FieldReader(json, Place()).required("kind", kind);
  for (const auto& [name, read] : kKinds) {
    if (kind == name) return read(json);
  }
  Place().member("kind").fail("'{}' is not known", kind);
}

std::optional<Record> quick_record(std::string_view line, JsonTree& tree) {
  const JsonNode* const root = tree.parse(line);
  const JsonNode* const kind = root != nullptr && is_object(*root) ? root->find("kind") : nullptr;
  if (kind == nullptr || kind->kind() != JsonNode::ValueKind::text) return std::nullopt;
  if (kind->text() == "point") return quick_record_of<PointRecord>(*root);
  if (kind->text() == "started") return quick_record_of<Started>(*root);
  return std::nullopt;
}

std::string record_schema() {
  nlohmann::ordered_json definitions;
  FieldSchema schemas(definitions);
  const std::array references{schemas.schema_of<Header>(kNoRule), schemas.schema_of<Started>(kNoRule),
                              schemas.schema_of<Interrupted>(kNoRule), schemas.schema_of<PointRecord>(kNoRule)};
  nlohmann::ordered_json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                                {"title", fmt::format("percycle record, schema {}", kSchemaVersion)},
                                {"description",
                                 "One line of a percycle record file (JSON Lines). `kind` decides: a run on one device through "
                                 "one API is one header line, then "
                                 "for each point a started line and a point line (interrupted instead, when the user stopped "
                                 "it), each naming its header's id. "
                                 "A document's figures for one device are a header line with its citation, then point lines with "
                                 "statistics alone. Units are part "
                                 "of the names. Unknown values are absent."},
                                {"type", "object"},
                                {"required", {"kind"}}};
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    const std::string_view kind = kKinds[i].first;
    schema["properties"]["kind"]["enum"].push_back(kind);
    schema["allOf"].push_back({{"if", {{"properties", {{"kind", {{"const", kind}}}}}}}, {"then", references[i]}});
  }
  schema["definitions"] = std::move(definitions);
  return schema.dump(2) + '\n';
}

}  // namespace percycle
