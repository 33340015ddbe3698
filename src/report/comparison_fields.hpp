#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/comparison.hpp"
#include "store/record_fields.hpp"

// The members of a comparison as `percycle compare --json` prints it. See json/fields.hpp;
// docs/commands.md describes the format.

namespace percycle {

void fields(auto& v, Like<Side> auto& side) {
  const Header& header = value_behind(side.header);
  const bool is_run = !header.published();
  v.required("name", side.name);
  v.required("source", std::string(source_word(header)), {.one_of = kSources});
  v.required("device", header.device.name);
  v.required("files", side.files);
  v.required("runs", side.runs.size());
  v.optional("unit_name", header.unit_name);
  v.where(header.device.units.has_value(), "units", header.device.units.value_or(Sourced<std::uint32_t>()).value);
  v.where(!is_run, "document", header.publication.value_or(Publication()).document);
  v.where(is_run, "api", header.device.api);
  v.where(is_run, "driver", header.device.driver);
  v.where(is_run, "identity", header.identity);
  v.where(is_run, "kernels_hash", header.kernels_hash);
  v.also(true, "", "",
         R"({"if": {"properties": {"source": {"const": "published"}}}, "then": {"required": ["document"]},
             "else": {"required": ["api", "driver", "identity", "kernels_hash"]}})");
}

/// The point that a row is about.
void question_fields(auto& v, const Point& question) {
  v.required("experiment", question.experiment);
  v.required("parameters", question.parameters);
}

void fields(auto& v, Like<ChangeRow> auto& row) {
  const SideAnswer& before = value_behind(row.before);
  const SideAnswer& after = value_behind(row.after);
  question_fields(v, row.question);
  v.required("metric", std::string(after.metric.name));
  v.required("higher_is_better", after.metric.better == Direction::higher);
  v.required("before", before.value, kComputed);
  v.required("after", after.value, kComputed);
  v.required("runs_before", before.runs.size());
  v.required("runs_after", after.runs.size());
  v.required("change_percent", row.percent(), kComputed);
  v.required("low_percent", 100 * (row.change.low - 1), kComputed.with("lower end of the 95 % interval"));
  v.required("high_percent", 100 * (row.change.high - 1), kComputed.with("upper end of the 95 % interval"));
  v.required("verdict", row.verdict);
}

/// The size of a cache.
void size_change_fields(auto& v, const FindingChange& change) {
  v.required("path", change.word(0));
  v.required("level", change.word(1));
  v.required("before_bytes", static_cast<std::uint64_t>(change.before));
  v.required("after_bytes", static_cast<std::uint64_t>(change.after));
  v.required("change_percent", change.percent(), kComputed);
  v.required("verdict", change.verdict);
}

void fields(auto& v, Like<FindingChange> auto& change) {
  v.required("kind", change.kind, {.about = "the title of its table"});
  v.required("row", change.row, {.about = "words that name the finding"});
  v.required("column", change.column);
  v.required("before", change.before, kComputed);
  v.required("after", change.after, kComputed);
  v.required("change_percent", change.percent(), kComputed);
  v.required("verdict", change.verdict);
}

/// A side's answer to the question of a table's row.
struct NamedAnswer {
  const Side* side = nullptr;
  const SideAnswer* answer = nullptr;
  bool is_wider = false;
};

inline std::vector<NamedAnswer> named_answers(const TableRow& row, const std::vector<Side>& sides) {
  std::vector<NamedAnswer> named;
  for (std::size_t i = 0; i < row.answers.size(); ++i) {
    if (row.answers[i] != nullptr) named.push_back({&sides[i], row.answers[i], row.is_wider[i]});
  }
  return named;
}

void fields(auto& v, Like<NamedAnswer> auto& named) {
  const SideAnswer& answer = value_behind(named.answer);
  const NormalizedBandwidth& bandwidth = answer.against_limit;
  v.required("side", value_behind(named.side).name);
  v.required("metric", std::string(answer.metric.name));
  v.required("value", answer.value, kComputed);
  v.optional("bytes_per_unit_cycle", bandwidth.bytes_per_unit_cycle, kComputed);
  v.optional("limit_gb_per_s", bandwidth.limit_gb_s, kComputed);
  v.optional("efficiency", bandwidth.efficiency, kComputed.with("share of the limit"));
  const Measurement measured = value_behind(answer.result).measurement.value_or(Measurement());
  for (const char* name : {figures::kCyclesPerOp, figures::kNetCyclesPerOp, figures::kOpsPerUnitCycle})
    v.optional(name, statistic_median(measured, name), kComputed);
  v.optional("names_fewer_parameters", named.is_wider, {.about = "the document's point has fewer parameters"});
}

/// The rows of all tables.
inline std::vector<const TableRow*> table_rows(const RunComparison& comparison) {
  std::vector<const TableRow*> all;
  for (const auto& [experiment, rows] : comparison.tables) {
    for (const TableRow& row : rows) all.push_back(&row);
  }
  return all;
}

void fields(auto& v, Like<RunComparison> auto& comparison) {
  /// The names of both sides of a pair; there are none in the empty comparison of a schema.
  const auto before_and_after = [&](auto& each, const auto& pair) {
    const auto name_of_side = [&](std::size_t i) { return i < comparison.sides.size() ? comparison.sides[i].name : ""; };
    each.required("before", name_of_side(pair.before));
    each.required("after", name_of_side(pair.after));
  };
  v.constant("schema", 1);
  v.required("sides", comparison.sides);
  v.items("pairs", comparison.pairs, [&](auto& each, const SidePair& pair) {
    each.required("kind", pair.relation);
    before_and_after(each, pair);
    each.items("points", pair.rows, [](auto& point, const auto& row) { fields(point, row.second); });
    each.items("sizes", pair.sizes, [](auto& size, const FindingChange& change) { size_change_fields(size, change); });
    each.optional("findings", pair.findings, {.about = "further values that `analyze` finds on both sides"});
    each.required("missing", pair.missing, {.about = "questions that only `before` answers"});
    each.required("added", pair.added, {.about = "questions that only `after` answers"});
  });
  v.optional_items("maps", comparison.maps, [&](auto& each, const MapChange& map) {
    before_and_after(each, map);
    each.required("access", map.access);
    each.required("correlation", map.agreement.correlation, kComputed);
    each.required("same_card", map.agreement.verdict);
  });
  v.items("points", table_rows(comparison), [&](auto& each, const TableRow* row) {
    question_fields(each, value_behind(row).question);
    each.required("answers", named_answers(value_behind(row), comparison.sides));
  });
}

}  // namespace percycle
