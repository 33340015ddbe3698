#include "report/comparison_json.hpp"

#include "store/record_json.hpp"

namespace percycle {
namespace {

using nlohmann::json;

json to_json(const Side& side) {
  const Header& header = *side.header;
  json object = {{"name", side.name}, {"device", header.device.name}, {"files", side.files}, {"runs", side.runs.size()}};
  object["source"] = header.published() ? "published" : header.simulated() ? "simulated" : "measured";
  if (!header.unit_name.empty()) object["unit_name"] = header.unit_name;
  if (header.device.units) object["units"] = header.device.units->value;
  if (header.published()) {
    object["document"] = header.publication->document;
    return object;
  }
  object["api"] = to_string(header.device.api);
  object["driver"] = header.device.driver;
  object["identity"] = header.identity;
  object["kernels_hash"] = header.kernels_hash;
  return object;
}

json to_json(const ChangeRow& row) {
  return {{"experiment", row.question.experiment},
          {"parameters", percycle::to_json(row.question.parameters)},
          {"metric", row.after->metric.name},
          {"higher_is_better", row.after->metric.higher_is_better},
          {"before", row.before->value},
          {"after", row.after->value},
          {"runs_before", row.before->runs.size()},
          {"runs_after", row.after->runs.size()},
          {"change_percent", row.percent()},
          {"low_percent", 100 * (row.change.low - 1)},
          {"high_percent", 100 * (row.change.high - 1)},
          {"verdict", to_string(row.verdict)}};
}

json to_json(const SizeChange& change) {
  return {{"path", change.path},
          {"level", change.level},
          {"before_bytes", change.before},
          {"after_bytes", change.after},
          {"change_percent", change.percent()},
          {"verdict", to_string(change.verdict)}};
}

json to_json(const SidePair& pair, const std::vector<Side>& sides) {
  json object = {{"kind", pair.relation == SidePair::Relation::apis ? "apis" : "states"},
                 {"before", sides[pair.before].name},
                 {"after", sides[pair.after].name},
                 {"points", json::array()},
                 {"sizes", json::array()},
                 {"missing", pair.missing},
                 {"added", pair.added}};
  for (const auto& [question, row] : pair.rows) object["points"].push_back(to_json(row));
  for (const SizeChange& change : pair.sizes) object["sizes"].push_back(to_json(change));
  return object;
}

json to_json(const SideAnswer& answer, const Side& side, bool is_wider) {
  json object = {{"side", side.name}, {"metric", answer.metric.name}, {"value", answer.value}};
  const auto put = [&](const char* name, const std::optional<double>& value) {
    if (value) object[name] = *value;
  };
  put("bytes_per_unit_cycle", answer.against_limit.bytes_per_unit_cycle);
  put("limit_gb_per_s", answer.against_limit.limit_gb_s);
  put("efficiency", answer.against_limit.efficiency);
  for (const char* name : {"cycles_per_op", "net_cycles_per_op", "ops_per_unit_cycle"}) {
    const auto& statistics = answer.result->measurement->statistics;
    if (const auto found = statistics.find(name); found != statistics.end()) object[name] = found->second.median;
  }
  if (is_wider) object["names_fewer_parameters"] = true;
  return object;
}

json to_json(const TableRow& row, const std::vector<Side>& sides) {
  json object = {{"experiment", row.question.experiment},
                 {"parameters", percycle::to_json(row.question.parameters)},
                 {"answers", json::array()}};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (row.answers[i] != nullptr) object["answers"].push_back(to_json(*row.answers[i], sides[i], row.is_wider[i]));
  }
  return object;
}

}  // namespace

json to_json(const RunComparison& comparison) {
  json object = {{"schema", 1}, {"sides", json::array()}, {"pairs", json::array()}, {"points", json::array()}};
  for (const Side& side : comparison.sides) object["sides"].push_back(to_json(side));
  for (const SidePair& pair : comparison.pairs) object["pairs"].push_back(to_json(pair, comparison.sides));
  for (const MapChange& map : comparison.maps) {
    object["maps"].push_back({{"before", comparison.sides[map.before].name},
                              {"after", comparison.sides[map.after].name},
                              {"access", map.access},
                              {"correlation", map.agreement.correlation},
                              {"same_card", map.agreement.verdict == SameCard::yes  ? "yes"
                                            : map.agreement.verdict == SameCard::no ? "no"
                                                                                    : "unclear"}});
  }
  for (const auto& [experiment, rows] : comparison.tables) {
    for (const TableRow& row : rows) object["points"].push_back(to_json(row, comparison.sides));
  }
  return object;
}

}  // namespace percycle
