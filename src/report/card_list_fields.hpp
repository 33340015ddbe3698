#pragma once

#include <cstddef>
#include <vector>

#include "core/version.hpp"
#include "report/card_list.hpp"
#include "report/key_figures_fields.hpp"

// The members of a site's cards.json. See json/fields.hpp; docs/commands.md (site) names the file.

namespace percycle {

/// A card with its column.
struct CardColumn {
  const CardList* list = nullptr;
  std::size_t column = 0;
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
  const KeyFigures& figures = value_behind(one.list).figures;
  values_fields(v, "values", figures, one.column, &KeyCell::value);
  values_fields(v, "other_values", figures, one.column, &KeyCell::other);
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
