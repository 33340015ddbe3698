#include "report/report_json.hpp"

#include <fmt/format.h>

#include <array>

#include "json/define_convert.hpp"
#include "json/schema.hpp"
#include "json/stream.hpp"
#include "report/card_list_fields.hpp"
#include "report/ceilings_fields.hpp"
#include "report/comparison_fields.hpp"
#include "report/hierarchy_fields.hpp"
#include "report/limits_fields.hpp"
#include "report/report_fields.hpp"
#include "report/run_summary_fields.hpp"

namespace percycle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 7> kOutputs{"analyze", "ceilings", "compare", "limits", "report", "site", "summary"};

std::string title_of_output(std::string_view name) {
  if (name == "report") return "percycle report: report.json";
  if (name == "site") return "percycle site: data/cards.json";
  return fmt::format("percycle {} --json", name);
}

Json schema_of_output(std::string_view name, FieldSchema& schemas) {
  if (name == "analyze") return schemas.schema_of<DeviceAnalysis>(kNoRule);
  if (name == "ceilings") return schemas.schema_of<MeasuredCeilings>(kNoRule);
  if (name == "compare") return schemas.schema_of<RunComparison>(kNoRule);
  if (name == "limits") return schemas.schema_of<std::variant<DeviceLimits, ListedLimits>>(kNoRule);
  if (name == "report") return schemas.schema_of<ReportFile>(kNoRule);
  if (name == "site") return schemas.schema_of<CardList>(kNoRule);
  return schemas.schema_of<RunSummary>(kNoRule);
}

}  // namespace

template nlohmann::json to_json(const Hierarchy&);
template nlohmann::json to_json(const DeviceAnalysis&);
template nlohmann::json to_json(const RunComparison&);
template nlohmann::json to_json(const MeasuredCeilings&);
template nlohmann::json to_json(const DeviceLimits&);
template nlohmann::json to_json(const CardList&);
template nlohmann::json to_json(const RunSummary&);

template <>
nlohmann::json to_json(const LimitsCatalogue& value) {
  return to_json(ListedLimits{value});
}

void write_json(std::ostream& out, const ReportData& data, const std::vector<DeviceTables>& tables) {
  ReportFile report;
  for (std::size_t i = 0; i < data.devices.size(); ++i) report.devices.push_back({&data.devices[i], &tables[i]});
  FieldStream stream(out);
  fields(stream, report);
  stream.finish();
  out << '\n';
}

std::span<const std::string_view> output_names() { return kOutputs; }

std::string output_schema(std::string_view name) {
  Json definitions;
  FieldSchema schemas(definitions);
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title_of_output(name)}};
  schema.update(schema_of_output(name, schemas));
  if (!definitions.empty()) schema["definitions"] = std::move(definitions);
  return schema.dump(2) + '\n';
}

}  // namespace percycle
