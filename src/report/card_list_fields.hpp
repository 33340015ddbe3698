#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/version.hpp"
#include "report/card_list.hpp"
#include "report/key_figures_text.hpp"
#include "report/report_fields.hpp"

// The members of a site's cards.json. See json/fields.hpp; docs/site.md describes the format.

namespace percycle {

/// A value of a card, with its row's place among the figures.
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

/// A card with its column.
struct CardColumn {
  const CardList* list = nullptr;
  std::size_t column = 0;

  /// Its values through OpenCL, or through the only API; `others`: those through Vulkan if they
  /// differ.
  std::vector<PlacedValue> values(bool others) const {
    std::vector<PlacedValue> found;
    for (std::size_t at = 0; list != nullptr && at < list->figures.rows.size(); ++at) {
      const KeyCell& cell = list->figures.rows[at].cells[column];
      if (const auto& value = others ? cell.other : cell.value) found.push_back({at, &list->figures.rows[at], &*value});
    }
    return found;
  }
};

void fields(auto& v, Like<CardColumn> auto& one) {
  const ListedCard card = one.list != nullptr ? one.list->cards[one.column] : ListedCard();
  v.required("slug", card.slug);
  v.required("title", card.title);
  v.required("source", card.source);
  v.required("vendor", card.vendor);
  v.optional("architecture", card.architecture);
  v.optional("identity", card.identity);
  v.optional("document", card.document);
  v.required("apis", card.apis);
  v.required("page", card.page());
  v.required("records", card.records());
  v.items("values", one.values(false), [](auto& each, const PlacedValue& value) { fields(each, value); });
  v.items("other_values", one.values(true), [](auto& each, const PlacedValue& value) { fields(each, value); });
}

inline std::vector<CardColumn> card_columns(const CardList& list) {
  std::vector<CardColumn> columns;
  for (std::size_t i = 0; i < list.cards.size(); ++i) columns.push_back({&list, i});
  return columns;
}

void fields(auto& v, Like<CardList> auto& list) {
  v.constant("schema", 1);
  v.required("percycle", std::string(tool_version()));
  v.required("figures", list.figures.rows);
  v.required("cards", card_columns(list));
}

}  // namespace percycle
