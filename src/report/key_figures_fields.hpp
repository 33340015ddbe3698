#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/key_figures_text.hpp"
#include "report/report_fields.hpp"

// The members of key figures, in a site's cards.json and in `percycle summary --json`. See
// json/fields.hpp.

namespace percycle {

/// A value of a column, with its row's place among the figures.
struct PlacedValue {
  std::size_t at = 0;
  const KeyRow* row = nullptr;
  const KeyValue* value = nullptr;
};

inline constexpr std::array<std::string_view, 2> kDirections{"higher", "lower"};

void fields(auto& v, Like<KeyRow> auto& row) {
  const std::string better(row.better == Direction::neither ? "" : kDirections[row.better == Direction::higher ? 0 : 1]);
  v.required("label", key_label(row), {.about = "name and unit of the texts"});
  v.required("name", row.name);
  v.required("figure", row.figure);
  v.optional("unit", row.unit, {.about = "of the values"});
  v.optional("better", better, {.one_of = kDirections});
}

void fields(auto& v, Like<PlacedValue> auto& placed) {
  const KeyValue& value = value_behind(placed.value);
  const bool is_run = value.device != nullptr && value.device->source != Source::published;
  v.required("figure", placed.at, {.about = "index of `figures`"});
  v.required("value", value.value, kRounded);
  v.required("text", key_value_words(value_behind(placed.row), value));
  v.optional("share_percent", value.share_percent, kRounded.with("of the limit"));
  v.optional("unit", value.unit, {.about = "if it is not that of the figure"});
  v.where(is_run, "api", is_run ? value.device->header().device.api : Api());
  v.optional("run", value.row != nullptr ? exact_text_of(value.row->run) : std::string(), {.about = "its name in report.json"});
  v.optional("experiment", value.experiment);
  v.optional("parameters", value.row != nullptr ? answer_key(*value.row) : std::string(), {.about = "of its point"});
  v.optional("low", value.range ? std::optional(value.range->low) : std::nullopt, kRounded.with("of the range in the text"));
  v.optional("high", value.range ? std::optional(value.range->high) : std::nullopt, kRounded.with("of that range"));
  v.optional("vague", value.is_vague, {.about = "known to a range only"});
  v.optional("doubtful", value.is_doubtful);
}

/// The values of a column: KeyCell::value or KeyCell::other.
void values_fields(auto& v, const char* name, const KeyFigures& figures, std::size_t column,
                   std::optional<KeyValue> KeyCell::*which) {
  std::vector<PlacedValue> found;
  for (std::size_t at = 0; at < figures.rows.size(); ++at) {
    if (const auto& value = figures.rows[at].cells[column].*which) found.push_back({at, &figures.rows[at], &*value});
  }
  v.items(name, found, [](auto& each, const PlacedValue& value) { fields(each, value); });
}

}  // namespace percycle
